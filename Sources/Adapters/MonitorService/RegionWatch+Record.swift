import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Records
import Regions

extension RegionWatch {
  /// Returns the region's state with the keys of an event, and in `note` the reason why the region does not work.
  func stateRecord(_ monitoring: MonitoringService) -> Record {
    let evidence = beacon?.lastSatisfied
    let fix = circle == nil ? nil : monitoring.lastFix
    return Record([
      "state": .text(state.rawValue), "since": monitoring.isClockKnown ? .time(monitoring.wallClock(since)) : nil,
      "beacon": evidence.map { .record($0.beacon.record) }, "lastSeen": evidence.map { .time(monitoring.wallClock($0.lastSeen)) },
      "location": fix.map { .record($0.record) }, "fixTime": fix.map { .time(monitoring.wallClock($0.time)) },
      "boundaryDistance": fix.flatMap { fix in circle.map { .metres($0.boundaryDistance(to: fix)) } },
      "note": note(monitoring).map { .text($0) },
    ])
  }

  /// Returns the reason why the region does not work, with its remedy; nil if it works.
  func note(_ monitoring: MonitoringService) -> String? {
    switch self {
    case .beacon(let watch):
      // An app may have registered the region when the device had a source.
      monitoring.source.hearsBeacons ? watch.note : "this device does not scan for beacons, because source is \"none\" in beaconmon.toml"
    case .circle(let watch): watch.note(monitoring.lastFix)
    }
  }
}

extension BeaconWatch {
  fileprivate var note: String? {
    guard let nameless = withoutDistance else { return nil }
    let beacon = "beacon \(nameless.beacon.major)/\(nameless.beacon.minor)"
    guard nameless.rssi != nil else { return "no distance: \(beacon) is received without an RSSI" }
    return
      "no distance: \(beacon) advertises a measured power of \(nameless.measuredPower) dBm, which is impossible at 1 m; correct it in the beacon"
  }
}

extension CircleWatch {
  fileprivate func note(_ fix: Fix?) -> String? {
    guard let fix else { return state == .unknown ? "no location source has a fix; see [location] in the config" : nil }
    let (accuracy, radius) = (whole(fix.accuracy), whole(region.circle.radius))
    if fix.accuracy > region.circle.radius {
      return
        "fixes of ± \(accuracy) m are too inaccurate for a radius of \(radius) m and have no effect; increase the radius, or add a more accurate source"
    }
    if fix.accuracy > region.circle.radius / 2 {
      return "a radius of \(radius) m is small for fixes of ± \(accuracy) m; use at least \(whole(2 * fix.accuracy)) m"
    }
    guard state == .unknown else { return nil }
    guard isGoingIn else { return "the device is too near the boundary to decide" }
    return "the device is inside; the enter follows after \(CircularRegion.hold.text)"
  }

  private func whole(_ metres: Double) -> String { Decimal.text(metres.rounded(.up), decimals: 0) ?? "many" }
}
