import { svg } from "./dom.js";

/** Strokes of the icons in a square of 24. */
const PATHS = {
  place: "M9 4 3.5 6.2v13.6L9 17.5l6 2.5 5.5-2.2V4.2L15 6.5 9 4ZM9 4v13.5M15 6.5V20",
  beacons: "M12 13.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4ZM8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.6 18.4a9 9 0 0 1 0-12.8M18.4 5.6a9 9 0 0 1 0 12.8",
  events: "M4 6h10M4 12h16M4 18h7M18.5 7.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  history: "M4 20V10M9.3 20V4M14.6 20v-7M20 20V8",
  health: "M3 12h4l2.5-6 4.5 12 2.5-6H21",
  editor: "m4 20 1-4.5L16 4.5a2.1 2.1 0 0 1 3 3L8.5 19 4 20ZM14 6.5l3 3",
  logout: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  follow: "M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM12 2v5M12 17v5M2 12h5M17 12h5",
  layers: "m12 4 8.5 4.5L12 13 3.5 8.5 12 4ZM3.5 12.5 12 17l8.5-4.5M3.5 16.2 12 20.7l8.5-4.5",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  light: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m16 5 4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  remove: "M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7",
  add: "M12 5v14M5 12h14",
  enter: "M13 4h6v16h-6M4 12h10M10.5 8.5 14 12l-3.5 3.5",
  exit: "M11 4H5v16h6M9 12h11M16.5 8.5 20 12l-3.5 3.5",
  dwell: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.2 2",
  cross: "M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM2 12h20M18.5 8.5 22 12l-3.5 3.5",
  state: "M4 12h16M4 12l3-3M4 12l3 3M20 12l-3-3M20 12l-3 3",
  alert: "M12 4 2.8 20h18.4L12 4ZM12 10v5M12 17.5v.5",
  sites: "M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11ZM12 12a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z",
  sharing: "M8.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6 6 0 0 1 12 0M16 5a3 3 0 0 1 0 6M17 14.5a5.5 5.5 0 0 1 4.5 5.5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20.5 20.5",
  good: "m5 12.5 4.5 4.5L19 7.5",
  appointment: "M5 6h14v14H5V6ZM5 10.5h14M9 3.5V8M15 3.5V8",
  damaged: "M6 3h8l4 4v4l-3 2 3 2-3 2 3 2v2H6V3Z",
};

/** Returns an icon that only decorates. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: PATHS[name] }));
}
