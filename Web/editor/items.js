import { language } from "../app/language.js";

export const KINDS = ["beacon", "place", "wall", "walkable", "voids", "node", "edge", "anchors"];
const AREAS = ["walkable", "voids"];

/** Returns metres as they are written into the file, to a centimetre. */
export const rounded = (value) => Math.round(value * 100) / 100;
const point = ([x, y]) => [rounded(x), rounded(y)];

/** Returns a text of a venue file, which may be a text or one for each language. */
export const localised = (text) => (typeof text === "object" && text ? text[language()] ?? Object.values(text)[0] : text);
export const titleOf = (place) => localised(place.title) ?? place.id;

/** Returns the levels of a model. A file without one has a level whose id is ground. */
export const levelsOf = (model) => (model?.level?.length ? model.level : [{ key: null, id: "ground" }]);

/** Returns a copy of a model with changes of the kind "set". */
export function changed(model, edits) {
  const copy = { ...model };
  for (const { key, values } of edits) {
    const table = key.split("/")[0];
    copy[table] = copy[table].map((item) => (item.key === key ? { ...item, ...values } : item));
  }
  return copy;
}

const middle = (points) => [0, 1].map((axis) => points.reduce((sum, corner) => sum + corner[axis], 0) / points.length);

/** Returns where a place is: at its own position, in the middle of its area, or at its beacon. */
function placePoints(model, place) {
  if (place.position) return [place.position];
  if (place.area?.length) return [middle(place.area)];
  const beacon = model.beacon?.find((other) => place.beacon && other.major === place.beacon[0] && other.minor === place.beacon[1]);
  return beacon?.position ? [beacon.position] : [];
}

/**
 * Returns the items of a level. Each has a `ref`, its `kind`, the `key` of its table, a `label`, and `points` in metres;
 * those of a level also have an `index`. `anchorPoint` gives the place of an anchor.
 */
export function itemsOf(model, level, anchorPoint) {
  const first = levelsOf(model)[0].id;
  const beaconLevel = (numbers) => model.beacon?.find((beacon) => numbers && beacon.major === numbers[0] && beacon.minor === numbers[1])?.level;
  const isHere = (item) => (item.level ?? beaconLevel(item.beacon) ?? first) === level.id;
  const nodes = new Map((model.node ?? []).map((node) => [node.id, node]));
  const here = (table, label, points) => (model[table] ?? []).filter(isHere)
    .map((value) => ({ ref: value.key, kind: table, key: value.key, value, label: label(value), points: points(value) }));
  const ends = (edge) => [edge.from, edge.to].map((id) => nodes.get(id)).filter(Boolean);
  return [
    ...here("beacon", (beacon) => `${beacon.major}/${beacon.minor}`, (beacon) => (beacon.position ? [beacon.position] : [])),
    ...here("place", titleOf, (place) => placePoints(model, place)),
    ...here("wall", (wall) => `${wall.from.join(", ")} – ${wall.to.join(", ")}`, (wall) => [wall.from, wall.to]),
    ...AREAS.flatMap((kind) => (level[kind] ?? []).map((points, index) =>
      ({ ref: `${level.key}/${kind}/${index}`, kind, key: level.key, index, value: level, label: `${index + 1}`, points }))),
    ...here("node", (node) => node.id, (node) => (node.position ? [node.position] : [])),
    ...(model.edge ?? []).filter((edge) => ends(edge).some(isHere)).map((edge) =>
      ({ ref: edge.key, kind: "edge", key: edge.key, value: edge, label: `${edge.from} – ${edge.to}`, points: ends(edge).map((node) => node.position) })),
    ...(level.anchors ?? []).map((anchor, index) =>
      ({ ref: `${level.key}/anchors/${index}`, kind: "anchors", key: level.key, index, value: anchor, level, label: `${index + 1}`, points: [anchorPoint(anchor)].filter(Boolean) })),
  ];
}

