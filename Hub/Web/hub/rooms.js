import { get } from "../app/api.js";
import { announce, button, element, keyed, labelled, replace, setText } from "../app/dom.js";
import { language, t } from "../app/language.js";
import { stateBadge, tagAddress, tagNumbers } from "./tables.js";

/** Returns the text of a name in the language of the page, or in the first one of the venue. */
export function textIn(names, otherwise) {
  const own = names?.find((name) => name.language.toLowerCase().split("-")[0] === language());
  return (own ?? names?.[0])?.text ?? otherwise;
}

/**
 * Returns the place of each room that has one: `{ level, place }` by the room's name. Of several places with the name, that on the floor of a
 * device takes precedence. `SitePlan` of the hub compares names in the same way.
 */
export function placeRooms(levels, rooms) {
  const named = new Map();
  for (const level of levels) {
    for (const place of level.places) {
      for (const { name } of place.rooms) named.set(name, [...(named.get(name) ?? []), { level, place }]);
    }
  }
  const spots = new Map();
  for (const { room, devices } of rooms) {
    const candidates = named.get(room.toLowerCase()) ?? [];
    const spot = candidates.find(({ level }) => devices.some((device) => device.floor === level.floor)) ?? candidates[0];
    if (spot) spots.set(room, spot);
  }
  return spots;
}

/** Returns all rows of a list of a site. */
async function all(path, list, site) {
  const rows = [];
  let beyond;
  do {
    const answer = await get(path, { site, beyond });
    rows.push(...answer[list]);
    beyond = answer.next;
  } while (beyond);
  return rows;
}

const tagCount = (room) => t("room.tags", { count: room.tags });

/** Returns a room in one sentence, for a reader who does not see the plan. */
export const describeRoom = (room) =>
  [`${room.room}: ${tagCount(room)}`, ...room.devices.map(({ device, state }) => `${device} (${t(`deviceState.${state}`)})`)].join(", ");

/** The plan of a site with its rooms, and the room that a person has chosen. Without a venue there is a hint in its place. */
export class Rooms {
  chosen = "";
  #rooms = [];
  #levels = [];
  #spots = new Map();
  #level = null;
  #stored = null;
  #tags = [];
  #hasMoreTags = false;

  /** `onChoose(room)` is called with the name of the room, or with an empty text for all. */
  constructor(scope, site, onChoose) {
    [this.scope, this.site, this.onChoose] = [scope, site, onChoose];
    this.hint = element("p", { class: "quiet-text", hidden: true }, t("plan.none", { site }));
    this.canvas = element("div", { class: "map", tabindex: 0 });
    this.levels = element("div", { class: "tool-levels", role: "group", "aria-label": t("place.levels") });
    const zoom = element("div", { class: "tool-zoom", role: "group", "aria-label": t("place.zoom") },
      button("+", () => this.plan?.map.zoom(1), { class: "tool", "aria-label": t("place.zoomIn") }),
      button("−", () => this.plan?.map.zoom(-1), { class: "tool", "aria-label": t("place.zoomOut") }));
    this.list = element("ul", { class: "rows", "aria-label": t("plan.rooms") });
    this.frame = element("div", { class: "card site-plan", hidden: true },
      element("div", { class: "plan-card" }, this.canvas, element("div", { class: "tool-column" }, this.levels, zoom)),
      element("div", { class: "panel", tabindex: 0, role: "region", "aria-label": t("plan.rooms") }, this.list));
    this.otherList = element("ul", { class: "rows card", "aria-label": t("plan.elsewhere") });
    this.others = element("div", { class: "other-rooms", hidden: true }, element("h3", {}, t("plan.elsewhere")),
      element("p", { class: "quiet-text" }, t("plan.elsewhere.how")), this.otherList);
    this.detail = { heading: element("h3"), devices: element("p"), tags: element("ul", { class: "tag-names" }), note: element("p", { class: "quiet-text" }) };
    this.detail.node = element("section", { class: "card room-detail", hidden: true }, Object.values(this.detail));
    this.node = element("section", { class: "rooms" }, element("h2", {}, t("site.plan")), this.hint, this.frame, this.detail.node, this.others);
    this.select = element("select", { on: { change: () => this.choose(this.select.value) } });
    this.filter = labelled(t("column.room"), this.select, { hidden: true });
    scope.add(() => this.plan?.close());
  }

