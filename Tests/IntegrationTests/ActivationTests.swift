import Foundation
import TestSupport
import Testing

/// Commands without a running daemon end within five seconds.
@Suite struct ActivationTests {
  /// Runs a command that must end within five seconds.
  private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> (status: Int32, errors: [String]) {
    let begin = Date()
    let program = try RunningProgram(Programs.commandLine, arguments, environment: environment)
    let errors = try program.log.all()
    let status = try program.exitStatus()
    #expect(Date().timeIntervalSince(begin) < 5)
    return (status, errors)
  }

  /// Returns a bus that starts the daemon with a command.
  private func bus(_ folder: TemporaryDirectory, exec: String) throws -> PrivateBus {
    let services = folder.file("services")
    try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
    try "[D-BUS Service]\nName=org.beaconmon.Monitor1\nExec=\(exec)\n"
      .write(toFile: "\(services)/org.beaconmon.Monitor1.service", atomically: true, encoding: .utf8)
    return try PrivateBus(services: services)
  }

  @Test func `the bus starts the daemon for a command's call`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("config.toml")
    try """
    [journal]
    path = "\(folder.file("journal.db"))"
    [location.fixed]
    latitude = 1
    longitude = 2
    accuracy = 3

    """.write(toFile: config, atomically: true, encoding: .utf8)
    let bus = try bus(folder, exec: "\(Programs.daemon) --session --source none --config \(config)")
    let (status, errors) = try run(["status", "--bus", bus.address])
    #expect(status == 0 && errors.isEmpty, "\(errors)")
  }

  @Test func `a daemon that the bus cannot start is reported with the reason`() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(folder, exec: "/bin/false")
    for command in [["status"], ["monitor"], ["locate"], ["scan"], ["events"], ["privacy"]] {
      let (status, errors) = try run(command + ["--bus", bus.address])
      #expect(status == 69)
      #expect(
        errors.count == 1
          && errors[0].hasPrefix("beaconmon: beaconmond is not running on the bus at \(bus.address), and the bus could not start it: ")
          && errors[0].hasSuffix("; see its log"), "\(errors)")
    }
  }

  @Test func `a daemon that does not start within five seconds is reported`() throws {
    let folder = try TemporaryDirectory()
    let bus = try bus(folder, exec: "/bin/sleep 60")
    let (status, errors) = try run(["status", "--session"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    #expect(status == 69)
    #expect(
      errors == [
        "beaconmon: the session bus is starting beaconmond, which is not ready yet; run \"beaconmond --session\" in a terminal to see why"
      ])
  }

  @Test func `the error on a bus without the daemon's service file states how to start the daemon`() throws {
    let bus = try PrivateBus()
    let system = try run(["status"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    #expect(system.status == 69)
    #expect(
      system.errors == [
        "beaconmon: beaconmond is not running on the system bus; start it with \"systemctl enable --now beaconmond\", or select another bus with --session or --bus"
      ])
    let session = try run(["track", "--session"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    #expect(session.status == 69)
    #expect(
      session.errors == [
        "beaconmon: beaconmond is not running on the session bus; start it with \"beaconmond --session\", or select another bus with --system or --bus"
      ])
  }

  @Test func `a bus or daemon that hangs is reported within five seconds`() throws {
    let scene = try SessionScene()
    scene.daemon.signal(SIGSTOP)
    for command in ["status", "scan"] {
      let hung = try run([command, "--bus", scene.stage.bus.address])
      #expect(hung.status == 69 && hung.errors == ["beaconmon: beaconmond does not respond; see its log"])
    }
    scene.daemon.signal(SIGCONT)
    scene.stage.bus.freeze()
    defer { scene.stage.bus.thaw() }
    let frozen = try run(["status", "--bus", scene.stage.bus.address])
    #expect(frozen.status == 69 && frozen.errors.count == 1 && frozen.errors[0].contains("does not respond"), "\(frozen.errors)")
  }

  @Test(arguments: [
    "status", "events", "events --follow", "explain 1", "monitor", "monitor --json", "privacy", "scan", "range", "track", "locate",
    "record",
  ])
  func `a daemon that hangs after its first answer is reported within five seconds`(command: String) throws {
    let bus = try PrivateBus()
    let folder = try TemporaryDirectory()
    let daemon = try RunningProgram(Programs.python, [Programs.peer("hanging_daemon.py"), bus.address])
    #expect(try daemon.output.next() == "ready")
    var arguments = command.split(separator: " ").map(String.init)
    if command == "range" { arguments.append(CaptureOctets.uuid) }
    if command == "record" { arguments.append(folder.file("walk.btsnoop")) }
    let (status, errors) = try run(arguments + ["--bus", bus.address])
    #expect(status == 69 && errors == ["beaconmon: beaconmond does not respond; see its log"], "\(errors)")
    daemon.signal(SIGKILL)
  }

  @Test(arguments: ["status", "explain 1", "privacy", "venue files", "venue offers", "venue allow gallery", "config diff --running"])
  func `a daemon that stops before it answers is reported`(command: String) throws {
    let bus = try PrivateBus()
    let folder = try TemporaryDirectory()
    let daemon = try RunningProgram(Programs.python, [Programs.peer("hanging_daemon.py"), bus.address, "leave"])
    #expect(try daemon.output.next() == "ready")
    let arguments = command.split(separator: " ").map(String.init) + (command == "venue allow gallery" ? ["--state", folder.path] : [])
    let (status, errors) = try run(arguments + ["--bus", bus.address])
    #expect(status == 69 && errors == ["beaconmon: beaconmond has stopped; start it again"], "\(errors)")
    daemon.signal(SIGKILL)
  }

  @Test func `a command that was itself suspended continues without an error`() throws {
    let scene = try SessionScene()
    // No source knows the location.
    let command = try RunningProgram(Programs.commandLine, ["locate", "--timeout", "8s", "--bus", scene.stage.bus.address])
    try scene.stage.listener().waitForDaemon()
    command.signal(SIGSTOP)
    // The pause exceeds the daemon's time limit for an answer.
    Thread.sleep(forTimeInterval: 6)
    command.signal(SIGCONT)
    #expect(try command.exitStatus() == 69)
    #expect(try !command.log.all().contains { $0.contains("does not respond") })
  }

  @Test func `a session's daemon requires no config, uses the adapters, and its advice does not mention systemctl`() throws {
    let stage = try Stage()
    let environment = [
      "DBUS_SESSION_BUS_ADDRESS": stage.bus.address, "DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address,
      "XDG_CONFIG_HOME": stage.folder.file("none"),
      "XDG_STATE_HOME": stage.folder.file("state"),
    ]
    let daemon = try RunningProgram(Programs.daemon, ["--session"], environment: environment)
    try stage.listener().waitForDaemon()
    var status: [String] = []
    // The daemon takes a moment to look for its adapters.
    try wait(for: "the note about the adapters") {
      let run = try RunningProgram(Programs.commandLine, ["status", "--session"], environment: environment)
      status = try run.output.all()
      return status.contains { $0.contains("bluetoothd is not running") || $0.contains("there is no Bluetooth adapter") }
    }
    #expect(status.contains { $0.hasPrefix("source     auto") }, "\(status)")
    #expect(!status.contains { $0.contains("systemctl") }, "\(status)")
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    let log = try daemon.log.all()
    #expect(!log.contains { $0.contains("systemctl") }, "\(log)")
  }
}
