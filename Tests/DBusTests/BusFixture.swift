import DBus
import EventLoop
import Instants
import TestSupport

/// A private bus, a loop, one connection of ours to test, and the tools of other projects as its peers.
final class BusFixture {
  let bus: PrivateBus
  let loop: Loop
  let connection: DBusConnection

  init() throws {
    bus = try PrivateBus()
    loop = try Loop()
    connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    try waitUntilConnected(connection)
  }

  /// Opens another connection to the same bus.
  func connect() throws -> DBusConnection {
    let other = try DBusConnection(loop: loop, address: .explicit(bus.address))
    try waitUntilConnected(other)
    return other
  }

  func waitUntilConnected(_ connection: DBusConnection) throws {
    guard connection.uniqueName == nil else { return }
    let _: Bool = try loop.value { done in
      connection.onStateChange = { if case .connected = $0 { done(true) } }
    }
    connection.onStateChange = { _ in }
  }

  func own(_ name: String, _ connection: DBusConnection) throws -> OwnedName {
    let holder = Holder<OwnedName>()
    let _: OwnedName.State = try loop.value { done in holder.value = connection.requestName(name, handler: done) }
    guard let owned = holder.value else { throw Timeout() }
    return owned
  }

  /// Returns the output of systemd's client. Throws its error text if it fails.
  func busctl(_ arguments: String...) throws -> String {
    try loop.result(of: ["busctl", "--address=\(bus.address)"] + arguments).output.text
  }

  /// Returns the output of GLib's client.
  func gdbus(_ command: String, _ arguments: String...) throws -> String {
    try loop.result(of: ["gdbus", command, "--address", bus.address] + arguments).output.text
  }

  /// Returns all messages that match `rule` while `body` runs, as dbus-monitor prints them.
  func monitored(_ rule: String, _ body: () throws -> Void) throws -> String {
    let child = Holder<ChildProcess>()
    let subscription = Holder<SignalSubscription>()
    var result: ChildResult?
    // A monitor gives up its unique name once it monitors.
    let _: Bool = try loop.value { done in
      subscription.value = connection.addMatch(MatchRule(sender: "org.freedesktop.DBus", member: "NameOwnerChanged")) {
        if $0.arguments[2].string == "" { done(true) }
      }
      connection.call(
        destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping"
      ) { [bus, loop] _ in
        let script = "exec sed '/member=EndOfTest/q' < <(exec dbus-monitor --address '\(bus.address)' \"\(rule)\" \"member='EndOfTest'\")"
        let command = ChildCommand(
          ["/bin/bash", "-c", script], environment: ChildCommand.ownEnvironment(), timeout: .seconds(15), outputLimit: 1 << 23)
        do {
          child.value = try ChildProcess(loop: loop, command: command) {
            result = $0
            loop.stop()
          }
        } catch {
          done(false)
        }
      }
    }
    subscription.value = nil
    try body()
    try connection.emit(path: "/", interface: "org.example.Test", member: "EndOfTest")
    while result == nil { _ = try loop.run() }
    return result?.output.text ?? ""
  }
}
