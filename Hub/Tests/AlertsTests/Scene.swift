import Alerts
import EventActions
import Events
import Instants

/// A fleet whose clock a test advances, checked every few seconds.
struct Scene {
  /// The time between two checks and between two messages of a device.
  var step = Span.seconds(10)
  private(set) var now = Instant(microseconds: 1_800_000_000_000_000)
  var watch: FleetWatch
  var alerts: OpenAlerts
  var observation: FleetObservation
  /// The devices that send nothing.
  var silent: Set<String> = []
  /// The beacons that no device hears.
  var lost: Set<String> = []
  private(set) var changes: [String] = []

  /// - Parameter sites: the number of devices of each site
  init(sites: [String: Int] = ["berlin": 3, "paris": 2], beacons: [String] = []) {
    watch = FleetWatch(AlertLimits())
    alerts = OpenAlerts(steady: AlertLimits().steady)
    observation = FleetObservation(now: now)
    for (site, count) in sites {
      for number in 1...count { observation.devices.append(FleetObservation.Device(site: site, name: "d\(number)", heard: now)) }
    }
    for name in beacons {
      observation.beacons.append(FleetObservation.Beacon(site: "berlin", identity: name, name: name, device: "d1", seen: now))
    }
  }

  /// Lets time pass. The devices send before each check.
  ///
  /// - Parameter late: devices that send once more only after this number of seconds
  mutating func pass(_ seconds: Double, late: [String: Double] = [:]) {
    let start = now
    let end = now + .seconds(seconds)
    while now < end {
      now += step
      observation.now = now
      for index in observation.devices.indices {
        let name = observation.devices[index].fullName
        guard !silent.contains(name), now - start >= .seconds(late[name] ?? 0) else { continue }
        observation.devices[index].heard = now
        observation.devices[index].hasSent = true
      }
      for index in observation.beacons.indices {
        let beacon = observation.beacons[index]
        guard !lost.contains(beacon.name), !silent.contains("\(beacon.site).\(beacon.device ?? "")") else { continue }
        observation.beacons[index].seen = now
      }
      check()
    }
  }

  /// Lets time pass in which neither the hub nor this program runs.
  mutating func stop(_ seconds: Double) { now += .seconds(seconds) }

  /// Enrols a device now, which has sent nothing yet.
  mutating func enrol(_ site: String, _ name: String, expectedIn seconds: Double = 0) {
    var device = FleetObservation.Device(site: site, name: name, heard: now + .seconds(seconds))
    device.hasSent = false
    observation.devices.append(device)
    silent.insert(device.fullName)
  }

  mutating func change(_ name: String, _ body: (inout FleetObservation.Device) -> Void) {
    for index in observation.devices.indices where observation.devices[index].fullName == name { body(&observation.devices[index]) }
  }

  /// Replaces the program by another one, which reads what was stored.
  mutating func restart() {
    watch = FleetWatch(watch.limits, PresenceRecord(watch.record.presences))
    alerts = OpenAlerts(steady: watch.limits.steady, open: Array(alerts.open.values))
  }

  private mutating func check() {
    for change in alerts.apply(watch.states(observation), at: now) {
      switch change {
      case .opened(let alert): changes.append("\(alert.key.kind.rawValue) \(alert.key.subject)")
      case .ended(let alert, _, _): changes.append("end of \(alert.key.kind.rawValue) \(alert.key.subject)")
      case .calmed: break
      }
    }
  }

  /// Returns the changes since the last call.
  mutating func news() -> [String] {
    defer { changes = [] }
    return changes
  }

  mutating func silence(_ site: String) { silent.formUnion(observation.devices.lazy.filter { $0.site == site }.map(\.fullName)) }
}