  /** Loads the rooms, and the plan if another one is stored. `stored` is the time at which it was stored; null without one. */
  async load(stored) {
    const isNew = stored !== this.#stored;
    const [rooms, levels] = await Promise.all([all("rooms", "rooms", this.site), isNew ? (stored ? all("plan", "levels", this.site) : []) : this.#levels]);
    if (!this.scope.isOpen) return;
    // A room that lost its devices and its last tag stays while it is chosen.
    if (this.chosen && !rooms.some(({ room }) => room === this.chosen)) rooms.push({ room: this.chosen, devices: [], tags: 0 });
    [this.#rooms, this.#levels, this.#stored] = [rooms, levels, stored];
    this.#spots = placeRooms(levels, rooms);
    if (isNew) this.#level = this.#level && levels.find(({ level }) => level === this.#level.level);
    this.#level ??= this.#firstLevel();
    this.hint.hidden = levels.length > 0;
    this.frame.hidden = !levels.length;
    if (levels.length && !this.plan) {
      const { SitePlan } = await import("../hub/site-plan.js");
      if (!this.scope.isOpen) return;
      this.plan ??= new SitePlan(this.canvas, (room) => this.choose(room === this.chosen ? "" : room));
    }
    this.#show();
  }

  /** Chooses a room, shows its level, and calls `onChoose`. */
  choose(room) {
    this.chosen = room;
    this.#level = this.#spots.get(room)?.level ?? this.#level;
    this.#tags = null;
    this.#show();
    const found = this.#rooms.find((other) => other.room === room);
    announce(found ? describeRoom(found) : t("room.all"));
    this.onChoose(room);
  }

  /** Shows the tags of the chosen room by their names. `hasMore` says that there are further ones. */
  showTags(tags, hasMore) {
    [this.#tags, this.#hasMoreTags] = [tags, hasMore];
    this.#showDetail();
  }

  #firstLevel() {
    const count = (level) => [...this.#spots.values()].filter((spot) => spot.level === level).length;
    return [...this.#levels].sort((a, b) => count(b) - count(a) || Math.abs(a.floor) - Math.abs(b.floor))[0] ?? null;
  }

  #show() {
    const options = [element("option", { value: "" }, t("room.all")), ...this.#rooms.map(({ room }) => element("option", { value: room }, room))];
    // A list that is open stays as it is.
    if (document.activeElement !== this.select || this.select.options.length !== options.length) replace(this.select, options);
    this.select.value = this.chosen;
    this.filter.hidden = !this.#rooms.length;
    const isPlaced = ({ room }) => this.#spots.has(room);
    this.#showList(this.list, this.#rooms.filter(isPlaced));
    const others = this.#levels.length ? this.#rooms.filter((room) => !isPlaced(room)) : [];
    this.#showList(this.otherList, others);
    this.others.hidden = !others.length;
    if (this.plan && this.#level) {
      this.#showLevels();
      this.plan.show(this.#level, this.#rooms, this.#spots, this.chosen);
    }
    this.#showDetail();
  }

  #showList(list, rooms) {
    keyed(list, rooms, ({ room }) => room, ({ room }) => element("li", {}, button([], () => this.choose(room === this.chosen ? "" : room), { class: "row" })),
      (item, room) => {
        const spot = this.#spots.get(room.room);
        const node = item.firstChild;
        node.setAttribute("aria-pressed", room.room === this.chosen);
        const parts = [...room.devices.map(({ device, state }) => (state === "good" ? device : element("span", { class: "bad" }, `${device} (${t(`deviceState.${state}`)})`))),
          spot && this.#levels.length > 1 && textIn(spot.level.names, spot.level.level)].filter(Boolean);
        replace(node, element("span", { class: "name" }, room.room), element("span", { class: "aside" }, tagCount(room)),
          element("span", { class: "sub" }, parts.map((part, number) => [number > 0 && ", ", part])));
      });
  }

  #showLevels() {
    this.levels.hidden = this.#levels.length < 2;
    keyed(this.levels, [...this.#levels].reverse(), ({ level }) => level, (level) => button(level.shortName ?? String(level.floor), () => {
      this.#level = this.#levels.find((other) => other.level === level.level);
      this.#show();
    }, { class: "tool", "aria-label": textIn(level.names, level.level), title: textIn(level.names, level.level) }),
    (node, level) => node.setAttribute("aria-pressed", level.level === this.#level.level));
  }

  #showDetail() {
    const room = this.#levels.length ? this.#rooms.find((other) => other.room === this.chosen) : null;
    const { node, heading, devices, tags, note } = this.detail;
    node.hidden = !room;
    if (!room) return;
    const present = (this.#tags ?? []).filter((tag) => tag.room === room.room);
    setText(heading, t("room.chosen", { room: room.room }));
    replace(devices, room.devices.map(({ device, state }) => [device, " ", stateBadge(state), " "]));
    keyed(tags, present, tagAddress, (tag) => element("li", {}, element("a", { href: tagAddress(tag) })), (item, tag) => setText(item.firstChild, tag.name ?? tagNumbers(tag)));
    setText(note, !this.#tags ? t("list.loading") : !present.length ? t("room.empty") : this.#hasMoreTags ? t("room.more") : "");
  }
}
