import { clock, dateTime, metres, number, percent, span, t, word } from "../app/language.js";

const APPOINTMENTS = ["depart", "hurry", "arrive", "miss"];
const isOfAppointment = (event) => APPOINTMENTS.includes(event.event);
const isOfBeacon = (event) => event.event?.startsWith("beacon-");

const duration = (text) => {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/.exec(text ?? "");
  if (!parts) return text;
  const [hours, minutes, seconds, milliseconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return span(hours * 3600 + minutes * 60 + seconds + milliseconds / 1000);
};

const stamp = (time) => (new Date(time).toDateString() === new Date().toDateString() ? clock(time) : dateTime(time));
const beaconWords = (event) => (event.place ? t("event.beaconAt", { place: event.place, numbers: numbers(event) }) : t("event.beacon", { numbers: numbers(event) }));
const numbers = (event) => (event.beacon ? `${event.beacon.major}/${event.beacon.minor}` : "");

/** Returns one sentence that says what happened: `"entrance" was left.` */
export function headline(event) {
  if (event.event === "damaged") {
    return event.firstSequence === undefined ? t("event.damaged", { number: event.sequence }) : t("event.damagedRange", { first: event.firstSequence, last: event.sequence });
  }
  if (isOfAppointment(event)) return t(`event.${event.event}`, { title: event.appointment ?? "", place: event.place ? t("event.atPlace", { place: event.place }) : "" });
  if (isOfBeacon(event)) return t(`event.${event.event}`, { beacon: beaconWords(event), problem: word("problem", event.ended) });
  const known = ["enter", "exit", "dwell", "cross"].includes(event.event);
  return t(known ? `event.${event.event}` : "event.state", { region: event.region ?? "", state: word("regionState", event.state ?? "unknown") });
}

/** Returns the sentences that explain an event: its cause and its evidence. */
export function explanation(event) {
  if (event.event === "damaged") return [t(event.reason?.cause === "missing" ? "why.missing" : "why.unreadable")];
  if (isOfAppointment(event)) return [appointment(event)].filter(Boolean);
  if (isOfBeacon(event)) return [finding(event), lastHeard(event), telemetry(event)].filter(Boolean);
  return [cause(event), evidence(event)].filter(Boolean);
}

function cause(event) {
  const reason = event.reason ?? {};
  const values = {
    threshold: reason.threshold === undefined ? t("why.configured") : metres(reason.threshold),
    hold: reason.hold ? t("why.held", { hold: duration(reason.hold) }) : "",
    share: reason.probability === undefined ? "" : percent(reason.probability),
    delay: reason.exitDelay ? t("why.delay", { delay: duration(reason.exitDelay) }) : "",
    dwell: reason.dwell ? t("why.dwellFor", { dwell: duration(reason.dwell) }) : "",
  };
  const keys = [`why.${event.kind}.${reason.cause}${reason.probability === undefined ? "" : ".probable"}`, `why.${event.kind}.${reason.cause}`, `why.${reason.cause}`];
  const key = keys.find((candidate) => t(candidate) !== candidate);
  return key ? t(key, values) : reason.cause && t("why.other", { cause: reason.cause });
}

function evidence(event) {
  const reason = event.reason ?? {};
  if (event.kind && event.kind !== "beacon") return fix(event);
  if (!event.beacon) return reason.cause === "outage" ? null : t("evidence.noBeacon");
  const age = reason.lastSeenAge > 0 ? t("evidence.lastHeard", { beacon: beaconWords(event), age: span(reason.lastSeenAge) }) : t("evidence.heardThen", { beacon: beaconWords(event) });
  const details = [
    event.rssi !== undefined && (reason.samples === undefined ? `${number(event.rssi, 1)} dBm` : t("evidence.level", { rssi: number(event.rssi, 1), count: reason.samples })),
    event.distance !== undefined && t("evidence.distance", { distance: metres(event.distance), accuracy: event.accuracy === undefined ? "" : ` ± ${metres(event.accuracy)}` }),
    event.proximity && word("proximity", event.proximity),
    reason.adapter && t("evidence.adapter", { adapter: reason.adapter }),
  ].filter(Boolean);
  return details.length ? `${age}: ${details.join(", ")}.` : `${age}.`;
}

function fix(event) {
  const { location, reason = {} } = event;
  if (!location) return t("evidence.noFix");
  const boundary = event.boundaryDistance === undefined ? "" : t(event.boundaryDistance < 0 ? "evidence.inside" : "evidence.outside", { distance: metres(Math.abs(event.boundaryDistance)) });
  return t(reason.fixAge > 0 ? "evidence.fixBefore" : "evidence.fix", {
    age: span(reason.fixAge), latitude: number(location.latitude, 6), longitude: number(location.longitude, 6),
    accuracy: location.horizontalAccuracy === undefined ? "" : ` ± ${metres(location.horizontalAccuracy)}`, boundary,
  });
}

function appointment(event) {
  const begin = event.appointmentTime ? t("why.begins", { time: stamp(event.appointmentTime) }) : "";
  const way = event.travelTime ? t("why.way", { time: duration(event.travelTime), distance: event.travelDistance === undefined ? "" : `, ${metres(event.travelDistance)}` }) : "";
  return [begin, way].filter(Boolean).join(" ");
}

function finding(event) {
  const reason = event.reason ?? {};
  const isOver = event.event === "beacon-recovered";
  switch (reason.cause) {
    case "silence":
      return [reason.lastSeenAge === undefined ? t("finding.neverHeard") : t("finding.silence", { age: span(reason.lastSeenAge) }),
        reason.longestGap && t("finding.usually", { gap: duration(reason.longestGap) })].filter(Boolean).join(" ");
    case "battery": return event.battery === undefined ? t("finding.battery") : t("finding.volts", { volts: number(event.battery, 2) });
    case "level": return t(reason.usualRssi === undefined ? "finding.level" : "finding.usualLevel", { rssi: number(event.rssi), usual: number(reason.usualRssi) });
    case "placement": return isOver ? t("finding.fits") : t("finding.moved", { distance: reason.displacement === undefined ? "" : metres(reason.displacement) });
    case "addresses": case "phases": return isOver ? t("finding.one") : t("finding.two", { rssi: number(event.rssi), other: number(reason.otherRssi) });
    case "jumps": return isOver ? t("finding.one") : t("finding.jumps");
    default: return t(`finding.${reason.cause}`) === `finding.${reason.cause}` ? null : t(`finding.${reason.cause}`);
  }
}

const lastHeard = ({ reason }) => reason?.lastSeen && t(reason.adapter ? "finding.lastHeardBy" : "finding.lastHeard", { time: stamp(reason.lastSeen), adapter: reason.adapter });

function telemetry(event) {
  const values = [event.battery !== undefined && `${number(event.battery, 2)} V`, event.temperature !== undefined && `${number(event.temperature, 1)} °C`].filter(Boolean);
  return values.length ? t("finding.reports", { values: values.join(", ") }) : null;
}
