internal import CDBus

/// The interfaces that the tree answers itself (D-Bus specification, "Standard Interfaces").
extension ObjectTree {
  func standardInterfaces(of object: ExportedObject?, at path: String) -> [DBusInterface] {
    var interfaces = [introspectable(object, path), Self.peer, properties(object, path)]
    if path == managerPath { interfaces.append(objectManager) }
    return interfaces
  }

  /// Makes only the requested interface.
  func standardInterface(_ name: String, of object: ExportedObject?, at path: String) -> DBusInterface? {
    switch name {
    case StandardName.introspectable: introspectable(object, path)
    case StandardName.peer: Self.peer
    case StandardName.properties: properties(object, path)
    case StandardName.objectManager where path == managerPath: objectManager
    default: nil
    }
  }

  private func introspectable(_ object: ExportedObject?, _ path: String) -> DBusInterface {
    DBusInterface(
      StandardName.introspectable,
      methods: [
        DBusMethod("Introspect", out: [DBusArgument("xml_data", "s")]) { [unowned self] call throws(DBusError) in
          let interfaces = (object?.interfaces ?? []) + standardInterfaces(of: object, at: path)
          return [.string(introspectionXML(interfaces, children: children(of: path, for: call.sender)))]
        }
      ])
  }

  /// The Peer interface for calls that name no interface; libdbus itself answers those that name it.
  private static var peer: DBusInterface {
    DBusInterface(
      StandardName.peer,
      methods: [
        DBusMethod("Ping") { _ in [] },
        DBusMethod("GetMachineId", out: [DBusArgument("machine_uuid", "s")]) { _ throws(DBusError) in
          let (identifier, error) = withCError { dbus_try_get_local_machine_id($0) }
          guard let identifier else { throw error ?? .noMemory }
          defer { dbus_free(identifier) }
          return [.string(String(cString: identifier))]
        },
      ])
  }

  private var objectManager: DBusInterface {
    let added = [DBusArgument("object_path", "o"), DBusArgument("interfaces_and_properties", "a{sa{sv}}")]
    let removed = [DBusArgument("object_path", "o"), DBusArgument("interfaces", "as")]
    let managed = [DBusArgument("object_paths_interfaces_and_properties", "a{oa{sa{sv}}}")]
    return DBusInterface(
      StandardName.objectManager,
      methods: [
        DBusMethod("GetManagedObjects", out: managed) { [unowned self] call throws(DBusError) in [managedObjects(for: call.sender)] }
      ],
      signals: [DBusSignal("InterfacesAdded", added), DBusSignal("InterfacesRemoved", removed)])
  }

  private func properties(_ object: ExportedObject?, _ path: String) -> DBusInterface {
    let interface = DBusArgument("interface_name", "s")
    let property = DBusArgument("property_name", "s")
    let changed = [interface, DBusArgument("changed_properties", "a{sv}"), DBusArgument("invalidated_properties", "as")]
    return DBusInterface(
      StandardName.properties,
      methods: [
        DBusMethod("Get", in: [interface, property], out: [DBusArgument("value", "v")]) { [unowned self] call throws(DBusError) in
          let property = try Self.property(of: object, path, call.arguments)
          guard property.isOpen || isInsider(call.sender) else { throw .accessDenied("\(property.name) is not permitted for this user") }
          guard let value = property.read() else {
            throw .unknownProperty("\(property.name) of \(path) has no value now; wait for PropertiesChanged")
          }
          return [.variant(value)]
        },
        DBusMethod("GetAll", in: [interface], out: [DBusArgument("properties", "a{sv}")]) { [unowned self] call throws(DBusError) in
          [try Self.interface(of: object, path, call.arguments)?.propertyValues(forInsider: isInsider(call.sender)) ?? .options([])]
        },
        DBusMethod("Set", in: [interface, property, DBusArgument("value", "v")]) { call throws(DBusError) in
          let property = try Self.property(of: object, path, call.arguments)
          throw .propertyReadOnly("\(property.name) of \(path) is read-only; use a method of the object to change it")
        },
      ],
      signals: [DBusSignal("PropertiesChanged", changed)])
  }

  /// Declares a standard interface, which has no properties.
  private static func interface(
    of object: ExportedObject?, _ path: String, _ arguments: [DBusValue]
  ) throws(DBusError) -> DBusInterface? {
    let name = arguments.first?.string ?? ""
    if let interface = object?.interface(name) { return interface }
    let standard = [StandardName.introspectable, StandardName.objectManager, StandardName.peer, StandardName.properties]
    guard standard.contains(name) else {
      let names = object?.interfaces.map(\.name).joined(separator: ", ") ?? ""
      throw .unknownInterface("\(path) has no interface \"\(name)\" with properties\(names.isEmpty ? "" : "; it has \(names)")")
    }
    return nil
  }

  private static func property(
    of object: ExportedObject?, _ path: String, _ arguments: [DBusValue]
  ) throws(DBusError) -> DBusProperty {
    let interface = try interface(of: object, path, arguments)
    let name = arguments.dropFirst().first?.string ?? ""
    guard let property = interface?.properties.first(where: { $0.name == name }) else {
      let names = interface?.properties.map(\.name).joined(separator: ", ") ?? ""
      throw .unknownProperty("\(path) has no property \"\(name)\"\(names.isEmpty ? "" : "; it has \(names)")")
    }
    return property
  }
}
