import Beacons
import Events
import Instants
import Records

/// The problems of expected beacons in words.
enum BeaconProblemText {
  /// Returns the evidence of an event: `not heard for 5 min, usually at most 100 s`.
  static func evidence(_ event: Event, _ units: Units) -> String {
    let reason = event.reason
    switch reason.cause {
    case .silence:
      let usual = reason.longestGap.map { ", usually at most \(units.age($0.seconds))" } ?? ""
      return (reason.lastSeenAge.map { "not heard for \(units.age($0))" } ?? "not heard since the start") + usual
    case .sighting: return "heard again"
    case .battery: return volts(event.battery).map { "the battery has \($0)" } ?? "the battery"
    case .level:
      return level(event.rssi).map { "received with \($0)\(level(reason.usualRSSI).map { ", usually \($0)" } ?? "")" } ?? "the signal level"
    case .placement:
      let metres = reason.displacement.flatMap { Decimal.text($0, decimals: 0) }
      return event.kind == .beaconRecovered
        ? "it fits its place on the plan" : metres.map { "about \($0) m from its place on the plan" } ?? "not at its place on the plan"
    case .addresses:
      return event.kind == .beaconRecovered
        ? "one transmitter" : "two transmitters take turns" + (levels(event.rssi, reason.otherRSSI).map { ", with \($0)" } ?? "")
    case .phases:
      return event.kind == .beaconRecovered
        ? "one transmitter"
        : "two transmitters advertise at different times" + (levels(event.rssi, reason.otherRSSI).map { ", with \($0)" } ?? "")
    case .jumps: return event.kind == .beaconRecovered ? "one transmitter" : "its signal level jumps faster than a beacon can move"
    case .approach, .departure, .stay, .fix, .passage, .locationLost, .receiverLost, .deadline, .outage, .unreadable, .missing, .test, nil:
      return reason.cause?.rawValue ?? ""
    }
  }

  /// Returns the problem of a kind of event: `missing`, `weak`.
  static func problem(_ kind: Event.Kind?) -> String {
    switch kind {
    case .beaconMissing: "missing"
    case .beaconWeak: "weak"
    case .beaconMoved: "seems to have moved"
    case .beaconDuplicate: "suspected copy"
    case .enter, .exit, .dwell, .cross, .state, .depart, .hurry, .arrive, .miss, .beaconRecovered, .alert, .alertEnded, .damaged, nil:
      "unknown"
    }
  }

  static func volts(_ value: Double?) -> String? { value.flatMap { Decimal.text($0, decimals: 2) }.map { "\($0) V" } }

  static func level(_ value: Double?) -> String? { value.flatMap { Decimal.text($0, decimals: 0) }.map { "\($0) dBm" } }

  private static func levels(_ first: Double?, _ second: Double?) -> String? {
    level(first).flatMap { first in level(second).map { "\(first) and \($0)" } }
  }
}
