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

  @Test(arguments: ["beaconmond", "beaconmon-notifier"])
  func `a program that hangs does not notify its watchdog, and resumes afterwards`(name: String) throws {
    let stage = try Stage()
    let socket = try NotificationSocket()
    let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "30000"]
    let program =
      name == "beaconmond"
      ? try stage.daemon(config: Stage.walkConfig, source: Stage.walk, environment: environment)
      : try RunningProgram(
        Programs.notifier, ["--bus", stage.bus.address, "--config", Stage.walkConfig], environment: environment)
    try socket.wait(for: "WATCHDOG=1")
    program.signal(SIGSTOP)
    // Messages from before the stop have arrived by then.
    usleep(200_000)
    socket.drain()
    // A hundred times the interval in which the program would send one.
    usleep(1_000_000)
    #expect(socket.drain() == [])
    program.signal(SIGCONT)
    try socket.wait(for: "WATCHDOG=1")
    program.signal(SIGTERM)
  }

  @Test func `a daemon whose messages the bus does not take does not notify its watchdog`() throws {
    let stage = try Stage()
    let socket = try NotificationSocket()
    let listener = try stage.listener()
    let daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", Stage.walkConfig, "--source", "capture:\(Stage.walk)", "--speed", "10"],
      environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "300000"])
    try listener.waitForDaemon()
    _ = try listener.range(["uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d"], on: try listener.openSession())
    try socket.wait(for: "WATCHDOG=1")
    stage.bus.freeze()
    // The queue of the kernel fills first, then that of the daemon.
    try wait(for: "a second without an answer to the watchdog") {
      socket.drain()
      // Ten times the interval in which the daemon would send one.
      usleep(1_000_000)
      return socket.drain() == []
    }
    stage.bus.thaw()
    daemon.signal(SIGKILL)
  }

  @Test(arguments: ["beaconmond", "beaconmon-notifier"])
  func `an idle program wakes once in a minute, watchdog included`(name: String) throws {
    guard Soak.isOn else { return }  // four minutes
    let stage = try Stage()
    let socket = try NotificationSocket()
    let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "180000000", "STATE_DIRECTORY": stage.folder.path]
    let config = try stage.file("config.toml", LocationScene.fixed + "\n" + CircleScene.circle("shop", 52.52, 13.405, radius: 100))
    let program =
      name == "beaconmond"
      ? try RunningProgram(Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none"], environment: environment)
      : try RunningProgram(Programs.notifier, ["--bus", stage.bus.address, "--config", config], environment: environment)
    try socket.wait(for: "READY=1")
    // The start ends within half a minute: the enter event, and the time limits of calls.
    sleep(40)
    let before = try switches(program.pid)
    // The promise is about minutes.
    sleep(180)
    let count = try switches(program.pid) - before
    print("\(name): \(count) wake-ups in three minutes")
    #expect(count <= 3)
    #expect(socket.drain().contains("WATCHDOG=1"))
    program.signal(SIGTERM)
  }

  private func switches(_ pid: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return try #require(status.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/).flatMap { Int($0.1) })
  }

  @Test func `no log line names a device that was received`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the reload") { $0.contains("reloaded") }
    daemon.signal(SIGTERM)
    let lines = try daemon.log.all()
    #expect(lines.filter { $0.contains(/([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) || $0.contains(/[0-9a-f]{8}-[0-9a-f]{4}-/) } == [])
  }
}
