import Foundation
import TestSupport
import Testing

/// `beaconmon scan`, and its session as a Python client sees it.
@Suite struct ScanCommandTests {
  private struct Scene {
    let stage: Stage
    let feed: CaptureFeed
    let daemon: RunningProgram
    let client: BusClient

    /// Starts a daemon without regions.
    init() throws {
      stage = try Stage()
      feed = try CaptureFeed(stage)
      client = try BusClient(stage.bus, matching: "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
      daemon = try stage.daemon(config: try stage.file("config.toml", ""), source: feed.path)
      try client.waitForDaemon()
      try feed.hear(minor: 1, at: 0)
    }

    func startScan() throws -> String {
      let session = try client.openSession()
      _ = try client.call(BusClient.session, "StartScanning", at: session)
      return session
    }

    func nextScan() throws -> BusClient.Signal { try client.next("a scan") { $0.name == "Scanned" } }
  }

  @Test func `a scanning session receives every beacon once a second, even of unmonitored UUIDs`() throws {
    let scene = try Scene()
    let session = try scene.startScan()
    try scene.feed.hear(minor: 7, at: 1.5, rssi: -70)
    try scene.feed.hear(minor: 8, at: 1.6, rssi: -60)
    try scene.feed.hear(minor: 8, at: 4.2, rssi: -60)
    var scan = try scene.nextScan()
    while scan.arguments.first?["beaconCount"] != 2 { scan = try scene.nextScan() }
    #expect(scan.destination == scene.client.name && scan.path == session)
    let group = try #require(scan.arguments.first?["uuids"]?.list?.first)
    #expect(group["uuid"]?.text == CaptureOctets.uuid)
    #expect(group["count"] == 2 && group["rssi"] == -60)
    #expect(group["beacons"]?.list?.map { $0["minor"] } == [8, 7])
    #expect(scan.types.list?.first?["uuids"]?.list?.first?["lastSeen"]?.text == "t")
    #expect(scan.arguments.first?["kinds"]?["iBeacon"]?.number ?? 0 >= 2)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `only the scanning session receives the results`() throws {
    let scene = try Scene()
    let idle = try scene.client.openSession()
    let session = try scene.startScan()
    try scene.feed.hear(minor: 7, at: 1.5)
    try scene.feed.hear(minor: 7, at: 2.5)
    #expect(try [scene.nextScan().path, scene.nextScan().path] == [session, session])
    #expect(!scene.client.signals.contains { $0.path == idle })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `no results follow the end of a scan`() throws {
    let scene = try Scene()
    let session = try scene.startScan()
    try scene.feed.hear(minor: 7, at: 2.5)
    _ = try scene.nextScan()
    _ = try scene.client.call(BusClient.session, "StopScanning", at: session)
    let count = scene.client.signals.count
    try scene.feed.hear(minor: 7, at: 9.5)
    _ = try scene.client.range(["uuid": .text(CaptureOctets.uuid)], on: session)
    try scene.feed.hear(minor: 7, at: 12.5)
    _ = try scene.client.nextRanged()
    #expect(!scene.client.signals.dropFirst(count).contains { $0.name == "Scanned" })
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [false, true])
  func `the scan command prints its result at the end of its duration`(json: Bool) throws {
    let scene = try Scene()
    let arguments = ["scan", "--bus", scene.stage.bus.address, "--duration", "3s"] + (json ? ["--json"] : [])
    let run = try RunningProgram(Programs.commandLine, arguments)
    var second = 1.0
    while run.isRunning {
      for minor in UInt16(1)...12 { try scene.feed.hear(minor: minor, at: second) }
      second += 1
      // The pace of the capture while the command runs.
      usleep(50_000)
    }
    #expect(try run.exitStatus() == 0)
    #expect(try run.log.all() == [])
    let output = try run.output.all()
    if json {
      let scan = try JSON(parsing: output.joined())
      #expect(scan["uuids"]?.list?.first?["uuid"]?.text == ReplayTests.walkUUID)
      #expect(scan["uuids"]?.list?.first?["count"] == 12)
    } else {
      #expect(output.contains { $0.hasPrefix(ReplayTests.walkUUID + "       12") })
      #expect(output.last == "next: beaconmon range \(ReplayTests.walkUUID)")
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `scan without a daemon exits with 69`() throws {
    let stage = try Stage()
    let run = try CommandLine(["scan", "--bus", stage.bus.address])
    #expect(run.status == 69)
    #expect(run.errors.count == 1 && run.errors[0].contains("beaconmond is not running"))
  }
}
