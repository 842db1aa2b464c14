import EventLoop
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite struct BusAddressTests {
  @Test(
    arguments: [
      (.system, [:], "unix:path=/run/dbus/system_bus_socket"),
      (.system, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/s"], "unix:path=/tmp/s"),
      (.session, ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=a", "XDG_RUNTIME_DIR": "/run/user/0"], "unix:abstract=a"),
      (.session, ["XDG_RUNTIME_DIR": "/run/user/1000"], "unix:path=/run/user/1000/bus"),
      (.session, ["XDG_RUNTIME_DIR": "/tmp/a b;c"], "unix:path=/tmp/a%20b%3bc/bus"),
      (.session, ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/r"], "unix:path=/r/bus"),
      (.explicit("unix:path=/x"), ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/y"], "unix:path=/x"),
    ] as [(BusAddress, [String: String], String)])
  func `the environment takes precedence over the default`(address: BusAddress, environment: [String: String], resolved: String) throws {
    #expect(try address.resolved(environment: environment) == resolved)
  }

  @Test func `the error for a missing session bus states which variable to set`() {
    let error = #expect(throws: DBusError.self) { try BusAddress.session.resolved(environment: [:]) }
    #expect(error?.message.contains("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set") == true)
  }

  @Test(arguments: [
    ("unix:path=/tmp/a%20b,guid=0123", Array("/tmp/a b".utf8)), ("unix:abstract=/tmp/x", [0] + Array("/tmp/x".utf8)),
  ])
  func `an address entry names its socket`(entry: String, path: [UInt8]) throws {
    #expect(try BusSocket.socketPath(of: entry) == path)
  }

  @Test(arguments: [
    "tcp:host=localhost,port=1", "unixexec:path=/bin/true", "autolaunch:", "unix:tmpdir=/tmp", "nonsense", "unix:path=/a%zz",
  ])
  func `an address entry that could block, or is malformed, is refused`(entry: String) {
    let error = #expect(throws: DBusError.self) { try BusSocket.socketPath(of: entry) }
    #expect(error?.isStandard("BadAddress") == true)
    #expect(error?.message.contains(entry) == true)
  }

  @Test func `the first address entry that answers is used`() throws {
    let bus = try PrivateBus()
    #expect(try BusSocket.firstReachable(in: "unix:path=/no/such;\(bus.address)") == bus.address)
  }

  @Test func `each address entry that does not answer is named with its reason`() {
    let error = #expect(throws: DBusError.self) { try BusSocket.firstReachable(in: "unix:path=/no/such;unix:path=/etc/passwd") }
    #expect(
      error?.message
        == "cannot connect to the bus at unix:path=/no/such: No such file or directory (ENOENT); "
        + "unix:path=/etc/passwd: Connection refused (ECONNREFUSED)")
  }

  @Test func `a path that is too long for a socket is an error`() {
    let error = #expect(throws: DBusError.self) { try BusSocket.firstReachable(in: "unix:path=/" + String(repeating: "x", count: 200)) }
    #expect(error?.message.hasSuffix("File name too long (ENAMETOOLONG)") == true)
  }
}
