import Beaconmon
import Foundation
import TestSupport
import Testing

extension BusClient {
  fileprivate func heading(_ method: String, on session: String, _ options: JSON? = nil) throws -> Reply {
    guard let options else { return try call(Self.session, method, at: session) }
    return try call(Self.session, method, at: session, signature: "a{sv}", options)
  }

  /// Starts updates of the heading.
  func follow(_ options: JSON = [:], on session: String) throws -> Reply {
    try heading("StartUpdatingHeading", on: session, options)
  }
}

/// Headings on the bus: the contract of a session, and consent.
@Suite(.serialized) struct HeadingSessionTests {
  private static let simulated = LocationScene.fixed + "\n[heading]\nsource = \"simulator\"\n"
  private static let prefix = "\(BusClient.busName).Error."

  @Test func `a session receives headings alone and with the documented types, until it stops`() throws {
    let scene = try LocationScene(Self.simulated)
    let client = scene.client
    let session = try client.openSession()
    #expect(try client.heading("StopUpdatingHeading", on: session).name == Self.prefix + "NotUpdatingHeading")
    #expect(try client.heading("DismissHeadingCalibration", on: session).name == Self.prefix + "NotUpdatingHeading")
    #expect(try client.follow(["filter": 0], on: session) == .values([]))
    // Headings come 50 times a second, so a signal may be among the lines before an answer.
    try client.waitUntilTold("a heading") { $0.name == "HeadingUpdated" }
    let update = try #require(client.signals.first { $0.name == "HeadingUpdated" })
    #expect(update.path == session && update.destination == client.name)
    let (heading, types) = (update.arguments[0], update.types)
    #expect(heading["source"] == "simulator" && heading["kind"] == nil && heading["magneticHeading"] == nil, "\(heading)")
    for key in ["x", "y", "z", "magnitude"] { #expect(heading[key]?.number != nil && "\(types)".contains("\(key)"), "\(types)") }
    #expect(heading["timestamp"]?.number.map { abs($0 / 1e6 - Date().timeIntervalSince1970) < 30 } == true)

    try client.waitUntilTold("the need of a calibration") { $0.name == "CalibrationNeeded" }
    let need = try #require(client.signals.first { $0.name == "CalibrationNeeded" }).arguments[0]
    #expect(need["needed"] == true && need["coverage"]?.text?.utf8.count == 96 && need["progress"]?.number != nil)
    #expect(try client.heading("DismissHeadingCalibration", on: session) == .values([]))
    try client.waitUntilTold("the end of the need") { $0.name == "CalibrationNeeded" && $0.arguments[0]["needed"] == false }

    #expect(try client.heading("StopUpdatingHeading", on: session) == .values([]))
    let count = client.signals.count { $0.name == "HeadingUpdated" }
    for _ in 0..<20 {
      // The simulator has 50 samples a second, and each answer comes after the signals before it.
      usleep(20_000)
      try client.ping()
    }
    #expect(client.signals.count { $0.name == "HeadingUpdated" } == count)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `impossible options are refused by name, and change nothing`() throws {
    let scene = try LocationScene(Self.simulated)
    let session = try scene.client.openSession()
    for options in [
      ["filter": 181], ["filter": -0.1], ["orientation": "sideways"], ["mountAngle": 361], ["orientation": "portrait", "mountAngle": 3],
      ["interval": "soon"], ["interval": "10ms"], ["interval": "25h"], ["colour": "red"],
    ] as [JSON] {
      #expect(try scene.client.follow(options, on: session).name == Self.prefix + "InvalidOptions", "\(options)")
    }
    for options in [["filter": "one"], ["travel": "yes"], ["interval": 5]] as [JSON] {
      #expect(try scene.client.follow(options, on: session).name == "org.freedesktop.DBus.Error.InvalidArgs", "\(options)")
    }
    #expect(try scene.client.heading("StopUpdatingHeading", on: session).name == Self.prefix + "NotUpdatingHeading")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `without a source a request is refused, and a session that requires one starts nothing`() throws {
    let scene = try LocationScene("[heading]\nsource = \"off\"\n")
    let session = try scene.client.openSession()
    #expect(try scene.client.follow(on: session).name == Self.prefix + "NoHeadingSource")
    let strict = try scene.client.openSession(["purpose": "a test", "require": ["magnetometer"]])
    #expect(try scene.client.follow(on: strict).name == Self.prefix + "MissingCapability")
    scene.daemon.signal(SIGTERM)
  }

  /// A receiver does not report whether it has a compass before it is on.
  @Test func `a session that requires a magnetometer finds the compass of a receiver`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config + "[heading]\nsource = \"auto\"\n", environment: ["BEACONMON_IIO": "/nonexistent"])
    let session = try scene.client.openSession(["purpose": "a test", "require": ["magnetometer"]])
    #expect(try scene.client.follow(["filter": 5], on: session) == .values([]))
    try wait(for: "the heading") {
      receiver.point(77)
      try scene.client.ping()
      return scene.client.signals.contains { $0.name == "HeadingUpdated" && $0.arguments[0]["magneticHeading"] == 77 }
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test(.enabled(if: geteuid() == 0, "requires root to run as another user"))
  func `headings need the consent of locations, and end with it`() throws {
    let scene = try ConsentScene(rules: Self.simulated)
    let session = try scene.client.openSession()
    #expect(try scene.client.follow(["filter": 0], on: session) == ConsentScene.undecided)
    #expect(!scene.client.signals.contains { $0.name == "HeadingUpdated" })
    try scene.decide("grant", "65534")
    #expect(try scene.client.follow(["filter": 0], on: session) == .values([]))
    try scene.client.waitUntilTold("a heading") { $0.name == "HeadingUpdated" }
    #expect(!scene.insider.signals.contains { $0.name == "HeadingUpdated" })
    try scene.decide("revoke", "65534")
    try scene.client.waitUntilTold("the end") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "denied" }
    #expect(try scene.client.heading("StopUpdatingHeading", on: session).name == Self.prefix + "NotUpdatingHeading")
    #expect(try scene.client.follow(["filter": 0], on: session).name == Self.prefix + "NotAuthorized")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a magnetic model that is out of date is named in the log and in the status`() throws {
    let clocks = try TestClocks()
    clocks.ahead = 8 * 366 * 86_400
    let scene = try LocationScene(Self.simulated, clocks: clocks)
    let session = try scene.client.openSession()
    #expect(try scene.client.follow(on: session) == .values([]))
    _ = try scene.daemon.log.next("the warning") { $0.contains("WMM-2025 was valid until 2030; update beaconmon") }
    let status = try CommandLine(["status", "--json", "--bus", scene.stage.bus.address]).output.joined()
    #expect(status.contains("WMM-2025 was valid until 2030"), "\(status)")
    scene.daemon.signal(SIGTERM)
  }
}

