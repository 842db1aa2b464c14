import BeaconAdvertising
import Beacons
import DBus
import Events
import Geodesy
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Records
import Regions

/// The properties of a configured region's object. Properties that do not apply to its kind are absent.
struct RegionPropertySource {
  private let identifier: String
  private unowned let monitoring: MonitoringService

  init(_ identifier: String, _ monitoring: MonitoringService) {
    self.identifier = identifier
    self.monitoring = monitoring
  }

  var ofState: [DBusProperty] {
    [
      DBusProperty("Identifier", "s", change: .constant) { [identifier] in .string(identifier) },
      property("Kind", "s") { .string($0.region.kind.rawValue) },
      property("State", "s") { .string($0.state.rawValue) },
      property("Since", "t") { [unowned monitoring] in
        monitoring.isClockKnown ? time($0.since) : nil
      },
      beacon("Beacon", "a{sv}") { $0.lastSatisfied.map { $0.beacon.record.dbusValue } },
      beacon("LastSeen", "t", change: .silent) { $0.lastSatisfied.map { time($0.lastSeen) } },
      property("Note", "s", change: .silent) { [unowned monitoring] in $0.note(monitoring).map { .string($0) } },
      property("Flaps", "t", change: .silent) { [unowned monitoring] in .uint64(UInt64($0.flapping(at: monitoring.now).count)) },
      property("Advice", "s", change: .silent) { [unowned monitoring] in ($0.flapping(at: monitoring.now).advice?.text).map { .string($0) }
      },
    ]
  }

  var ofDefinition: [DBusProperty] {
    [
      property("Dwell", "s") { ($0.region.dwell?.text).map { .string($0) } },
      property("Assume", "s") { $0.region.assumed == .unknown ? nil : .string($0.region.assumed.rawValue) },
      property("NotifyOnEntry", "b") { .boolean($0.region.notifyOnEntry) },
      property("NotifyOnExit", "b") { .boolean($0.region.notifyOnExit) },
    ]
  }

  var ofBeacons: [DBusProperty] {
    [
      beacon("Uuid", "s") { .string($0.region.constraint.uuid.description) },
      beacon("Major", "q") { $0.region.constraint.major.map { .uint16($0) } },
      beacon("Minor", "q") { $0.region.constraint.minor.map { .uint16($0) } },
      beacon("ExitDelay", "s") { .string($0.region.exitDelay.text) },
      beacon("LearnsExitDelay", "b") { .boolean($0.region.learnsExitDelay) },
      beacon("LearnedExitDelay", "s", change: .silent) { $0.exitDelay > $0.region.exitDelay ? .string($0.exitDelay.text) : nil },
      beacon("Within", "d") { ($0.region.nearness?.within).map { .double($0) } },
      beacon("LeaveBeyond", "d") { ($0.region.nearness?.leaveBeyond).map { .double($0) } },
      beacon("Hold", "s") { ($0.region.nearness?.hold).map { .string($0.text) } },
      beacon("MinimumRssi", "d") { $0.region.minimumRSSI.map { .double($0) } },
      beacon("EnterSightings", "q") { ($0.region.entry?.sightings).map { .uint16(UInt16(clamping: $0)) } },
      beacon("EnterTime", "s") { ($0.region.entry?.within).map { .string($0.text) } },
    ]
  }

  var ofCircle: [DBusProperty] {
    [
      circle("Latitude", "d") { .double($0.region.circle.center.latitude) },
      circle("Longitude", "d") { .double($0.region.circle.center.longitude) },
      circle("Radius", "d") { .double($0.region.circle.radius) },
      circle("BoundaryDistance", "d", change: .silent) { [unowned monitoring] watch in
        monitoring.lastFix.map { .double(Decimal.rounded(watch.boundaryDistance(to: $0), decimals: 2)) }
      },
      circle("FixTime", "t", change: .silent) { [unowned monitoring] _ in
        monitoring.lastFix.map { time($0.time) }
      },
      circle("ScanOnlyNear", "b") { .boolean($0.region.gate != nil) },
      circle("ScanOnlyBelow", "d") { ($0.region.gate?.mostSpeed).map { .double($0) } },
    ]
  }

  private func property(
    _ name: String, _ signature: String, change: DBusProperty.Change = .value, _ read: @escaping (RegionWatch) -> DBusValue?
  ) -> DBusProperty {
    DBusProperty(name, signature, change: change) { [unowned monitoring, identifier] in
      monitoring.watch(identifier, of: .config).flatMap(read)
    }
  }

  private func beacon(
    _ name: String, _ signature: String, change: DBusProperty.Change = .value, _ read: @escaping (BeaconWatch) -> DBusValue?
  ) -> DBusProperty {
    property(name, signature, change: change) { $0.beacon.flatMap(read) }
  }

  private func circle(
    _ name: String, _ signature: String, change: DBusProperty.Change = .value, _ read: @escaping (CircleWatch) -> DBusValue?
  ) -> DBusProperty {
    property(name, signature, change: change) { $0.circle.flatMap(read) }
  }

  private func time(_ instant: Instant) -> DBusValue { .uint64(UInt64(max(0, monitoring.wallClock(instant).microseconds))) }
}

extension Flapping.Advice {
  /// The setting in the syntax of the config.
  fileprivate var text: String {
    switch self {
    case .exitDelay(let delay): "exit-delay = \"\(delay.text)\""
    case .leaveBeyond(let metres): "leave-beyond = \(metres)"
    case .enterSightings(let count): "enter-sightings = \(count)"
    case .radius(let metres): "radius = \(metres)"
    }
  }
}
