import { element, svg } from "../app/dom.js";
import { number } from "../app/language.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [560, 190, 34, 24, 8];

/** Returns a round number of at least `value`, for the top of an axis. */
function top(value) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * step).find((limit) => limit >= value) ?? 10 * step;
}

/** Returns a chart of bars. Each one is `{label, title, value}`; a table beside it has the same numbers for a screen reader. */
export function barChart(bars, title) {
  const most = top(Math.max(1, ...bars.map((bar) => bar.value)));
  const step = (WIDTH - LEFT) / bars.length;
  const height = (value) => ((HEIGHT - BOTTOM - TOP) * value) / most;
  const every = Math.ceil(bars.length / (bars.some((bar) => bar.label.length > 2) ? 7 : 12));
  const lines = [0, 0.5, 1].filter((share) => share !== 0.5 || most % 2 === 0).flatMap((share) => {
    const y = HEIGHT - BOTTOM - height(most * share);
    return [svg("line", { x1: LEFT, x2: WIDTH, y1: y, y2: y, class: "grid" }),
      svg("text", { x: LEFT - 6, y: y + 4, class: "tick", "text-anchor": "end" }, number(most * share))];
  });
  const columns = bars.flatMap((bar, index) => {
    const x = LEFT + index * step;
    const gap = Math.min(4, step * 0.2);
    const size = bar.value ? Math.max(2, height(bar.value)) : 0;
    return [
      svg("g", {}, svg("title", {}, `${bar.title}: ${number(bar.value)}`),
        svg("rect", { x, y: TOP, width: step, height: HEIGHT - BOTTOM - TOP, class: "hit" }),
        svg("rect", { x: x + gap / 2, y: HEIGHT - BOTTOM - size, width: Math.max(1, step - gap), height: size, rx: Math.min(2, step / 4), class: bar.isChosen ? "bar chosen" : "bar" })),
      index % every === 0 && svg("text", { x: x + step / 2, y: HEIGHT - 6, class: "tick", "text-anchor": "middle" }, bar.label),
    ];
  });
  const spoken = bars.filter((bar) => bar.value).map((bar) => `${bar.title}: ${number(bar.value)}`).join("; ");
  return element("figure", { class: "chart" },
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, lines, columns),
    element("figcaption", { class: "hidden" }, spoken));
}
