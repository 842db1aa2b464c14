import Foundation
import TestSupport
import Testing

/// The daemon and the notifier as units of Type=notify.
@Suite struct ServiceTests {
  @Test func `a service manager is notified of the start, a reload and the end`() throws {
    let stage = try Stage()
    let socket = try NotificationSocket()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, environment: ["NOTIFY_SOCKET": socket.path])
    #expect(socket.receive() == "READY=1\nSTATUS=Monitoring capture:\(Stage.walk)")
    daemon.signal(SIGHUP)
    #expect(socket.receive().wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*/) != nil)
    #expect(socket.receive() == "READY=1")
    daemon.signal(SIGTERM)
    #expect(socket.receive() == "STOPPING=1")
    #expect(try daemon.exitStatus() == 0)
  }

  @Test func `a daemon that starts with ignored child signals still notices the end of its children`() throws {
    let stage = try Stage()
    let gpsd = "source = \"none\"\n[location.gpsd]\naddress = \"localhost:1\"\n"
    let config = try stage.file("config.toml", gpsd + CircleScene.circle("here", 48, 11, radius: 200))
    // A child process resolves the name.
    let daemon = try RunningProgram(
      "/bin/sh", ["-c", "trap '' CHLD; exec \"$@\"", "sh", Programs.daemon, "--config", config, "--bus", stage.bus.address])
    _ = try daemon.log.next("the look-up's end") { $0.contains("gpsd at localhost:1: connect ") }
  }

  @Test(arguments: ["beaconmond", "beaconmon-notifier"])
  func `a watchdog is notified while the loop runs`(name: String) throws {
    let unit = try String(contentsOfFile: Programs.repository("systemd/\(name).service"), encoding: .utf8)
    #expect(unit.contains("\nWatchdogSec="))
    let stage = try Stage()
    let socket = try NotificationSocket()
    let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "20000"]
    let program =
      name == "beaconmond"
      ? try stage.daemon(config: Stage.walkConfig, source: Stage.walk, environment: environment)
      : try RunningProgram(
        Programs.notifier, ["--bus", stage.bus.address, "--config", Stage.walkConfig], environment: environment)
    var messages: [String] = []
    while messages.count(where: { $0 == "WATCHDOG=1" }) < 3, let last = [socket.receive()].first, !last.isEmpty { messages.append(last) }
    #expect(messages.count(where: { $0 == "WATCHDOG=1" }) == 3)
    program.signal(SIGTERM)
  }
}
