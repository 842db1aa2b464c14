import EventActions
import Events
import Instants

extension FleetWatch {
  /// Adds the states of named beacons, and of devices that receive none of their beacons.
  ///
  /// The silence of a beacon counts while the device that heard it last works. If a device has lost all of its beacons, the device is
  /// suspected instead of them.
  func beacons(_ seen: FleetObservation, since listening: Instant?, _ states: inout [AlertKey: WatchedState]) {
    let devices = Dictionary(seen.devices.map { ($0.fullName, $0) }) { $1 }
    let places = Dictionary(grouping: seen.beacons) { "\($0.site).\($0.device ?? "")" }
    for (place, beacons) in places {
      let device = devices[place]
      let found = beacons.map { state(of: $0, at: device, seen.now, since: listening) }
      guard let device else {
        for (beacon, state) in zip(beacons, found) { states[beacon.key] = state }
        continue
      }
      let isDeaf = beacons.count > 1 && found.allSatisfy { if case .bad = $0 { true } else { false } }
      let key = AlertKey(.deviceDeaf, place)
      let last = beacons.lazy.map(\.seen).max() ?? seen.now
      if isDeaf {
        states[key] = .bad(
          Problem(
            site: device.site, device: device.name, since: last,
            text: "\(place) works, and has heard none of its \(beacons.count) named beacons since \(last.minute); its receiver may be deaf")
        )
      } else {
        states[key] = found.contains(where: \.isGood) ? .good(at: last) : .unknown
      }
      for (beacon, state) in zip(beacons, found) { states[beacon.key] = isDeaf ? .unknown : state }
    }
  }

  private func state(
    of beacon: FleetObservation.Beacon, at device: FleetObservation.Device?, _ now: Instant, since listening: Instant?
  ) -> WatchedState {
    if now - beacon.seen < limits.missing { return .good(at: beacon.seen) }
    guard let listening, let device, !device.hasProblems, now - device.heard < gap, let presence = record[.device(device.fullName)],
      now - max(beacon.seen, presence.since, listening) >= limits.missing
    else { return .unknown }
    return .bad(
      Problem(
        site: beacon.site, device: device.name, since: beacon.seen,
        text:
          "the beacon \"\(beacon.name)\" (\(beacon.identity)) was heard last at \(beacon.seen.minute) by \(device.fullName), which works"))
  }
}

extension FleetObservation.Beacon {
  fileprivate var key: AlertKey { AlertKey(.beaconMissing, "\(site)/\(identity)") }
}
