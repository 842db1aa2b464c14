/** Loads the script of a package of the distribution; its compressed form may have another name there. */
function load(source) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => (script.remove(), reject(new Error(`${source} cannot be loaded`))));
    document.head.append(script);
  });
}

await load("/leaflet/leaflet.min.js").catch(() => load("/leaflet/leaflet.js"));

/** Leaflet, the map library of the distribution. */
export const L = window.L;
