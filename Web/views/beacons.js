import { get } from "../app/api.js";
import { allBeacons, beaconKey, beaconName, problemWords } from "../app/beacons.js";
import { button, element, keyed, labelled, replace, setText } from "../app/dom.js";
import { dateTime, language, locale, metres, number, t, word } from "../app/language.js";
import { store } from "../app/store.js";

/** The rows that are added at once; thousands would make each update slow. */
const PAGE = 200;
const PROXIMITIES = ["immediate", "near", "far", "unknown"];

/** The columns: the text of a cell, and a number or a text to sort by. A missing value is always last. */
const COLUMNS = [
  { key: "name", text: beaconName, order: (beacon) => beaconName(beacon), isHead: true },
  { key: "proximity", text: (beacon) => (beacon.isInRange ? word("proximity", beacon.proximity) : t("beacon.notHeard")),
    order: (beacon) => (beacon.isInRange ? PROXIMITIES.indexOf(beacon.proximity) : undefined) },
  { key: "distance", isNumber: true, text: (beacon) => (beacon.distance === undefined ? "–" : metres(beacon.distance)), order: (beacon) => beacon.distance },
  { key: "rssi", isNumber: true, text: (beacon) => (beacon.rssi === undefined ? "–" : `${number(beacon.rssi)} dBm`), order: (beacon) => beacon.rssi, isDescending: true },
  { key: "rate", isNumber: true, text: (beacon) => (beacon.rate === undefined ? "–" : `${number(beacon.rate, 1)} /s`), order: (beacon) => beacon.rate, isDescending: true },
  { key: "battery", isNumber: true, text: (beacon) => (beacon.battery === undefined ? "–" : `${number(beacon.battery, 2)} V`), order: (beacon) => beacon.battery },
  { key: "problems", text: (beacon) => problemWords(beacon).join(", ") || "–", order: (beacon) => -(beacon.problems?.length ?? 0) },
];

const chosen = { sort: "distance", isReversed: false, filter: "", onlyHeard: false, onlyProblems: false };

/** Shows all beacons that are in range, expected, or on a plan, as a table. */
export function show(main, scope) {
  let planned = [];
  let most = PAGE;
  const count = element("p", { class: "quiet-text", role: "status" });
  const body = element("tbody", {});
  const heads = new Map();
  const more = button("", () => ((most += PAGE), draw()), { hidden: true });
  const filter = element("input", { type: "search", value: chosen.filter, autocomplete: "off", spellcheck: "false" });
  filter.addEventListener("input", () => ((chosen.filter = filter.value), (most = PAGE), draw()));
  const check = (name, text) => {
    const box = element("input", { type: "checkbox", checked: chosen[name] });
    box.addEventListener("change", () => ((chosen[name] = box.checked), (most = PAGE), draw()));
    return element("label", { class: "check" }, box, text);
  };
  main.append(
    element("h1", { tabindex: -1 }, t("view.beacons")),
    element("div", { class: "filters" }, labelled(t("beacons.filter"), filter), check("onlyHeard", t("beacons.onlyHeard")), check("onlyProblems", t("beacons.onlyProblems"))),
    count,
    element("div", { class: "table card", tabindex: 0, role: "region", "aria-label": t("view.beacons") },
      element("table", { class: "stacked", role: "table" },
        element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, COLUMNS.map((column) => {
          const head = element("th", { scope: "col", role: "columnheader", class: column.isNumber ? "number" : null },
            button([t(`column.${column.key}`), element("span", { class: "arrow", "aria-hidden": "true" })], () => sortBy(column)));
          heads.set(column.key, head);
          return head;
        }))), body)),
    more);

  function sortBy(column) {
    chosen.isReversed = chosen.sort === column.key ? !chosen.isReversed : false;
    chosen.sort = column.key;
    draw();
  }

  function draw() {
    const words = chosen.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const column = COLUMNS.find((other) => other.key === chosen.sort);
    const collator = new Intl.Collator(locale(), { numeric: true });
    const direction = (column.isDescending ? -1 : 1) * (chosen.isReversed ? -1 : 1);
    const all = allBeacons(planned);
    const rows = all.filter((beacon) => (!chosen.onlyHeard || beacon.isInRange) && (!chosen.onlyProblems || beacon.problems?.length)
      && (!words.length || words.every((part) => `${beaconName(beacon)} ${beaconKey(beacon)}`.toLowerCase().includes(part))));
    const keys = new Map(rows.map((beacon) => [beacon, column.order(beacon)]));
    rows.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined) || collator.compare(beaconName(a), beaconName(b));
      return direction * (typeof x === "string" ? collator.compare(x, y) : x - y) || collator.compare(beaconName(a), beaconName(b));
    });
    for (const [key, head] of heads) {
      const isSorted = key === chosen.sort;
      const isUp = direction > 0;
      if (isSorted) head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
      setText(head.querySelector(".arrow"), isSorted ? (isUp ? "▲" : "▼") : "");
    }
    setText(count, all.length ? t("beacons.count", { shown: rows.length, all: all.length, heard: all.filter((beacon) => beacon.isInRange).length }) : t("beacons.none"));
    more.hidden = rows.length <= most;
    setText(more, t("beacons.more", { count: Math.min(PAGE, rows.length - most) }));
    keyed(body, rows.slice(0, most), beaconKey, createRow, updateRow);
  }

  function createRow(beacon) {
    return element("tr", { role: "row" }, COLUMNS.map((column) => element(column.isHead ? "th" : "td",
      { role: column.isHead ? "rowheader" : "cell", scope: column.isHead ? "row" : null, class: column.isNumber ? "number" : null, data: { label: t(`column.${column.key}`) } },
      column.isHead ? [element("span", {}), element("small", { title: beacon.uuid }, "")] : [])));
  }

  function updateRow(row, beacon) {
    COLUMNS.forEach((column, index) => setText(column.isHead ? row.children[index].firstChild : row.children[index], column.text(beacon)));
    const name = beaconName(beacon);
    const numbers = `${beacon.major}/${beacon.minor}`;
    setText(row.firstChild.lastChild, `${name === numbers ? "" : `${numbers} · `}${beacon.uuid.slice(0, 8)}…`);
    row.classList.toggle("silent", !beacon.isInRange);
    row.lastChild.classList.toggle("bad", Boolean(beacon.problems?.length));
    row.title = beacon.lastSeen ? t("beacons.lastSeen", { time: dateTime(beacon.lastSeen) }) : "";
  }

  async function loadPlanned() {
    const plans = store.get("plans") ?? [];
    const loaded = await Promise.allSettled(plans.slice(0, 60).map(({ venue, level }) => get("plan", { venue, level, locale: language() })));
    if (!scope.isOpen) return;
    planned = loaded.flatMap((result) => result.value?.beacons ?? []);
    draw();
  }

  for (const key of ["beacons", "status", "places"]) scope.add(store.on(key, draw));
  scope.follow("plans", loadPlanned);
  replace(count, t("place.loading"));
  draw();
}
