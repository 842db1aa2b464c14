import BeaconAdvertising
import Beacons
import DBus
import Instants
import MonitorProtocol
import Monitoring
import RadioHealth
import Records
import Status

/// The bus object of one adapter.
final class AdapterObject {
  private var object: ExportedObject?
  private unowned let monitoring: MonitoringService
  private var reported: AdapterHealth
  private var reportedOffset: Double

  init(_ tree: ObjectTree, _ adapter: AdapterHealth, monitoring: MonitoringService) throws(DBusError) {
    self.monitoring = monitoring
    reported = adapter
    reportedOffset = monitoring.rssiOffset(of: adapter.number)
    object = try tree.export(MonitorNames.path(ofAdapter: adapter.address), [Self.interface(adapter.address, monitoring)], for: .insiders)
  }

  /// Takes over the adapter's health and announces changed properties, except those of reports, which always change.
  func update(_ adapter: AdapterHealth) {
    var changed: [String] = []
    if adapter.name != reported.name { changed.append("Name") }
    if adapter.state != reported.state { changed += ["State", "Since"] }
    if adapter.note != reported.note { changed.append("Note") }
    let offset = monitoring.rssiOffset(of: adapter.number)
    if offset != reportedOffset { changed.append("RssiOffset") }
    (reported, reportedOffset) = (adapter, offset)
    if !changed.isEmpty { object?.propertiesChanged(MonitorNames.adapter, changed) }
  }

  private static func interface(_ address: BluetoothAddress, _ monitoring: MonitoringService) -> DBusInterface {
    func property<Value: Sendable>(
      _ path: WritableKeyPath<AdapterStatus, Value?>, change: DBusProperty.Change = .value, _ read: @escaping (AdapterHealth) -> Value?
    ) -> DBusProperty {
      DBusProperty(AdapterStatus.key(path), change: change) { [unowned monitoring] in
        monitoring.source.adapters.first { $0.address == address }.flatMap(read)
      }
    }
    return DBusInterface(
      MonitorNames.adapter,
      properties: [
        DBusProperty(AdapterStatus.key(\.address), change: .constant) { address },
        property(\.name) { $0.name },
        property(\.state) { $0.state },
        property(\.since) { [unowned monitoring] in monitoring.wallClock($0.since) },
        property(\.reportsPerSecond, change: .silent) { $0.reportsPerSecond },
        property(\.lastReport, change: .silent) { [unowned monitoring] in $0.lastReport.map(monitoring.wallClock) },
        property(\.note) { $0.note },
        property(\.rssiOffset) { [unowned monitoring] in monitoring.rssiOffset(of: $0.number) },
      ])
  }
}

extension AdapterHealth {
  var note: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }
}
