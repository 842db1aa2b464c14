/// The audience that can see an object; for other callers it does not exist.
public enum Audience: Hashable, Sendable {
  case everybody
  /// The callers that the tree calls insiders.
  case insiders
  /// The one unique name.
  case only(String)

  /// The one unique name; nil for an audience of more than one.
  var name: String? {
    if case .only(let name) = self { name } else { nil }
  }
}

/// An object that other processes can see for as long as it is held.
public final class ExportedObject {
  public let path: String
  public let audience: Audience
  private let makeInterfaces: () -> [DBusInterface]
  private weak var tree: ObjectTree?

  init(tree: ObjectTree, path: String, audience: Audience, making makeInterfaces: @escaping () -> [DBusInterface]) {
    self.tree = tree
    self.path = path
    self.audience = audience
    self.makeInterfaces = makeInterfaces
  }

  public var interfaces: [DBusInterface] { makeInterfaces() }

  var connection: DBusConnection? { tree?.connection }

  deinit {
    tree?.remove(path: path, interfaces: interfaces, audience: audience)
  }

  func interface(_ name: String) -> DBusInterface? { interfaces.first { $0.name == name } }

  /// Sends a signal of this object to the object's one name, else to `destination`, else to all subscribers.
  /// It throws while the connection is down, and if the interface declares no such signal or another type.
  public func emit(_ interface: String, _ signal: String, _ arguments: [DBusValue] = [], to destination: String? = nil) throws(DBusError) {
    guard let declared = self.interface(interface)?.signals.first(where: { $0.name == signal }) else {
      throw .invalidArguments("\(interface) of \(path) declares no signal \(signal)")
    }
    let (actual, expected) = (arguments.signature, declared.arguments.map(\.signature).joined())
    guard actual == expected else {
      throw .invalidArguments("\(interface).\(signal) carries (\(expected)), not (\(actual))")
    }
    try tree?.connection?.emit(path: path, interface: interface, member: signal, arguments, to: audience.name ?? destination)
  }

  /// Announces changed properties, each as its `change` requires; a property without a value is announced as invalidated.
  /// While the connection is down, nothing is sent: a client that comes later reads the current values.
  public func propertiesChanged(_ interface: String, _ names: [String]) {
    guard let connection = tree?.connection, connection.uniqueName != nil, let declared = self.interface(interface) else { return }
    var changed: [(String, DBusValue)] = []
    var invalidated: [String] = []
    for property in declared.properties where names.contains(property.name) {
      switch (property.change, property.read()) {
      case (.value, .some(let value)): changed.append((property.name, value))
      case (.value, nil), (.invalidates, _): invalidated.append(property.name)
      case (.constant, _), (.silent, _): break
      }
    }
    guard !changed.isEmpty || !invalidated.isEmpty else { return }
    let arguments: [DBusValue] = [.string(interface), .options(changed), .strings(invalidated)]
    do {
      try connection.emit(path: path, interface: StandardName.properties, member: "PropertiesChanged", arguments, to: audience.name)
    } catch {
      connection.onTrouble(DBusError(name: error.name, message: "\(path): PropertiesChanged was not sent: \(error.message)"))
    }
  }
}

extension DBusInterface {
  /// Returns the properties that have a value, `a{sv}`.
  func propertyValues(forInsider isInsider: Bool = true) -> DBusValue {
    .options(properties.compactMap { property in isInsider || property.isOpen ? property.read().map { (property.name, $0) } : nil })
  }
}

extension [DBusInterface] {
  /// Returns the object's interfaces and properties, `a{sa{sv}}`, as ObjectManager shows them.
  func propertyValues(forInsider isInsider: Bool = true) -> DBusValue {
    .dictionary(key: "s", value: "a{sv}", map { .init(.string($0.name), $0.propertyValues(forInsider: isInsider)) })
  }
}

/// The interfaces that every object has (D-Bus specification, "Standard Interfaces").
public enum StandardName {
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let peer = "org.freedesktop.DBus.Peer"
  public static let properties = "org.freedesktop.DBus.Properties"
}