const withoutResidual = ({ pixel, latitude, longitude }) => ({ pixel, latitude, longitude });

/** Returns the change that gives an item other points; undefined if it has none of its own. `pixelAt` gives the pixel of a place. */
export function editOfPoints(item, points, pixelAt) {
  const values = points.map(point);
  switch (item.kind) {
    case "beacon": case "place": case "node": return { do: "set", key: item.key, values: { position: values[0] } };
    case "wall": return { do: "set", key: item.key, values: { from: values[0], to: values[1] } };
    case "walkable": case "voids": return { do: "set", key: item.key, values: { [item.kind]: item.value[item.kind].map((area, index) => (index === item.index ? values : area)) } };
    case "anchors": {
      const pixel = pixelAt?.(points[0]);
      return pixel && editOfAnchor(item, { pixel: pixel.map((value) => Math.round(value)) });
    }
    default: return undefined;
  }
}

/** Returns the change of some values of an anchor. */
export function editOfAnchor(item, values) {
  const anchors = item.level.anchors.map((anchor, index) => withoutResidual(index === item.index ? { ...anchor, ...values } : anchor));
  return { do: "set", key: item.key, values: { anchors } };
}

/** Returns the change that removes an item. */
export function editOfRemoval(item) {
  if (AREAS.includes(item.kind)) return { do: "set", key: item.key, values: { [item.kind]: item.value[item.kind].filter((_, index) => index !== item.index) } };
  if (item.kind === "anchors") return { do: "set", key: item.key, values: { anchors: item.level.anchors.filter((_, index) => index !== item.index).map(withoutResidual) } };
  return { do: "remove", key: item.key };
}

const unused = (prefix, known) => {
  let number = 1;
  while (known.has(`${prefix}-${number}`)) number++;
  return `${prefix}-${number}`;
};

/** Returns the change that adds an item with these points, and its `ref` afterwards. */
export function addition(model, level, kind, points, { title, pixel, earth, nodes } = {}) {
  const [first, second] = points.map(point);
  const list = (table) => model[table] ?? [];
  const ids = (table) => new Set(list(table).map((item) => item.id));
  const add = (table, values) => ({ edit: { do: "add", table, values }, ref: `${table}/${list(table).length}` });
  const here = level.key ? { level: level.id } : {};
  switch (kind) {
    case "beacon": {
      const last = list("beacon").at(-1);
      const major = last?.major ?? 1;
      const minor = Math.max(0, ...list("beacon").filter((beacon) => beacon.major === major).map((beacon) => beacon.minor)) + 1;
      return add("beacon", { major, minor, ...here, position: first, height: last?.height ?? 2.5 });
    }
    case "place": return add("place", { id: unused("place", ids("place")), kind: "other", ...here, position: first, title: { [language()]: title } });
    case "wall": return add("wall", { ...here, from: first, to: second, attenuation: 4 });
    case "node": return add("node", { id: unused("node", ids("node")), ...here, position: first });
    case "edge": return add("edge", { from: nodes[0].id, to: nodes[1].id, kind: "walk" });
    default: {
      const value = AREAS.includes(kind) ? points.map(point) : { pixel: pixel.map((number) => Math.round(number)), ...earth };
      const values = [...(level[kind] ?? []).map((old) => (kind === "anchors" ? withoutResidual(old) : old)), value];
      if (!level.key) return { edit: { do: "add", table: "level", values: { id: level.id, [kind]: values } }, ref: `level/0/${kind}/0` };
      return { edit: { do: "set", key: level.key, values: { [kind]: values } }, ref: `${level.key}/${kind}/${values.length - 1}` };
    }
  }
}

/** The number of points that a new item of a kind needs; areas need at least three. */
export const pointsNeeded = (kind) => (AREAS.includes(kind) ? Infinity : kind === "wall" || kind === "edge" ? 2 : 1);
export const isArea = (kind) => AREAS.includes(kind);
