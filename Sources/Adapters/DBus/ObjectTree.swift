/// The objects of a connection, and the answers to all calls to them.
///
/// In addition to the declared methods, the tree answers Introspectable, Properties and, at its root, ObjectManager; libdbus answers
/// Peer. A call to a missing object or member gets an error that names the existing ones. An object does not exist for callers outside
/// its audience.
public final class ObjectTree {
  private(set) weak var connection: DBusConnection?
  /// The path whose ObjectManager lists everything below it; nil for none.
  public let managerPath: String?
  /// Receives the caller's unique name before a call is dispatched.
  /// It returns false if it will call back once `isInsider` can answer.
  public var identify: (String, @escaping () -> Void) -> Bool = { _, _ in true }
  /// Returns whether a unique name may see the objects for insiders.
  public var isInsider: (String) -> Bool = { _ in true }
  /// Whether the tree sends signals when an object for one name alone comes or goes; set false to suppress them.
  /// The client that requested the object knows it without them, and the bus policy may keep such signals from the client.
  public var announcesPrivateObjects = true
  private(set) lazy var standardInterfaces = makeStandardInterfaces()
  private var objects: [String: Entry] = [:]

  private struct Entry {
    weak var object: ExportedObject?
  }

  /// Takes the connection's calls as long as the tree is held; a connection has one tree.
  public init(connection: DBusConnection, managerPath: String? = nil) {
    self.connection = connection
    self.managerPath = managerPath
    connection.onCall = { [weak self] in self?.receive($0) ?? false }
  }

  /// Exports an object with interfaces.
  /// It throws if the path is invalid or has an object, and if an interface declares invalid names or types.
  public func export(_ path: String, _ interfaces: [DBusInterface], for audience: Audience = .everybody) throws(DBusError) -> ExportedObject
  {
    try export(path, for: audience) { interfaces }
  }

  /// Exports an object whose interfaces are made for each call.
  /// This saves memory for many objects that get few calls.
  public func export(_ path: String, for audience: Audience, making makeInterfaces: @escaping () -> [DBusInterface]) throws(DBusError)
    -> ExportedObject
  {
    let interfaces = makeInterfaces()
    guard BusSyntax.isPath(path) else { throw .invalidArguments("\"\(path)\" is not an object path") }
    guard object(at: path) == nil else { throw .invalidArguments("there is already an object at \(path)") }
    for interface in interfaces { try interface.check() }
    let object = ExportedObject(tree: self, path: path, audience: audience, making: makeInterfaces)
    objects[path] = Entry(object: object)
    announce("InterfacesAdded", [.objectPath(path), interfaces.propertyValues()], of: path, to: audience)
    return object
  }

  func remove(path: String, interfaces: [DBusInterface], audience: Audience) {
    objects[path] = nil
    announce("InterfacesRemoved", [.objectPath(path), .strings(interfaces.map(\.name))], of: path, to: audience)
  }

  // MARK: - Objects

  func object(at path: String) -> ExportedObject? { objects[path]?.object }

