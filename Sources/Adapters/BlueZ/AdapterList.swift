import DBus
import Instants

/// The adapters that bluetoothd lists at one moment.
public enum AdapterList {
  public struct Entry: Hashable, Sendable {
    /// The kernel's name: `hci0`.
    public let name: String
    public let isPowered: Bool
    /// Whether it discovers for any program.
    public let isDiscovering: Bool
    public let hasMonitors: Bool
  }

  /// Asks bluetoothd, without starting it.
  ///
  /// - Parameter service: the unique name of bluetoothd on the bus.
  public static func read(
    _ connection: DBusConnection, service: String, timeout: Span, completion: @escaping (Result<[Entry], DBusError>) -> Void
  ) {
    connection.call(
      destination: service, path: "/", interface: BlueZName.objectManager, member: "GetManagedObjects", timeout: timeout
    ) { reply in completion(reply.map { ($0.first?.entries ?? []).compactMap(entry).sorted { $0.name < $1.name } }) }
  }

  private static func entry(_ object: DBusValue.Entry) -> Entry? {
    guard let path = object.key.objectPath, let name = path.split(separator: "/").last.map(String.init),
      let facts = AdapterFacts(interfaces: object.value)
    else { return nil }
    return Entry(name: name, isPowered: facts.isPowered, isDiscovering: facts.isDiscovering, hasMonitors: facts.hasMonitors)
  }
}
