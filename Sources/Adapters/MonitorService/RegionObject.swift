import BeaconAdvertising
import DBus
import Events
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Records
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
    object?.propertiesChanged(MonitorNames.region, RegionProperty.ofTransition.map(\.name))
  }

  /// Takes over the current definition of the region of this identifier, and announces its properties if it has changed.
  func redefine(as region: Region) {
    guard region != self.region else { return }
    let kinds = Set([region.kind, self.region.kind])
    self.region = region
    object?.propertiesChanged(MonitorNames.region, RegionProperty.namesOfDefinition(kinds))
  }

  private static func interface(_ identifier: String, _ monitoring: MonitoringService) -> DBusInterface {
    DBusInterface(
      MonitorNames.region,
      methods: [
        DBusMethod("RequestState", out: [DBusArgument("details", "a{sv}")]) { [unowned monitoring] (_) throws(DBusError) in
          [monitoring.watch(identifier, of: .config)?.report(monitoring).record.dbusValue ?? .options([])]
        }
      ],
      properties: RegionProperty.all.map { $0.of(identifier, monitoring) })
  }
}
