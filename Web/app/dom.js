const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns an HTML element. Children that are not nodes become text, so that data never contains markup.
 * `on` has the event handlers, `data` the data attributes; an attribute that is null or false is left out, but a state such as `aria-pressed` is written.
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Returns an SVG element, with attributes and children as those of `element`. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || (value === false && !key.startsWith("aria-"))) continue;
    if (key === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : String(value));
  }
  node.append(...present(children));
  return node;
}

/** Replaces the children of a node. */
export function replace(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/** Sets the text of a node if it has changed, so that a selection and a screen reader are not disturbed. */
export function setText(node, text) {
  const value = text === null || text === undefined ? "" : String(text);
  if (node.textContent !== value) node.textContent = value;
}

/**
 * Keeps the children of `parent` in step with `items`: the same key keeps its node, so that the focus stays.
 * `create(item)` returns a node; `update(node, item)` changes it.
 */
export function keyed(parent, items, keyOf, create, update = () => {}) {
  const nodes = parent.keyedNodes ?? (parent.keyedNodes = new Map());
  const kept = new Set();
  let next = parent.firstChild;
  for (const item of items) {
    const key = keyOf(item);
    if (kept.has(key)) continue;
    kept.add(key);
    let node = nodes.get(key);
    if (!node) nodes.set(key, (node = create(item)));
    update(node, item);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  for (const [key, node] of nodes) {
    if (!kept.has(key)) {
      node.remove();
      nodes.delete(key);
    }
  }
}

let labels = 0;

/** Returns a label with its field. `field` is an input, a select or a text area. */
export function labelled(text, field, attributes = {}) {
  field.id ||= `field-${++labels}`;
  return element("div", { class: "field", ...attributes }, element("label", { for: field.id }, text), field);
}

/** Returns a select. `options` is a list of [value, text]. */
export function select(options, value, onChange, attributes = {}) {
  const node = element("select", attributes, options.map(([key, text]) => element("option", { value: key, selected: key === value }, text)));
  node.addEventListener("change", () => onChange(node.value));
  return node;
}

/** Returns a button. */
export function button(text, onClick, attributes = {}) {
  return element("button", { type: "button", ...attributes, on: { click: onClick } }, text);
}

/** Announces a text to screen readers. */
export function announce(text) {
  const node = document.getElementById("announcer");
  if (node) node.textContent = text;
}
