import { get } from "../app/api.js";
import { element, labelled, replace, select } from "../app/dom.js";
import { day, number, span, t } from "../app/language.js";
import { store } from "../app/store.js";
import { barChart } from "./bars.js";

const RANGES = [7, 28, 90, 365];
const chosen = { region: "", days: 28, day: "" };

const text = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

/** Returns the last days up to today, oldest first. */
function lastDays(count) {
  const today = new Date();
  return Array.from({ length: count }, (_, index) => text(new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index))));
}

/** Returns the sums of rows of visits. */
function sum(rows) {
  const total = { visits: 0, ended: 0, timeInside: 0, longestVisit: 0, hours: Array(24).fill(0) };
  for (const row of rows) {
    total.visits += row.visits ?? 0;
    total.ended += row.ended ?? 0;
    total.timeInside += row.timeInside ?? 0;
    total.longestVisit = Math.max(total.longestVisit, row.longestVisit ?? 0);
    for (const [hour, visits] of Object.entries(row.visitsByHour ?? {})) total.hours[Number(hour)] += visits;
  }
  return total;
}

const mean = (total) => (total.ended ? span(total.timeInside / total.ended) : "–");

/** Shows the visits of each day and region, their length, and the busiest hours. */
export function show(main, scope) {
  const content = element("div", { class: "history" }, element("p", { role: "status" }, t("place.loading")));
  const fields = element("div", { class: "filters" });
  main.append(element("h1", { tabindex: -1 }, t("view.history")), fields, content);
  let rows = [];

  async function load() {
    try {
      rows = (await get("visits", { since: lastDays(chosen.days)[0] })).days;
    } catch (error) {
      if (scope.isOpen) replace(content, element("p", { class: "message" }, error.status ? error.message : t("connection.lost")));
      return;
    }
    if (scope.isOpen) draw();
  }

  function drawFields() {
    const names = [...new Set([...(store.get("status")?.regions ?? []).map((region) => region.identifier), ...rows.map((row) => row.region)])].sort();
    replace(fields,
      labelled(t("history.region"), select([["", t("history.allRegions")], ...names.map((name) => [name, name])], chosen.region, (region) => ((chosen.region = region), draw()),
        { id: "history-region" })),
      labelled(t("history.range"), select(RANGES.map((days) => [String(days), t("history.days", { count: days })]), String(chosen.days),
        (days) => ((chosen.days = Number(days)), (chosen.day = ""), load()), { id: "history-range" })));
  }

  function draw() {
    const focus = document.activeElement?.id;
    drawFields();
    if (focus) document.getElementById(focus)?.focus();
    const mine = rows.filter((row) => !chosen.region || row.region === chosen.region);
    if (!mine.length) return replace(content, element("p", { class: "card empty" }, t("history.none")));
    const days = lastDays(chosen.days);
    const byDay = new Map(days.map((date) => [date, sum(mine.filter((row) => row.day === date))]));
    const inHours = chosen.day ? byDay.get(chosen.day) ?? sum([]) : sum(mine);
    const total = sum(mine);
    const busiest = total.hours.indexOf(Math.max(...total.hours));
    const short = { day: "numeric", month: "short" };
    replace(content,
      element("dl", { class: "figures" },
        figure(t("history.visits"), number(total.visits)), figure(t("history.mean"), mean(total)), figure(t("history.longest"), span(total.longestVisit)),
        figure(t("history.busiest"), total.visits ? t("history.hour", { from: busiest, to: busiest + 1 }) : "–")),
      element("div", { class: "charts" },
        element("section", { class: "card" }, element("h2", {}, t("history.perDay")),
          barChart(days.map((date) => ({ label: day(date, short), title: day(date), value: byDay.get(date).visits, isChosen: date === chosen.day })), t("history.perDay"))),
        element("section", { class: "card" }, element("h2", {}, chosen.day ? t("history.hoursOf", { day: day(chosen.day) }) : t("history.hours")),
          barChart(inHours.hours.map((value, hour) => ({ label: String(hour), title: t("history.hour", { from: hour, to: hour + 1 }), value })), t("history.hours")))),
      table(mine, days),
      element("p", { class: "quiet-text" }, t("history.note")));
  }

  function table(mine, days) {
    const list = days.filter((date) => mine.some((row) => row.day === date)).reverse().flatMap((date) => mine.filter((row) => row.day === date).map((row) => ({ date, row })));
    const head = ["day", "region", "visits", "time", "mean", "longest", "busiest"];
    return element("div", { class: "table card", tabindex: 0, role: "region", "aria-label": t("history.table") },
      element("table", { class: "stacked", role: "table" }, element("caption", {}, t("history.table")),
        element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, head.map((key, index) =>
          element("th", { scope: "col", role: "columnheader", class: index > 1 ? "number" : null }, t(`history.column.${key}`))))),
        element("tbody", { role: "rowgroup" }, list.slice(0, 1000).map(({ date, row }) => {
          const one = sum([row]);
          const hour = one.hours.indexOf(Math.max(...one.hours));
          const cells = [row.region, number(row.visits), span(row.timeInside), mean(one), span(row.longestVisit), one.visits ? t("history.hour", { from: hour, to: hour + 1 }) : "–"];
          const choose = element("button", { type: "button", class: "link", "aria-pressed": chosen.day === date }, day(date));
          choose.addEventListener("click", () => ((chosen.day = chosen.day === date ? "" : date), draw()));
          return element("tr", { role: "row" }, element("th", { scope: "row", role: "rowheader" }, choose), cells.map((cell, index) =>
            element("td", { role: "cell", class: index ? "number" : null, data: { label: t(`history.column.${head[index + 1]}`) } }, cell)));
        }))));
  }

  // Days pass, and requests fail, while there is no connection.
  scope.add(store.on("returned", load));
  drawFields();
  load();
}

const figure = (name, value) => element("div", { class: "card figure" }, element("dt", {}, name), element("dd", {}, value));