/// Headings that the Swift library receives from a real daemon.
@Suite(.serialized, .ownThread) struct ClientHeadingTests {
  @Test func `a manager has the heading, its filter and its orientation, and a sequence begins with the known heading`() async throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config + "[heading]\nsource = \"receiver\"\n")
    let manager = scene.manager()
    #expect(manager.heading == nil)
    let diary = DelegateRecorder.of(manager)
    manager.headingFilter = 5
    manager.startUpdatingHeading()
    func point(_ degrees: Double, until expected: Double) throws {
      try wait(for: "\(expected)°") {
        receiver.point(degrees)
        // The pace of the receiver. The wait ends when the heading is delivered.
        usleep(50_000)
        return manager.heading?.magneticHeading == expected
      }
    }
    try point(90, until: 90)
    #expect(manager.headingAvailable)
    let heading = try #require(manager.heading)
    #expect(heading.kind == .heading && heading.field == nil && heading.headingAccuracy == nil && heading.source == "nmea")
    // A turn within the filter is not delivered.
    for _ in 0..<10 {
      receiver.point(93)
      // The pace of the receiver. The next heading follows all of these.
      usleep(50_000)
    }
    #expect(manager.heading?.magneticHeading == 90)
    try point(99, until: 99)
    manager.headingOrientation = .landscapeLeft
    try point(99, until: 189)
    var changes = manager.headingUpdates.makeAsyncIterator()
    guard case .heading(let known)? = try await changes.next() else { throw TimeoutError("no heading") }
    #expect(known.magneticHeading == 189)
    manager.stopUpdatingHeading()
    #expect(diary.lines.contains("heading 90.0") && !diary.lines.contains("heading 93.0"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a calibration is shown until it is dismissed or good, and then headings have an accuracy`() throws {
    let scene = try LocationScene(LocationScene.fixed + "\n[heading]\nsource = \"simulator\"\n")
    let manager = scene.manager()
    manager.headingFilter = nil
    manager.startUpdatingHeading()
    try wait(for: "a field and the need of a calibration") { manager.heading != nil && manager.headingCalibration?.isNeeded == true }
    #expect(manager.headingCalibration?.coverage.count == 96)
    let heading = try #require(manager.heading)
    #expect(heading.magneticHeading == nil && heading.trueHeading == nil && heading.kind == nil && heading.field != nil)
    manager.dismissHeadingCalibrationDisplay()
    try wait(for: "the end of the need") { manager.headingCalibration == nil }
    try wait(for: "a direction", within: 60) { manager.heading?.headingAccuracy != nil }
    let known = try #require(manager.heading)
    #expect(known.magneticHeading != nil && known.trueHeading != nil && known.trueHeadingAccuracy != nil)
    #expect(try #require(known.field).magnitude > 5)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device without a source of headings fails a sequence with the reason`() async throws {
    let scene = try LocationScene("[heading]\nsource = \"off\"\n")
    let manager = scene.manager()
    await #expect(throws: LocationError.self) { for try await _ in manager.headingUpdates {} }
    #expect(!manager.headingAvailable && manager.heading == nil)
    scene.daemon.signal(SIGTERM)
  }
}