  /// Returns the first elements, sorted, of the paths below `path` at which `sender` can see an object.
  func children(of path: String, for sender: String?) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let visible = objects.values.compactMap(\.object).filter { isVisible($0, to: sender) && $0.path != path && $0.path.hasPrefix(prefix) }
    return Set(visible.map { String($0.path.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
  }

  /// Returns the objects below the manager that `sender` can see, by path: `a{oa{sa{sv}}}`.
  func managedObjects(for sender: String?) -> DBusValue {
    let visible = objects.values.compactMap(\.object).filter { isManaged($0.path) && isVisible($0, to: sender) }
    let isInsider = isInsider(sender ?? "")
    let entries = visible.sorted { $0.path < $1.path }.map {
      DBusValue.Entry(.objectPath($0.path), $0.interfaces.propertyValues(forInsider: isInsider))
    }
    return .dictionary(key: "o", value: "a{sa{sv}}", entries)
  }

  func isVisible(_ object: ExportedObject, to sender: String?) -> Bool {
    switch object.audience {
    case .everybody: true
    case .insiders: isInsider(sender ?? "")
    case .only(let owner): owner == sender
    }
  }

  private func isManaged(_ path: String) -> Bool {
    managerPath.map { path != $0 && path.isPath(under: $0) } ?? false
  }

  private func announce(_ member: String, _ arguments: [DBusValue], of path: String, to audience: Audience) {
    guard isManaged(path), audience.name == nil || announcesPrivateObjects else { return }
    guard let connection, let managerPath, connection.uniqueName != nil else { return }
    do {
      try connection.emit(path: managerPath, interface: StandardName.objectManager, member: member, arguments, to: audience.name)
    } catch {
      connection.onTrouble(DBusError(name: error.name, message: "\(member) was not sent: \(error.message)"))
    }
  }

  // MARK: - Calls

  /// The maximum number of values in a call.
  /// A message of a few megabytes may hold millions, each of which becomes many times as large in memory.
  private static let mostValues = 10_000

  private func receive(_ message: DBusMessage) -> Bool {
    guard let link = connection?.link else { return false }
    if identify(message.sender ?? "", { [weak self] in self?.answer(message, on: link) }) { answer(message, on: link) }
    return true
  }

  private func answer(_ message: DBusMessage, on link: BusLink) {
    do throws(DBusError) {
      let method = try method(for: message)
      guard method.isOpen || isInsider(message.sender ?? "") else { throw .accessDenied("\(method.name) is not permitted for this user") }
      guard method.inputSignature == message.signature else {
        let expected = method.inputs.map { "\($0.signature) \($0.name)" }.joined(separator: ", ")
        throw .invalidArguments("\(method.name) takes (\(expected)), not (\(message.signature))")
      }
      guard MessageReader.holds(message.handle, atMost: Self.mostValues) else {
        throw .limitsExceeded("the arguments of \(method.name) have more than \(Self.mostValues) values")
      }
      method.answer(MethodCall(message, link: link, outputSignature: method.outputSignature))
    } catch {
      MethodCall(message, link: link, outputSignature: "").fail(error)
    }
  }

  /// Returns the method for a call; without an interface, the first interface that has the method answers.
  private func method(for message: DBusMessage) throws(DBusError) -> DBusMethod {
    let path = message.path ?? ""
    let member = message.member ?? ""
    let object = object(at: path).flatMap { isVisible($0, to: message.sender) ? $0 : nil }
    guard object != nil || path == managerPath || !children(of: path, for: message.sender).isEmpty else {
      throw .unknownObject("there is no object \(path); introspect / to list the objects")
    }
    guard let name = message.interface else {
      let interfaces = (object?.interfaces ?? []) + standardInterfaces(at: path)
      guard let method = interfaces.lazy.flatMap(\.methods).first(where: { $0.name == member }) else {
        throw .unknownMethod("no interface of \(path) has a method \(member)")
      }
      return method
    }
    guard let interface = object?.interface(name) ?? standardInterfaces(at: path).first(where: { $0.name == name }) else {
      let interfaces = (object?.interfaces ?? []) + standardInterfaces(at: path)
      throw .unknownInterface("\(path) has no interface \(name); it has \(interfaces.map(\.name).joined(separator: ", "))")
    }
    guard let method = interface.methods.first(where: { $0.name == member }) else {
      let names = interface.methods.map(\.name).joined(separator: ", ")
      throw .unknownMethod("\(name) has no method \(member)\(names.isEmpty ? "" : "; it has \(names)")")
    }
    return method
  }
}

extension DBusInterface {
  fileprivate func check() throws(DBusError) {
    guard BusSyntax.isInterface(name) else { throw .invalidArguments("\"\(name)\" is not an interface name") }
    for member in methods.map(\.name) + signals.map(\.name) + properties.map(\.name) where !BusSyntax.isMember(member) {
      throw .invalidArguments("\"\(member)\" of \(name) is not a member name")
    }
    let arguments = methods.flatMap { $0.inputs + $0.outputs } + signals.flatMap(\.arguments)
    for type in arguments.map(\.signature) + properties.map(\.signature) where !BusSyntax.isSingleType(type) {
      throw .invalidArguments("\"\(type)\" in \(name) is not one complete type")
    }
  }
}
