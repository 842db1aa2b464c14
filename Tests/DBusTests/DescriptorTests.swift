import DBus
import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

/// File descriptors on the bus, with a Python program as the peer.
@Suite struct DescriptorTests {
  private let fixture: BusFixture
  private let tree: ObjectTree

  init() throws {
    fixture = try BusFixture()
    tree = ObjectTree(connection: fixture.connection)
  }

  /// Calls the method `calls` times with the writing end of one pipe, and prints the octets from the pipe.
  private func python(calls: Int = 1) throws -> String {
    let script = """
      import dbus, dbus.bus, os, sys
      bus = dbus.bus.BusConnection(sys.argv[1])
      reading, writing = os.pipe()
      for _ in range(int(sys.argv[3])):
          try:
              bus.call_blocking(sys.argv[2], "/a", "org.example.Files", "Take", "sh", ["x", dbus.types.UnixFd(writing)])
          except dbus.DBusException as error:
              print(error.get_dbus_name())
      os.close(writing)
      print(os.read(reading, 100))
      """
    let name = fixture.connection.uniqueName ?? ""
    return try fixture.loop.result(of: ["/usr/bin/python3", "-c", script, fixture.bus.address, name, String(calls)]).output.text
  }

  private func export(_ handler: @escaping (MethodCall) throws(DBusError) -> Void) throws -> ExportedObject {
    let method = DBusMethod("Take", in: [DBusArgument("text", "s"), DBusArgument("file", "h")]) { call throws(DBusError) in
      try handler(call)
      return []
    }
    return try tree.export("/a", [DBusInterface("org.example.Files", methods: [method])])
  }

  @Test func `a handler takes ownership of the descriptor in its call`() throws {
    var flags: Int32 = 0
    let object = try export { call throws(DBusError) in
      let file = try call.descriptor(1)
      flags = fcntl(file.number, F_GETFD)
      write(file.number, "here", 4)
      #expect(call.arguments[1] == .unixFD(nil))
    }
    #expect(try python() == "b'here'\n")
    #expect(flags & FD_CLOEXEC != 0)
    withExtendedLifetime(object) {}
  }

  @Test func `an unused descriptor is closed with its message`() throws {
    let object = try export { _ in }
    // The pipe ends only when every duplicate of its writing end is closed.
    #expect(try python(calls: 100) == "b''\n")
    withExtendedLifetime(object) {}
  }

  @Test func `an argument that is not a descriptor is an error`() throws {
    let object = try export { call throws(DBusError) in _ = try call.descriptor(0) }
    #expect(try python() == "org.freedesktop.DBus.Error.LimitsExceeded\nb''\n")
    withExtendedLifetime(object) {}
  }

  @Test func `a sent descriptor is a duplicate, and the sender keeps its own`() throws {
    let script = """
      import dbus.bus, dbus.service, os, sys
      from dbus.mainloop.glib import DBusGMainLoop
      from gi.repository import GLib
      class Files(dbus.service.Object):
          @dbus.service.method("org.example.Files", in_signature="h")
          def Take(self, file):
              os.write(file.take(), b"there")
              GLib.idle_add(loop.quit)
      bus = dbus.bus.BusConnection(sys.argv[1], mainloop=DBusGMainLoop())
      name = dbus.service.BusName("org.example.Files", bus)
      files = Files(bus, "/a")
      loop = GLib.MainLoop()
      loop.run()
      """
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    let command = ChildCommand(
      ["/usr/bin/python3", "-c", script, fixture.bus.address], environment: ChildCommand.ownEnvironment(), timeout: .seconds(15))
    let child = Holder<ChildProcess>()
    let watch = Holder<NameWatch>()
    let connection = fixture.connection
    let number = writing.number
    let reply: Result<[DBusValue], DBusError> = try fixture.loop.value { done in
      child.value = try ChildProcess(loop: fixture.loop, command: command) { _ in }
      watch.value = connection.watchName("org.example.Files") { owner in
        guard owner != nil else { return }
        connection.call(
          destination: "org.example.Files", path: "/a", interface: "org.example.Files", member: "Take", [.unixFD(number)], completion: done)
      }
    }
    #expect(try reply.get() == [])
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(read(reading.number, &buffer, 10) == 5)
    #expect(fcntl(writing.number, F_GETFD) >= 0)
  }
}
