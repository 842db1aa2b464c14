const RADIUS = 6_378_137;
const ECCENTRICITY = 0.006_694_379_990_14;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** The metres of a degree of latitude and of longitude at a latitude, on WGS 84. */
function metresPerDegree(latitude) {
  const sine = Math.sin(radians(latitude));
  const w = 1 - ECCENTRICITY * sine * sine;
  return {
    north: radians(1) * RADIUS * (1 - ECCENTRICITY) / w ** 1.5,
    east: radians(1) * (RADIUS / Math.sqrt(w)) * Math.cos(radians(latitude)),
  };
}

/** Returns whether a plan has a place on the earth. */
export function isOnEarth(plan) {
  return typeof plan?.latitude === "number" && typeof plan.longitude === "number";
}

/** Returns the coordinate of a point of a plan; undefined if the plan has no place on the earth. */
export function toEarth(plan, { x, y }) {
  if (!isOnEarth(plan)) return undefined;
  const bearing = radians(plan.bearing ?? 0);
  const metres = metresPerDegree(plan.latitude);
  return {
    latitude: plan.latitude + (y * Math.cos(bearing) - x * Math.sin(bearing)) / metres.north,
    longitude: plan.longitude + (x * Math.cos(bearing) + y * Math.sin(bearing)) / metres.east,
  };
}

/** Returns the point of a plan at a coordinate; undefined if the plan has no place on the earth. */
export function toPlan(plan, { latitude, longitude }) {
  if (!isOnEarth(plan)) return undefined;
  const bearing = radians(plan.bearing ?? 0);
  const metres = metresPerDegree(plan.latitude);
  const east = (longitude - plan.longitude) * metres.east;
  const north = (latitude - plan.latitude) * metres.north;
  return { x: east * Math.cos(bearing) - north * Math.sin(bearing), y: east * Math.sin(bearing) + north * Math.cos(bearing) };
}

/** Returns the corners of the box around points; undefined without any. */
export function bounds(points) {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const { x, y } of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  return box.left <= box.right ? box : undefined;
}
