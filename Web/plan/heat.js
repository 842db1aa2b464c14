import { colour } from "../app/theme.js";
import { AffineOverlay } from "./affine.js";
import { bounds } from "./geo.js";

/** The metres around a measured place for which its value counts. */
const REACH = 4;
const CELLS = 160;

const channels = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);

/** Returns the colour of a value from 0 to 1 between the three colours of the style. */
function scale(name) {
  const stops = [0, 1, 2].map((step) => channels(colour(`${name}-${step}`)));
  return (value) => {
    const place = Math.min(1, Math.max(0, value)) * 2;
    const lower = Math.min(1, Math.floor(place));
    return stops[lower].map((channel, index) => Math.round(channel + (stops[lower + 1][index] - channel) * (place - lower)));
  };
}

function paint(columns, rows, valueOf, name, range) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const colourOf = scale(name);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = valueOf(column, row);
      if (value === null || value === undefined) continue;
      // The first row of the values is at the bottom, that of the picture at the top.
      const offset = ((rows - 1 - row) * columns + column) * 4;
      image.data.set([...colourOf((value - range[0]) / (range[1] - range[0])), 190], offset);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function overlay(canvas, { x, y, width, height }) {
  const corners = [{ x, y: y + height }, { x: x + width, y: y + height }, { x, y }];
  return new AffineOverlay(canvas, [canvas.width, canvas.height], corners, { pane: "heat" });
}

/** Returns the layer of the predicted error, and the range of its colours in metres. */
export function predictedError({ cell, x, y, columns, rows, errors }) {
  const known = errors.filter((error) => typeof error === "number").sort((a, b) => a - b);
  const range = [0, Math.max(2, Math.ceil(known[Math.floor(known.length * 0.98)] ?? 5))];
  const canvas = paint(columns, rows, (column, row) => errors[row * columns + column], "heat-error", range);
  return { layer: overlay(canvas, { x, y, width: columns * cell, height: rows * cell }), range };
}

/** Returns the layer of the RSSI of a beacon by its number in a survey, and the range of its colours in dBm. */
export function surveyHeat({ points }, beacon) {
  const measured = points.filter((point) => typeof point.rssi[beacon] === "number");
  const box = bounds(measured);
  if (!box) return null;
  const [width, height] = [box.right - box.left + 2 * REACH, box.top - box.bottom + 2 * REACH];
  const cell = Math.max(0.25, Math.max(width, height) / CELLS);
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const [x, y] = [box.left - REACH, box.bottom - REACH];
  const range = [-95, -50];
  const sums = new Float64Array(columns * rows);
  const weights = new Float64Array(columns * rows);
  for (const point of measured) {
    const [centerColumn, centerRow, reach] = [(point.x - x) / cell - 0.5, (point.y - y) / cell - 0.5, REACH / cell];
    for (let row = Math.max(0, Math.ceil(centerRow - reach)); row <= Math.min(rows - 1, centerRow + reach); row++) {
      for (let column = Math.max(0, Math.ceil(centerColumn - reach)); column <= Math.min(columns - 1, centerColumn + reach); column++) {
        const distance = Math.hypot(column - centerColumn, row - centerRow) * cell;
        if (distance > REACH) continue;
        const weight = 1 / (0.2 + distance * distance);
        sums[row * columns + column] += weight * point.rssi[beacon];
        weights[row * columns + column] += weight;
      }
    }
  }
  const canvas = paint(columns, rows, (column, row) => {
    const index = row * columns + column;
    return weights[index] ? sums[index] / weights[index] : null;
  }, "heat-rssi", range);
  return { layer: overlay(canvas, { x, y, width: columns * cell, height: rows * cell }), range };
}
