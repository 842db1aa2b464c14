import Beacons
import Events
import Instants
import Records

extension EventExplanation {
  /// Returns the reason for an event at a region.
  func cause(_ reason: Event.Reason, _ kind: RegionKind?) -> String? {
    let metres = kind == .circle ? reason.threshold.map(units.length) : text(reason.threshold, decimals: 2).map { "\($0) m" }
    let threshold = metres ?? "the configured distance"
    let held = reason.hold.map { " for \($0.text)" } ?? ""
    let share = reason.probability?.percent
    switch reason.cause {
    case .approach where kind == .place && share == nil: return "the beacons of the venue or a fix showed the device there\(held)"
    case .departure where kind == .place && share == nil: return "the beacons of the venue were silent, or a fix excluded it\(held)"
    case .approach where kind == .place, .departure where kind == .place:
      return "\(share ?? "") of the probability of its position lay inside\(held)"
    case .approach where kind == .circle: return "the device stayed within \(threshold) of its center\(held)"
    case .departure where kind == .circle: return "the device stayed farther than \(threshold) from its center\(held)"
    case .fix: return "a fix shows it, and no crossing of its boundary was observed before"
    case .passage: return "two consecutive fixes are on opposite sides of it"
    case .locationLost: return "the location of the device was no longer known"
    case .sighting: return "one of its beacons was heard"
    case .approach:
      if let share { return "\(share) of the probability of the device's position lay within \(threshold) of one of its beacons" }
      return "one of its beacons stayed within \(threshold)"
    case .departure:
      if let share { return "only \(share) of the probability of the device's position lay within \(threshold) of one of its beacons" }
      return "each of its beacons in range stayed beyond \(threshold)"
    case .silence: return "none of its beacons was heard for its exit delay\(reason.exitDelay.map { " of \($0.text)" } ?? "")"
    case .stay: return "the visitor stayed\(reason.dwell.map { " for \($0.text)" } ?? "")"
    case .outage: return "the daemon was down for longer than the exit delay, so the visit is over"
    case .receiverLost: return "none of the adapters that heard it could receive any more"
    case .unreadable, .missing, .test, .deadline, .battery, .level, .placement, .addresses, .jumps, .phases: return reason.cause?.rawValue
    case nil: return nil
    }
  }

  /// Returns the last sighting before the event.
  /// `Beacon 1/5 of 8ec76ea3-… at "Lodestone" was last heard 30.0 s before, at 08:50:32.123Z, by hci0, with -78.2 dBm over 212 sightings:
  /// 6.21 m ± 3.4 away, far.`
  func evidence(_ event: Event) -> String {
    if let kind = event.regionKind, kind != .beacon { return location(event) }
    guard let beacon = event.beacon else { return "None of its beacons had been heard." }
    let reason = event.reason
    let place = event.placeName.map { " at \"\($0.printable)\"" } ?? ""
    let name = "\(beacon.major)/\(beacon.minor)"
    let age = reason.lastSeenAge.flatMap { $0 > 0 ? Decimal.text($0, decimals: 1).map { " \($0) s before" } : nil }
    let time = age == nil ? nil : reason.lastSeen.map { ", at \(stamp($0))" }
    let adapter = reason.adapter.map { ", by \($0.printable)" }
    let level = text(event.rssi, decimals: 1).map { rssi in
      ", with \(rssi) dBm\(reason.samples.map { " over \(Count.text($0, "sighting"))" } ?? "")"
    }
    let distance = event.distance.map { metres in
      let measured = MeasurementText(metres, accuracy: event.accuracy)
      let accuracy = measured.accuracy.map { " \(style.plusMinus) \($0)" } ?? ""
      return ": \(measured.value) m\(accuracy) away, \(event.proximity?.rawValue ?? "unknown")"
    }
    return
      "Beacon \(name) of \(beacon.uuid)\(place) was \(age == nil ? "heard then" : "last heard")\(age ?? "")\(time ?? "")\(adapter ?? "")\(level ?? "")\(distance ?? "; its distance is unknown")."
  }

  /// Returns `The last fix, 12.0 s before, was 48.1371540, 11.5754900 ± 8.0 m: 35 m inside the boundary.`
  private func location(_ event: Event) -> String {
    guard let location = event.location, let latitude = text(location.latitude, decimals: 7),
      let longitude = text(location.longitude, decimals: 7)
    else { return "The location of the device was unknown." }
    let age = event.reason.fixAge.flatMap {
      $0 > 0 ? Decimal.text($0, decimals: 1).map { ", \($0) s before," } : nil
    }
    let accuracy = location.horizontalAccuracy.map { " \(style.plusMinus) \(units.length($0))" }
    let boundary = event.boundaryDistance.map {
      ": \(units.boundary($0, accuracy: location.horizontalAccuracy)) the boundary"
    }
    let speed = location.speed.map { ", at \(units.speed($0))" }
    return "The last fix\(age ?? "") was \(latitude), \(longitude)\(accuracy ?? "")\(boundary ?? "")\(speed ?? "")."
  }

  private func text(_ value: Double?, decimals: Int) -> String? { value.flatMap { Decimal.text($0, decimals: decimals) } }
}
