import BeaconAdvertising
import Proximity
import Records
import Regions

extension RegionWatch {
  /// How things stand, as an event would tell it, and in `note` what keeps the region from working.
  func stateRecord(_ model: any MonitorModel) -> Record {
    Record([
      "state": .text(state.rawValue), "since": model.isClockKnown ? .time(model.wallClock(since)) : nil,
      "beacon": lastSatisfied.map { .record($0.beacon.record) }, "lastSeen": lastSatisfied.map { .time(model.wallClock($0.lastSeen)) },
      "note": note.map { .text($0) },
    ])
  }

  /// What keeps the region from working, and what to do; nil when nothing does.
  var note: String? {
    guard let nameless = withoutDistance else { return nil }
    let beacon = "beacon \(nameless.beacon.major)/\(nameless.beacon.minor)"
    guard nameless.rssi != nil else { return "no distance: \(beacon) is heard without an RSSI" }
    return
      "no distance: \(beacon) sends a measured power of \(nameless.measuredPower) dBm, which no beacon has at 1 m; set it in the beacon"
  }
}
