import Foundation
import TestSupport
import Testing

/// `beaconmon doctor` on a private bus, with the files of a machine in a folder.
@Suite struct DoctorCommandTests {
  private let stage: Stage
  private let root: TemporaryDirectory

  init() throws {
    stage = try Stage()
    root = try TemporaryDirectory()
    try write("6.1.0-28-amd64\n", to: "/proc/sys/kernel/osrelease")
    try write("systemd\n", to: "/proc/1/comm")
    try write("beaconmon-notif\n", to: "/proc/2/comm")
    try write("", to: "/dev/kmsg")
    try write("me:x:\(geteuid()):0:::\nbeaconmon:x:\(geteuid()):0:::\n", to: "/etc/passwd")
    try write("beaconmon:x:990:\n", to: "/etc/group")
    try write("", to: "/var/lib/beaconmon/journal.db")
    try write("", to: "/usr/share/dbus-1/system.d/org.beaconmon.Monitor1.conf")
    try write("", to: "/sys/class/bluetooth/hci0/uevent")
    try FileManager.default.createDirectory(atPath: root.file("usr/libexec/bluetooth"), withIntermediateDirectories: true)
    try root.program("usr/libexec/bluetooth/bluetoothd", "#!/bin/sh\necho 5.66\n")
    try write("source = \"bluez\"\n" + RadioDaemonTests.config, to: "/etc/beaconmon/beaconmon.toml")
  }

