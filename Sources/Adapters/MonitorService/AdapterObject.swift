import BeaconAdvertising
import Beacons
import DBus
import Instants
import MonitorProtocol
import Monitoring
import Radios

/// The bus object of one adapter.
final class AdapterObject {
  private var object: ExportedObject?
  private unowned let monitoring: MonitoringService
  private var told: AdapterHealth
  private var toldOffset: Double

  init(_ tree: ObjectTree, _ adapter: AdapterHealth, monitoring: MonitoringService) throws(DBusError) {
    self.monitoring = monitoring
    told = adapter
    toldOffset = monitoring.rssiOffset(of: adapter.number)
    object = try tree.export(MonitorNames.path(ofAdapter: adapter.address), [Self.interface(adapter.address, monitoring)], for: .insiders)
  }

  /// Takes over the adapter's health and announces changed properties, except those of reports, which always change.
  func update(_ adapter: AdapterHealth) {
    var changed: [String] = []
    if adapter.name != told.name { changed.append("Name") }
    if adapter.state != told.state { changed += ["State", "Since"] }
    if adapter.note != told.note { changed.append("Note") }
    let offset = monitoring.rssiOffset(of: adapter.number)
    if offset != toldOffset { changed.append("RssiOffset") }
    (told, toldOffset) = (adapter, offset)
    if !changed.isEmpty { object?.propertiesChanged(MonitorNames.adapter, changed) }
  }

  private static func interface(_ address: BluetoothAddress, _ monitoring: MonitoringService) -> DBusInterface {
    func property(
      _ name: String, _ signature: String, change: DBusProperty.Change = .value, _ read: @escaping (AdapterHealth) -> DBusValue?
    ) -> DBusProperty {
      DBusProperty(name, signature, change: change) { [unowned monitoring] in
        monitoring.source.adapters.first { $0.address == address }.flatMap(read)
      }
    }
    func time(_ instant: Instant) -> DBusValue { .uint64(UInt64(max(0, monitoring.wallClock(instant).microseconds))) }
    return DBusInterface(
      MonitorNames.adapter,
      properties: [
        DBusProperty("Address", "s", change: .constant) { .string(address.description) },
        property("Name", "s") { $0.name.map { .string($0) } },
        property("State", "s") { .string($0.state.rawValue) },
        property("Since", "t") { time($0.since) },
        property("ReportsPerSecond", "d", change: .silent) { .double(($0.reportsPerSecond * 10).rounded() / 10) },
        property("LastReport", "t", change: .silent) { $0.lastReport.map { time($0) } },
        property("Note", "s") { $0.note.map { .string($0) } },
        property("RssiOffset", "d") { [unowned monitoring] in .double(monitoring.rssiOffset(of: $0.number)) },
      ])
  }
}

extension AdapterHealth {
  fileprivate var note: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }
}
