/** The values that views show, such as "status" or "beacons". A listener is called when its value is set. */
class Store {
  #values = new Map();
  #listeners = new Map();

  get(key) {
    return this.#values.get(key);
  }

  set(key, value) {
    this.#values.set(key, value);
    for (const listener of [...(this.#listeners.get(key) ?? [])]) listener(value);
  }

  /** Calls `listener` for each later value. Returns a function that ends this. */
  on(key, listener) {
    if (!this.#listeners.has(key)) this.#listeners.set(key, new Set());
    this.#listeners.get(key).add(listener);
    return () => this.#listeners.get(key).delete(listener);
  }
}

export const store = new Store();

/** The listeners, timers and maps that a view ends when another one replaces it. */
export class Scope {
  #ends = [];
  isOpen = true;

  add(end) {
    this.#ends.push(end);
  }

  /** Calls `listener` with the value of each key now and whenever one is set. */
  follow(keys, listener) {
    for (const key of [keys].flat()) this.add(store.on(key, () => listener(store.get(key))));
    listener(store.get([keys].flat()[0]));
  }

  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds);
    this.add(() => clearInterval(timer));
  }

  listen(target, event, handler) {
    target.addEventListener(event, handler);
    this.add(() => target.removeEventListener(event, handler));
  }

  close() {
    this.isOpen = false;
    for (const end of this.#ends.splice(0)) end();
  }
}