  private func write(_ text: String, to path: String) throws {
    let file = root.path + path
    try FileManager.default.createDirectory(
      atPath: String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
  }

  private func doctor(_ more: [String] = ["--json"]) throws -> (status: Int32, output: [String]) {
    let program = try RunningProgram(
      Programs.commandLine, ["doctor", "--root", root.path] + more,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    let output = try program.output.all()
    return (try program.exitStatus(), output)
  }

  /// Returns the findings of a check, each as `verdict: text; command`.
  private func findings(_ check: String, in output: [String]) throws -> [String] {
    let diagnosis = try JSON(parsing: try #require(output.first))
    return (diagnosis["findings"]?.list ?? []).filter { $0["check"]?.text == check }.map { finding in
      "\(finding["verdict"]?.text ?? ""): \(finding["text"]?.text ?? "")" + (finding["command"]?.text.map { "; \($0)" } ?? "")
    }
  }

  private func startBlueZ(_ commands: String...) throws -> RunningProgram {
    let bluetoothd = try RunningProgram(Programs.python, [Programs.repository("Tests/TestSupport/Peers/fake_bluez.py"), stage.bus.address])
    for command in commands + ["own"] {
      try bluetoothd.input.write(contentsOf: Data((command + "\n").utf8))
      _ = try bluetoothd.output.next("\"\(command)\" done") { $0 == "done" }
    }
    return bluetoothd
  }

  private var command: String { geteuid() == 0 ? "" : "sudo " }

  @Test func `a machine without a daemon has a fault with its command, and exit code 2`() throws {
    let bluetoothd = try startBlueZ("add hci0 00:1A:7D:DA:71:13")
    let run = try doctor()
    #expect(run.status == 2)
    #expect(try findings("daemon", in: run.output) == ["fault: beaconmond does not run; \(command)systemctl enable --now beaconmond"])
    #expect(try findings("kernel", in: run.output) == ["ok: Linux 6.1.0-28-amd64"])
    #expect(try findings("adapter", in: run.output) == ["ok: hci0 is on"])
    #expect(try findings("bluetoothd", in: run.output).first?.hasPrefix("ok: bluetoothd 5.66 runs") == true)
    #expect(try findings("notifier", in: run.output) == ["ok: no action is configured"])
    #expect(bluetoothd.isRunning)
  }

  @Test func `a running daemon is judged by its status, and its adapters by bluetoothd`() throws {
    let bluetoothd = try startBlueZ("add hci0 00:1A:7D:DA:71:13")
    let listener = try stage.listener()
    let daemon = try stage.radioDaemon(config: RadioDaemonTests.config, source: "bluez")
    try write("CapEff:\t0000000000000000\n", to: "/proc/\(daemon.pid)/status")
    _ = try listener.next("scanning") { $0.changed["State"] == "scanning" }
    let run = try doctor()
    #expect(try findings("daemon", in: run.output).first?.hasPrefix("ok: beaconmond 0.") == true)
    #expect(try findings("access", in: run.output).first?.hasSuffix("may call beaconmond") == true)
    #expect(try findings("reception", in: run.output).first?.hasPrefix("ok: beaconmond scans") == true)
    #expect(try findings("scanners", in: run.output) == ["ok: hci0 scans for beaconmond"])
    #expect(
      try findings("capabilities", in: run.output)
        == ["ok: beaconmond has neither CAP_NET_RAW nor CAP_NET_ADMIN, so it receives through bluetoothd"])
    #expect(!run.output[0].contains("\"fault\""), "\(run.output)")
    try bluetoothd.input.write(contentsOf: Data("power hci0 off\n".utf8))
    _ = try listener.next("off") { $0.changed["State"] == "off" }
    let off = try doctor()
    #expect(off.status == 2)
    #expect(try findings("adapter", in: off.output) == ["fault: hci0 is off; bluetoothctl power on"])
    #expect(try findings("reception", in: off.output) == [])
    daemon.signal(SIGTERM)
  }

  @Test func `a bus that hangs, and files that block, end within the time limits`() throws {
    try FileManager.default.removeItem(atPath: "\(root.path)/proc/sys/kernel/osrelease")
    mkfifo("\(root.path)/proc/sys/kernel/osrelease", 0o644)
    try FileManager.default.removeItem(atPath: "\(root.path)/etc/beaconmon/beaconmon.toml")
    mkfifo("\(root.path)/etc/beaconmon/beaconmon.toml", 0o644)
    stage.bus.freeze()
    let run = try doctor()
    stage.bus.thaw()
    #expect(run.status == 2)
    #expect(try findings("kernel", in: run.output) == ["unknown: could not be checked: no answer within 2s"])
    #expect(try findings("config", in: run.output) == ["unknown: could not be checked: the check has no answer"])
    #expect(try findings("bus", in: run.output).first?.hasPrefix("fault: the bus at ") == true)
  }

  /// Returns whether a process has blocked SIGTERM, to read it from a descriptor.
  private func handlesTermination(_ pid: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }.flatMap {
      UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
    }
    // While a thread begins, every signal is blocked.
    let (termination, alarm) = (UInt64(1) << UInt64(SIGTERM - 1), UInt64(1) << UInt64(SIGALRM - 1))
    return (mask ?? 0) & (termination | alarm) == termination
  }

  @Test func `a signal during the checks ends them without a diagnosis`() throws {
    stage.bus.freeze()
    defer { stage.bus.thaw() }
    let program = try RunningProgram(
      Programs.commandLine, ["doctor", "--root", root.path, "--json"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    // The bus is frozen for the whole test, so the checks last for seconds after the program has begun to handle the signal itself.
    let deadline = Date() + 20
    while Date() < deadline, try !handlesTermination(program.pid) { usleep(10_000) }  // This polls until the deadline.
    program.signal(SIGTERM)
    #expect(try program.output.all() == [])
    #expect(try program.exitStatus() == 130)
  }

  @Test func `a missing bus is a fault, and errors of the config are faults with their lines`() throws {
    try write("source = \"bluez\"\nmayor = 1\n", to: "/etc/beaconmon/beaconmon.toml")
    let run = try doctor(["--json", "--bus", "unix:path=\(root.path)/none"])
    #expect(run.status == 2)
    #expect(try findings("bus", in: run.output).first?.contains("cannot connect to the bus") == true)
    #expect(try findings("config", in: run.output).first?.contains("beaconmon.toml:2: unknown key \"mayor\"") == true)
  }

  @Test func `hosts of targets are dialled as configured`() throws {
    let config = """
      source = "bluez"
      [[notifier.target]]
      name = "till"
      webhook = { url = "http://127.0.0.1:9/geheim" }
      [[notifier.action]]
      target = "till"
      """
    try write(config, to: "/etc/beaconmon/beaconmon.toml")
    let run = try doctor()
    #expect(
      try findings("target", in: run.output)
        == ["warning: till at 127.0.0.1:9 is not reachable: connect 127.0.0.1:9: Connection refused (ECONNREFUSED)"])
    #expect(try findings("notifier", in: run.output) == ["ok: beaconmon-notifier runs"])
    #expect(!run.output[0].contains("geheim"))
  }

  @Test func `a report has status and config, but no password and no address`() throws {
    let bluetoothd = try startBlueZ("add hci0 00:1A:7D:DA:71:13")
    let config = """
      source = "bluez"
      [[adapter]]
      address = "00:1A:7D:DA:71:13"
      [[notifier.target]]
      name = "till"
      webhook = { url = "http://127.0.0.1:9/geheim", headers = { Authorization = "geheim" } }
      [[notifier.action]]
      command = ["/bin/true", "--password", "geheim"]
      [[notifier.action]]
      target = "till"
      """
    try write(config, to: "/etc/beaconmon/beaconmon.toml")
    let listener = try stage.listener()
    let daemon = try stage.radioDaemon(config: config, source: "bluez")
    try listener.waitForDaemon()
    let report = stage.folder.file("report.txt")
    let run = try doctor(["--report", report])
    #expect(run.output.contains { $0.hasPrefix("ok       daemon") })
    let text = try String(contentsOfFile: report, encoding: .utf8)
    #expect(
      text.contains("## status") && text.contains("\"sourceState\"") && text.contains("## config") && text.contains("source = \"bluez\""))
    #expect(text.contains("bluetooth-") && text.contains("ip-") && !text.contains("bluetooth-hidden"))
    for secret in ["geheim", "00:1A:7D:DA:71:13", "00_1A_7D", "127.0.0.1"] { #expect(!text.contains(secret), "\(secret)") }
    let again = try CommandLine(["doctor", "--report", report])
    #expect(again.status == 74)
    #expect(again.errors == ["beaconmon: \(report): already exists; choose another name, or remove it"])
    #expect(bluetoothd.isRunning)
    daemon.signal(SIGTERM)
  }
}
