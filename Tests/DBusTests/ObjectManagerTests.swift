import DBus
import EventLoop
import TestSupport
import Testing

@Suite struct ObjectManagerTests {
  private let fixture: BusFixture
  private let tree: ObjectTree
  private let name: OwnedName

  init() throws {
    fixture = try BusFixture()
    tree = ObjectTree(connection: fixture.connection, managerPath: "/org/example")
    name = try fixture.own("org.example.Shop", fixture.connection)
  }

  private let room = DBusInterface("org.example.Room", properties: [DBusProperty("Number", "y") { .byte(7) }])

  private func managedObjects() throws -> String {
    try fixture.busctl("call", "org.example.Shop", "/org/example", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
  }

  @Test func `an object manager lists the objects below it with their properties, by path`() throws {
    let objects = try ["/org/example/b", "/org/example/a/1", "/org/exampled", "/org/example"].map { try tree.export($0, [room]) }
    #expect(
      try managedObjects() == """
        a{oa{sa{sv}}} 2 "/org/example/a/1" 1 "org.example.Room" 1 "Number" y 7 "/org/example/b" 1 "org.example.Room" 1 "Number" y 7

        """)
    withExtendedLifetime(objects) {}
  }

  @Test func `an added or removed object is announced`() throws {
    let text = try fixture.monitored("type='signal',interface='org.freedesktop.DBus.ObjectManager'") {
      let object = Holder(try tree.export("/org/example/a", [room]))
      object.value = nil
    }
    let added = try #require(
      text.firstRange(
        of: "path=/org/example; interface=org.freedesktop.DBus.ObjectManager; member=InterfacesAdded\n   object path \"/org/example/a\""))
    let removed = try #require(
      text.firstRange(
        of: "member=InterfacesRemoved\n   object path \"/org/example/a\"\n   array [\n      string \"org.example.Room\"\n   ]"))
    #expect(added.lowerBound < removed.lowerBound)
    #expect(try managedObjects() == "a{oa{sa{sv}}} 0\n")
  }

  @Test func `an object with an owner is hidden from other clients`() throws {
    let owner = try fixture.connect()
    let object = try tree.export("/org/example/secret/1", [room], for: .only(owner.uniqueName ?? ""))
    #expect(try managedObjects() == "a{oa{sa{sv}}} 0\n")
    #expect(!(try fixture.busctl("tree", "--list", "org.example.Shop").contains("secret")))
    #expect(
      try fixture.busctl("get-property", "org.example.Shop", "/org/example/secret/1", "org.example.Room", "Number")
        .contains("there is no object /org/example/secret/1"))
    let seen: Result<[DBusValue], DBusError> = try fixture.loop.value { done in
      owner.call(
        destination: "org.example.Shop", path: "/org/example/secret/1", interface: "org.freedesktop.DBus.Properties", member: "Get",
        [.string("org.example.Room"), .string("Number")], completion: done)
    }
    #expect(seen == .success([.variant(.byte(7))]))
    withExtendedLifetime(object) {}
  }

  @Test func `the signals of an object with an owner reach only the owner`() throws {
    let owner = try fixture.connect()
    let ownerName = try #require(owner.uniqueName)
    let text = try fixture.monitored("type='signal',path_namespace='/org/example'") {
      let object = try tree.export("/org/example/secret/1", [room], for: .only(ownerName))
      object.propertiesChanged("org.example.Room", ["Number"])
    }
    let destinations = text.matches(of: /destination=(\S+) .* path=\/org\/example/).map { String($0.output.1) }
    #expect(destinations == [ownerName, ownerName, ownerName])
  }

  @Test func `a path is exported once, and can be exported again after its release`() throws {
    let object = Holder(try tree.export("/org/example/a", [room]))
    #expect(throws: DBusError.invalidArguments("there is already an object at /org/example/a")) {
      _ = try tree.export("/org/example/a", [room])
    }
    object.value = nil
    object.value = try tree.export("/org/example/a", [room])
    #expect(try managedObjects().hasPrefix("a{oa{sa{sv}}} 1 "))
  }

  @Test(arguments: ["", "org", "/org/", "/a//b", "/ä", "/a\0b"])
  func `an invalid path is refused`(path: String) {
    #expect(throws: DBusError.self) { try tree.export(path, []) }
  }
}
