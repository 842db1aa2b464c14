import { word } from "./language.js";
import { store } from "./store.js";

export const beaconKey = ({ uuid, major, minor }) => `${uuid}/${major}/${minor}`;

/** Returns what is known of each beacon: in range, expected with its health, or on one of the plans. */
export function allBeacons(planned = []) {
  const all = new Map();
  const add = (beacon, values) => {
    const key = beaconKey(beacon);
    all.set(key, { ...all.get(key), ...values });
  };
  for (const beacon of planned) add(beacon, beacon);
  for (const place of store.get("places") ?? []) {
    if (place.uuid && all.has(beaconKey(place))) add(place, { place: place.title, placeId: place.id });
  }
  // The RSSI that the daemon learned of a beacon is not its present one.
  for (const { rssi, ...beacon } of store.get("status")?.beacons ?? []) add(beacon, { ...beacon, isExpected: true });
  for (const beacon of store.get("beacons")?.beacons ?? []) add(beacon, { ...beacon, isInRange: true });
  return [...all.values()];
}

/** Returns the name of a beacon: that of its place, or its numbers. */
export function beaconName(beacon) {
  return beacon.place ?? beacon.name ?? `${beacon.major}/${beacon.minor}`;
}

/** Returns the problems of a beacon in words. */
export function problemWords(beacon) {
  return (beacon.problems ?? []).map((problem) => word("problem", problem.event));
}
