import Foundation
import TestSupport
import Testing

/// The metrics of the programs over a socket and a port.
@Suite struct MetricsTests {
  private static let region = "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"

  private let stage: Stage
  private let socket: String

  init() throws {
    stage = try Stage()
    socket = stage.folder.file("metrics.sock")
  }

  private func daemon(_ config: String) throws -> (program: RunningProgram, config: String) {
    let file = try stage.file("config.toml", config)
    let program = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", file, "--source", "capture:\(Stage.walk)", "--speed", "1"])
    return (program, file)
  }

  private func served(_ program: RunningProgram) throws {
    _ = try program.log.next("the metrics") { $0.contains("metrics are served at") }
  }

  private func get(_ path: String = "/metrics", at target: [String]? = nil) throws -> String {
    let target = target ?? ["--unix-socket", socket, "http://localhost\(path)"]
    return try RunningProgram.result("/usr/bin/curl", ["-sS", "--max-time", "10"] + target)
  }

  private func check(_ metrics: String) throws {
    // promtool prints complaints to standard error, and ends with another status.
    _ = try RunningProgram.result("/usr/bin/promtool", ["check", "metrics"], input: metrics + "\n")
  }

  @Test func `the daemon serves its metrics over a socket, and promtool accepts them`() throws {
    let (daemon, _) = try daemon("\(Self.region)[metrics]\nlisten = \"\(socket)\"\n")
    try served(daemon)
    // The region is entered some advertisements after the first one.
    try wait(for: "the event") { try get().contains("beaconmon_events_total{kind=\"enter\"} 1") }
    let metrics = try get()
    try check(metrics)
    #expect(metrics.contains("beaconmon_source_ibeacons_total "))
    #expect(!metrics.contains("beaconmon_source_ibeacons_total 0\n"))
    #expect(metrics.contains("beaconmon_regions{state=\"inside\"} 1"))
    #expect(metrics.contains("beaconmon_build_info{version="))
    #expect(metrics.contains("process_resident_memory_bytes "))
    let start = try #require(metrics.firstMatch(of: /\nprocess_start_time_seconds (\S+)/).flatMap { Double($0.1) })
    #expect(abs(Date().timeIntervalSince1970 - start) < 120)
    let health = try JSON(parsing: get("/health"))
    #expect(["ok", "degraded"].contains(health["health"]?.text))
    #expect(try get("/").hasPrefix("not found"))
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    #expect(access(socket, F_OK) != 0)
  }

  @Test func `the notifier serves its metrics over a port, and promtool accepts them`() throws {
    let port = UInt16.random(in: 20_000..<30_000)
    let config = try stage.file(
      "config.toml", "\(Self.region)[[notifier.action]]\nlog = \"someone came\"\n[notifier.metrics]\nlisten = \"127.0.0.1:\(port)\"\n")
    let notifier = try RunningProgram(Programs.notifier, ["--bus", stage.bus.address, "--config", config])
    try served(notifier)
    let metrics = try get(at: ["http://127.0.0.1:\(port)/metrics"])
    try check(metrics)
    #expect(metrics.contains("beaconmon_outbox_deliveries{target=\"log\",kind=\"log\"} 0"))
    #expect(metrics.contains("beaconmon_notifier_daemon_available 0"))
    #expect(metrics.contains("beaconmon_deliveries_total{target=\"log\",kind=\"log\",result=\"delivered\"} 0"))
    notifier.signal(SIGTERM)
  }

  @Test func `a program without metrics opens no socket and no library`() throws {
    let (daemon, _) = try daemon(Self.region)
    let client = try BusClient(stage.bus)
    try client.waitForDaemon()
    let maps = try String(contentsOfFile: "/proc/\(daemon.pid)/maps", encoding: .utf8)
    #expect(!maps.contains("microhttpd"))
    #expect(access(socket, F_OK) != 0)
    daemon.signal(SIGTERM)
  }

