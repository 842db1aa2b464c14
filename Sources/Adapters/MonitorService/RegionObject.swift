import BeaconAdvertising
import DBus
import Events
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Regions

/// The bus object of one configured region.
final class RegionObject {
  private var object: ExportedObject?
  private var region: Region

  init(_ tree: ObjectTree, _ region: Region, monitoring: MonitoringService) throws(DBusError) {
    self.region = region
    let identifier = region.identifier
    object = try tree.export(MonitorNames.path(ofRegion: identifier), for: .insiders) { [unowned monitoring] in
      [Self.interface(identifier, monitoring)]
    }
  }

  func stateChanged() {
    object?.propertiesChanged(MonitorNames.region, ["State", "Since", "Beacon"])
  }

  /// Takes over the current definition of the region of this identifier, and announces its properties if it has changed.
  func redefine(as region: Region) {
    guard region != self.region else { return }
    let kinds = Set([region.kind, self.region.kind])
    self.region = region
    let names = ["State", "Since", "Beacon"] + Self.shared + kinds.sorted { $0.rawValue < $1.rawValue }.flatMap(Self.own)
    object?.propertiesChanged(MonitorNames.region, names)
  }

  /// The properties that change only with the config.
  private static let shared = ["Kind", "Dwell", "Assume", "NotifyOnEntry", "NotifyOnExit"]

  private static func own(_ kind: RegionKind) -> [String] {
    switch kind {
    case .beacon:
      [
        "Uuid", "Major", "Minor", "ExitDelay", "LearnsExitDelay", "Within", "LeaveBeyond", "Hold", "MinimumRssi", "EnterSightings",
        "EnterTime",
      ]
    case .circle: ["Latitude", "Longitude", "Radius", "ScanOnlyNear", "ScanOnlyBelow"]
    }
  }

  private static func interface(_ identifier: String, _ monitoring: MonitoringService) -> DBusInterface {
    let source = RegionPropertySource(identifier, monitoring)
    return DBusInterface(
      MonitorNames.region,
      methods: [
        DBusMethod("RequestState", out: [DBusArgument("details", "a{sv}")]) { [unowned monitoring] (_) throws(DBusError) in
          [
            monitoring.watch(identifier, of: .config)?.stateRecord(monitoring).dbusValue ?? .options([])
          ]
        }
      ],
      properties: source.ofState + source.ofBeacons + source.ofDefinition + source.ofCircle)
  }
}
