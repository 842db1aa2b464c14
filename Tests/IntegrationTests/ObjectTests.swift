import Foundation
import TestSupport
import Testing

/// The objects on the bus, read with the tools of systemd and GLib.
@Suite struct ObjectTests {
  private static let config = """
    [[region]]
    identifier = "hall"
    uuid = "\(CaptureOctets.uuid)"

    [[region]]
    identifier = "exhibit 7"
    uuid = "\(CaptureOctets.uuid)"
    major = 1
    minor = 7
    exit-delay = "90s"
    within = 2.0
    notify-on-exit = false
    """

  private func busctl(_ stage: Stage, _ arguments: String...) throws -> String {
    try RunningProgram.result("/usr/bin/busctl", ["--address=\(stage.bus.address)"] + arguments)
  }

  private func gdbus(_ stage: Stage, _ command: String, _ path: String, _ arguments: String...) throws -> String {
    try RunningProgram.result(
      "/usr/bin/gdbus", [command, "--address", stage.bus.address, "--dest", BusClient.busName, "--object-path", path] + arguments)
  }

  @Test func `busctl reads a region's definition, state and beacon`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(minor: 3, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let region = "\(BusClient.busName).Region"
    let hall = try busctl(
      stage, "get-property", BusClient.busName, "\(BusClient.root)/region/hall", region, "Identifier", "Kind", "State", "Since", "Beacon",
      "LastSeen", "Uuid", "ExitDelay", "NotifyOnEntry", "NotifyOnExit")
    #expect(
      hall == """
        s "hall"
        s "beacon"
        s "inside"
        t 1600000000000000
        a{sv} 3 "uuid" s "8ec76ea3-6668-48da-9866-75be8bc86f4d" "major" q 1 "minor" q 3
        t 1600000000000000
        s "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        s "30s"
        b true
        b true
        """)
    let exhibit = try busctl(
      stage, "get-property", BusClient.busName, "\(BusClient.root)/region/exhibit_207", region, "State", "Major", "Minor", "ExitDelay",
      "Within", "LeaveBeyond", "NotifyOnExit")
    #expect(
      exhibit == """
        s "unknown"
        q 1
        q 7
        s "90s"
        d 2
        d 3
        b false
        """)
    daemon.signal(SIGTERM)
  }

  @Test func `RequestState returns the state in its reply`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(minor: 3, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    func state(_ element: String) throws -> String {
      try busctl(stage, "call", BusClient.busName, "\(BusClient.root)/region/\(element)", "\(BusClient.busName).Region", "RequestState")
    }
    #expect(
      try state("hall") == """
        a{sv} 4 "state" s "inside" "since" t 1600000000000000 "beacon" a{sv} 3 "uuid" s "8ec76ea3-6668-48da-9866-75be8bc86f4d" \
        "major" q 1 "minor" q 3 "lastSeen" t 1600000000000000
        """)
    #expect(try state("exhibit_207") == "a{sv} 2 \"state\" s \"unknown\" \"since\" t 1600000000000000")
    daemon.signal(SIGTERM)
  }

  @Test func `gdbus lists every region below the object manager, without keys for absent values`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(minor: 3, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let objects = try gdbus(stage, "call", BusClient.root, "--method", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
    let start = "<uint64 1600000000000000>"
    let beacon = "<{'uuid': <'\(CaptureOctets.uuid)'>, 'major': <uint16 1>, 'minor': <uint16 3>}>"
    #expect(
      objects == """
        ({objectpath '/org/beaconmon/Monitor1/region/exhibit_207': {'org.beaconmon.Monitor1.Region': {'Identifier': <'exhibit 7'>, \
        'Kind': <'beacon'>, 'State': <'unknown'>, 'Since': \(start), 'Flaps': <uint64 0>, 'Uuid': <'\(CaptureOctets.uuid)'>, 'Major': <uint16 1>, \
        'Minor': <uint16 7>, 'ExitDelay': <'90s'>, 'LearnsExitDelay': <false>, 'Within': <2.0>, 'LeaveBeyond': <3.0>, 'Hold': <'3s'>, 'NearestOnly': <false>, 'NotifyOnEntry': <true>, 'NotifyOnExit': <false>}}, \
        '/org/beaconmon/Monitor1/region/hall': {'org.beaconmon.Monitor1.Region': {'Identifier': <'hall'>, 'Kind': <'beacon'>, \
        'State': <'inside'>, 'Since': \(start), 'Beacon': \(beacon), 'LastSeen': \(start), 'Flaps': <uint64 0>, 'Uuid': <'\(CaptureOctets.uuid)'>, \
        'ExitDelay': <'30s'>, 'LearnsExitDelay': <true>, 'NotifyOnEntry': <true>, 'NotifyOnExit': <true>}}},)
        """)
    daemon.signal(SIGTERM)
  }

  @Test func `a transition changes the region's properties before its event`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(minor: 3, at: 1.5)
    let change = try listener.next("a change") { $0.name == "PropertiesChanged" }
    #expect(change.path == "\(BusClient.root)/region/hall")
    #expect(
      change.arguments == [
        "org.beaconmon.Monitor1.Region",
        [
          "State": "inside", "Since": .number(1_600_000_001_500_000),
          "Beacon": ["uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 3],
        ],
        [],
      ])
    let event = try listener.next()
    #expect(event.name == "RegionEvent" && event.arguments.prefix(3) == [1, "enter", .text("\(BusClient.root)/region/hall")])
    daemon.signal(SIGTERM)
  }

  @Test func `the end of the source is reported once, and the statistics count every packet`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: Programs.fixture("mixed-10k.btsnoop"))
    let pause = try listener.next("the end") { $0.changed["SourceState"] != nil }
    #expect(pause.path == BusClient.root && pause.saysEnded)
    #expect(pause.changed["SourceNote"] == nil)
    let statistics = try listener.property("Statistics", "Manager")
    let independent = try JSON(parsing: try String(contentsOfFile: Programs.fixture("mixed-10k.json"), encoding: .utf8))
    #expect(statistics?["iBeacons"] == independent["ibeacon_strict"])
    daemon.signal(SIGTERM)
  }

  @Test(arguments: [("Manager", ""), ("Privacy", ""), ("Venue", ""), ("Region", "/region/hall")])
  func `the introspection equals the interface file in config`(interface: String, path: String) throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    #expect(try canonical(interface, try gdbus(stage, "introspect", BusClient.root + path, "--xml")) == contract(interface))
    daemon.signal(SIGTERM)
  }

  @Test func `the introspection of an adapter equals the interface file in config`() throws {
    let stage = try Stage()
    let daemon = try stage.radioDaemon(config: RadioDaemonTests.config)
    let listener = try stage.listener()
    try listener.waitForDaemon()
    #expect(
      try canonical("Adapter", try gdbus(stage, "introspect", BusClient.root + RadioDaemonTests.dongle, "--xml")) == contract("Adapter"))
    daemon.signal(SIGTERM)
  }

  @Test func `the introspection of a session equals the interface file in config`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: feed.path)
    try feed.hear(at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let session = try listener.openSession()
    let reply = try listener.call("org.freedesktop.DBus.Introspectable", "Introspect", at: session)
    guard case .values(let values) = reply, let document = values.first?.text else { throw TimeoutError("\(reply)") }
    #expect(try canonical("Session", document) == contract("Session"))
    daemon.signal(SIGTERM)
  }

  private func contract(_ interface: String) throws -> String {
    try canonical(
      interface, try String(contentsOfFile: Programs.repository("config/dbus/org.beaconmon.Monitor1.\(interface).xml"), encoding: .utf8))
  }

  private func canonical(_ interface: String, _ document: String) throws -> String {
    try RunningProgram.result(Programs.python, [Programs.peer("interface.py"), "\(BusClient.busName).\(interface)", "-"], input: document)
  }
}
