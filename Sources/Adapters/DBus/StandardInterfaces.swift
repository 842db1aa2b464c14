internal import CDBus

/// The interfaces that the tree answers itself (D-Bus specification, "Standard Interfaces"), the same for all objects.
extension ObjectTree {
  func makeStandardInterfaces() -> [DBusInterface] { [introspectable, Self.peer, properties, objectManager] }

  /// Returns the interfaces of the path; only the manager has the last one.
  func standardInterfaces(at path: String) -> ArraySlice<DBusInterface> {
    path == managerPath ? standardInterfaces[...] : standardInterfaces.dropLast()
  }

  private var introspectable: DBusInterface {
    DBusInterface(
      StandardName.introspectable,
      methods: [
        DBusMethod("Introspect", out: [DBusArgument("xml_data", "s")]) { [unowned self] call throws(DBusError) in
          let interfaces = (object(of: call)?.interfaces ?? []) + standardInterfaces(at: call.path)
          return [.string(introspectionXML(interfaces, children: children(of: call.path, for: call.sender)))]
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

  private var properties: DBusInterface {
    let interface = DBusArgument("interface_name", "s")
    let property = DBusArgument("property_name", "s")
    let changed = [interface, DBusArgument("changed_properties", "a{sv}"), DBusArgument("invalidated_properties", "as")]
    return DBusInterface(
      StandardName.properties,
      methods: [
        DBusMethod("Get", in: [interface, property], out: [DBusArgument("value", "v")]) { [unowned self] call throws(DBusError) in
          let property = try requestedProperty(call)
          guard property.isOpen || isInsider(call.sender) else { throw .accessDenied("\(property.name) is not permitted for this user") }
          guard let value = property.read() else {
            throw .unknownProperty("\(property.name) of \(call.path) has no value now; wait for PropertiesChanged")
          }
          return [.variant(value)]
        },
        DBusMethod("GetAll", in: [interface], out: [DBusArgument("properties", "a{sv}")]) { [unowned self] call throws(DBusError) in
          [try requestedInterface(call)?.propertyValues(forInsider: isInsider(call.sender)) ?? .options([])]
        },
        DBusMethod("Set", in: [interface, property, DBusArgument("value", "v")]) { [unowned self] call throws(DBusError) in
          let name = try requestedProperty(call).name
          throw .propertyReadOnly("\(name) of \(call.path) is read-only; use a method of the object to change it")
        },
      ],
      signals: [DBusSignal("PropertiesChanged", changed)])
  }

  /// Returns the object of a call that was dispatched to a visible object or to none.
  private func object(of call: MethodCall) -> ExportedObject? {
    object(at: call.path).flatMap { isVisible($0, to: call.sender) ? $0 : nil }
  }

  /// Returns the interface that the first argument names; nil for a standard interface, which has no properties.
  private func requestedInterface(_ call: MethodCall) throws(DBusError) -> DBusInterface? {
    let name = call.arguments.first?.string ?? ""
    let object = object(of: call)
    if let interface = object?.interface(name) { return interface }
    guard standardInterfaces.contains(where: { $0.name == name }) else {
      let names = object?.interfaces.map(\.name).joined(separator: ", ") ?? ""
      throw .unknownInterface("\(call.path) has no interface \"\(name)\" with properties\(names.isEmpty ? "" : "; it has \(names)")")
    }
    return nil
  }

  private func requestedProperty(_ call: MethodCall) throws(DBusError) -> DBusProperty {
    let interface = try requestedInterface(call)
    let name = call.arguments.dropFirst().first?.string ?? ""
    guard let property = interface?.properties.first(where: { $0.name == name }) else {
      let names = interface?.properties.map(\.name).joined(separator: ", ") ?? ""
      throw .unknownProperty("\(call.path) has no property \"\(name)\"\(names.isEmpty ? "" : "; it has \(names)")")
    }
    return property
  }
}
