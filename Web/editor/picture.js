import { toEarth } from "../plan/geo.js";

/** The place of a picture on the plan: its corners from the top left one clockwise, and its size in pixels. */
export class PictureFrame {
  /** `plan` is the answer of /api/plan for the level, or null if the daemon does not have this venue. */
  constructor(plan, size) {
    this.plan = plan;
    this.size = size ?? (plan?.width ? [plan.width, plan.height] : null);
    this.corners = this.size && plan?.pictureCorners?.length === 4 ? plan.pictureCorners : null;
  }

  /** Returns the place of a pixel in metres; undefined if the picture has none. */
  pointAt([column, row]) {
    if (!this.corners) return undefined;
    const [origin, right, , down] = this.corners;
    const [u, v] = [column / this.size[0], row / this.size[1]];
    return [origin.x + u * (right.x - origin.x) + v * (down.x - origin.x), origin.y + u * (right.y - origin.y) + v * (down.y - origin.y)];
  }

  /** Returns the pixel at a place in metres; undefined if the picture has no place. */
  pixelAt([x, y]) {
    if (!this.corners) return undefined;
    const [origin, right, , down] = this.corners;
    const [a, b, c, d] = [right.x - origin.x, down.x - origin.x, right.y - origin.y, down.y - origin.y];
    const determinant = a * d - b * c;
    if (!determinant) return undefined;
    const [dx, dy] = [x - origin.x, y - origin.y];
    return [((dx * d - dy * b) / determinant) * this.size[0], ((dy * a - dx * c) / determinant) * this.size[1]];
  }

  /** Returns the coordinate of a place in metres, to a centimetre. */
  earthAt([x, y]) {
    const earth = toEarth(this.plan ?? {}, { x, y });
    return earth && { latitude: Number(earth.latitude.toFixed(7)), longitude: Number(earth.longitude.toFixed(7)) };
  }
}
