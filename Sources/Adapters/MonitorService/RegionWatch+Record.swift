import BeaconAdvertising
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
      monitoring.source.hearsBeacons ? watch.note : "this device listens for no beacons: source is \"none\" in beaconmon.toml"
    case .circle(let watch): watch.note(monitoring.lastFix)
    }
  }
}

extension BeaconWatch {
  fileprivate var note: String? {
    guard let nameless = withoutDistance else { return nil }
    let beacon = "beacon \(nameless.beacon.major)/\(nameless.beacon.minor)"
    guard nameless.rssi != nil else { return "no distance: \(beacon) is heard without an RSSI" }
    return
      "no distance: \(beacon) sends a measured power of \(nameless.measuredPower) dBm, which no beacon has at 1 m; set it in the beacon"
  }
}

extension CircleWatch {
  fileprivate func note(_ fix: Fix?) -> String? {
    guard let fix else { return state == .unknown ? "no fix tells where the device is; see [location] in the config" : nil }
    let (accuracy, radius) = (whole(fix.accuracy), whole(region.circle.radius))
    if fix.accuracy > region.circle.radius {
      return "fixes of ± \(accuracy) m are too coarse for a radius of \(radius) m and change nothing; widen it, or find a finer source"
    }
    if fix.accuracy > region.circle.radius / 2 {
      return "a radius of \(radius) m is small for fixes of ± \(accuracy) m; with \(whole(2 * fix.accuracy)) m it works better"
    }
    guard state == .unknown else { return nil }
    guard isGoingIn else { return "the device is so near the boundary that nobody can tell" }
    return "the device is inside, and enters when it has been for \(CircularRegion.hold.text)"
  }

  private func whole(_ metres: Double) -> String { Decimal.text(metres.rounded(.up), decimals: 0) ?? "many" }
}