  @Test func `a reload switches the metrics on, moves them and switches them off`() throws {
    let (daemon, config) = try daemon(Self.region)
    let client = try BusClient(stage.bus)
    try client.waitForDaemon()
    func reload(_ text: String) throws {
      try text.write(toFile: config, atomically: true, encoding: .utf8)
      daemon.signal(SIGHUP)
      _ = try daemon.log.next("the reload") { $0.contains("reloaded") }
    }
    try reload("\(Self.region)[metrics]\nlisten = \"\(socket)\"\n")
    #expect(try get().contains("beaconmon_configuration_reload_successful 1"))
    let other = stage.folder.file("other.sock")
    try reload("\(Self.region)[metrics]\nlisten = \"\(other)\"\naccess = \"owner\"\n")
    #expect(access(socket, F_OK) != 0)
    #expect(try get(at: ["--unix-socket", other, "http://localhost/metrics"]).contains("beaconmon_beacons "))
    try reload(Self.region)
    #expect(access(other, F_OK) != 0)
    daemon.signal(SIGTERM)
  }

  @Test func `an endpoint that is in use is reported once, and used once it is free`() throws {
    let config = "\(Self.region)[metrics]\nlisten = \"\(socket)\"\n"
    let (first, _) = try daemon(config)
    try served(first)
    let second = try RunningProgram(
      Programs.notifier,
      [
        "--bus", stage.bus.address, "--config",
        try stage.file("second.toml", "\(Self.region)[[notifier.action]]\nlog = \"came\"\n[notifier.metrics]\nlisten = \"\(socket)\"\n"),
      ])
    _ = try second.log.next("the refusal") { $0.contains("another program listens there") && $0.contains("retrying") }
    #expect(try get().contains("beaconmon_beacons "))
    first.signal(SIGTERM)
    _ = try first.exitStatus()
    try served(second)
    #expect(try get().contains("beaconmon_notifier_daemon_available"))
    second.signal(SIGTERM)
  }

  @Test func `a storm of scrapes and silent clients leaves the daemon responsive and small`() throws {
    let (daemon, _) = try daemon("\(Self.region)[metrics]\nlisten = \"\(socket)\"\n")
    try served(daemon)
    _ = try get()
    let before = try resident(daemon.pid)
    let silent = try (0..<50).map { _ in try SilentClient(socket) }
    let scrape = "curl -s --max-time 20 --unix-socket '\(socket)' http://localhost/metrics >/dev/null"
    let storm = try RunningProgram("/bin/sh", ["-c", "for i in $(seq 300); do \(scrape) & done; wait"])
    let client = try BusClient(stage.bus)
    for _ in 0..<20 { try client.ping() }
    _ = try storm.exitStatus(within: 120)
    _ = silent
    try wait(for: "a scrape after the storm", within: 60) {
      (try? RunningProgram.result("/usr/bin/curl", ["-sS", "--max-time", "30", "--unix-socket", socket, "http://localhost/metrics"]))?
        .contains("beaconmon_beacons ") == true
    }
    let after = try resident(daemon.pid)
    print("beaconmond: VmRSS \(before) KiB with metrics, \(after) KiB after 300 scrapes and 50 silent clients")
    #expect(after - before < 1024)
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  private func resident(_ pid: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return try #require(status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) })
  }

  @Test func `the health of a daemon that plays a capture is printed in one line, and that of a missing daemon is failed`() throws {
    let missing = try CommandLine(["status", "--health", "--bus", stage.bus.address])
    #expect(missing.status == 2)
    #expect(missing.output.count == 1 && missing.output[0].hasPrefix("failed: daemon: "))
    let (daemon, _) = try daemon(Self.region)
    let client = try BusClient(stage.bus)
    try client.waitForDaemon()
    let present = try CommandLine(["status", "--health", "--bus", stage.bus.address])
    #expect(present.status == 0 && present.output == ["ok"])
    let json = try JSON(parsing: try #require(CommandLine(["status", "--health", "--json", "--bus", stage.bus.address]).output.first))
    #expect(json["health"]?.text == "ok")
    daemon.signal(SIGTERM)
  }
}

/// A client that connects and sends nothing.
private final class SilentClient {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  deinit { close(descriptor) }
}
