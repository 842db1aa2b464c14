import BeaconAdvertising
import DBus
import Instants
import Proximity
import Records
import Regions

/// One region of the config on the bus.
final class RegionObject {
  private var object: ExportedObject?
  private var region: BeaconRegion

  init(_ tree: ObjectTree, _ region: BeaconRegion, model: any MonitorModel) throws(DBusError) {
    self.region = region
    object = try tree.export(MonitorNames.path(ofRegion: region.identifier), [Self.interface(region.identifier, model)], for: .insiders)
  }

  func stateChanged() {
    object?.propertiesChanged(MonitorNames.region, ["State", "Since", "Beacon"])
  }

  /// The region of the same identifier may have another definition now; nobody is told of one that is the same.
  func redefine(as region: BeaconRegion) {
    guard region != self.region else { return }
    self.region = region
    object?.propertiesChanged(MonitorNames.region, ["State", "Since", "Beacon"] + Self.definition)
  }

  /// The properties that change with the config only.
  private static let definition = [
    "Uuid", "Major", "Minor", "ExitDelay", "LearnsExitDelay", "Within", "LeaveBeyond", "Hold", "MinimumRssi", "EnterSightings", "EnterTime",
    "Dwell", "Assume", "NotifyOnEntry", "NotifyOnExit",
  ]

  private static func interface(_ identifier: String, _ model: any MonitorModel) -> DBusInterface {
    func property(
      _ name: String, _ signature: String, change: DBusProperty.Change = .value, _ read: @escaping (RegionWatch) -> DBusValue?
    ) -> DBusProperty {
      DBusProperty(name, signature, change: change) { [unowned model] in model.watch(identifier, of: .config).flatMap(read) }
    }
    func time(_ instant: Instant) -> DBusValue { .uint64(UInt64(max(0, model.wallClock(instant).microseconds))) }
    return DBusInterface(
      MonitorNames.region,
      methods: [
        DBusMethod("RequestState", out: [DBusArgument("details", "a{sv}")]) { [unowned model] (_) throws(DBusError) in
          [model.watch(identifier, of: .config)?.stateRecord(model).dbusValue ?? .options([])]
        }
      ],
      properties: [
        DBusProperty("Identifier", "s", change: .constant) { .string(identifier) },
        DBusProperty("Kind", "s", change: .constant) { .string("beacon") },
        property("State", "s") { .string($0.state.rawValue) },
        property("Since", "t") { [unowned model] in model.isClockKnown ? time($0.since) : nil },
        property("Beacon", "a{sv}") { $0.lastSatisfied.map { $0.beacon.record.dbusValue } },
        property("LastSeen", "t", change: .silent) { $0.lastSatisfied.map { time($0.lastSeen) } },
        property("Note", "s", change: .silent) { $0.note.map { .string($0) } },
        property("Flaps", "t", change: .silent) { [unowned model] in .uint64(UInt64($0.flapping(at: model.now).count)) },
        property("Advice", "s", change: .silent) { [unowned model] in ($0.flapping(at: model.now).advice?.text).map { .string($0) } },
        property("Uuid", "s") { .string($0.region.constraint.uuid.description) },
        property("Major", "q") { $0.region.constraint.major.map { .uint16($0) } },
        property("Minor", "q") { $0.region.constraint.minor.map { .uint16($0) } },
        property("ExitDelay", "s") { .string($0.region.exitDelay.text) },
        property("LearnsExitDelay", "b") { .boolean($0.region.learnsExitDelay) },
        property("LearnedExitDelay", "s", change: .silent) { $0.exitDelay > $0.region.exitDelay ? .string($0.exitDelay.text) : nil },
        property("Within", "d") { ($0.region.nearness?.within).map { .double($0) } },
        property("LeaveBeyond", "d") { ($0.region.nearness?.leaveBeyond).map { .double($0) } },
        property("Hold", "s") { ($0.region.nearness?.hold).map { .string($0.text) } },
        property("MinimumRssi", "d") { $0.region.minimumRSSI.map { .double($0) } },
        property("EnterSightings", "q") { ($0.region.entry?.sightings).map { .uint16(UInt16(clamping: $0)) } },
        property("EnterTime", "s") { ($0.region.entry?.within).map { .string($0.text) } },
        property("Dwell", "s") { $0.region.dwell.map { .string($0.text) } },
        property("Assume", "s") { $0.region.assumed == .unknown ? nil : .string($0.region.assumed.rawValue) },
        property("NotifyOnEntry", "b") { .boolean($0.region.notifyOnEntry) },
        property("NotifyOnExit", "b") { .boolean($0.region.notifyOnExit) },
      ])
  }
}

extension Flapping.Advice {
  /// The setting as the config has it.
  fileprivate var text: String {
    switch self {
    case .exitDelay(let delay): "exit-delay = \"\(delay.text)\""
    case .leaveBeyond(let metres): "leave-beyond = \(metres)"
    case .enterSightings(let count): "enter-sightings = \(count)"
    }
  }
}
