import Beaconmon
import Foundation
import TestSupport
import Testing

/// The capabilities that a session or a config requires.
@Suite struct RequiredCapabilityTests {
  private static let error = "\(BusClient.busName).Error.MissingCapability"
  private static let requiring: JSON = ["purpose": "Shows the way", "require": ["venue", "location"]]

  private func create(_ client: BusClient, _ options: JSON) throws -> BusClient.Reply {
    try client.call(BusClient.manager, "CreateSession", signature: "a{sv}", options)
  }

  private func names(_ missing: JSON?) -> [String] { missing?.list?.compactMap { $0["capability"]?.text } ?? [] }

  @Test func `a manager of the Swift library names missing capabilities, and its requests start when they appear`() throws {
    let scene = try LocationScene("")
    let manager = LocationManager(purpose: "Shows the way", requiring: [.location], bus: scene.bus)
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    try diary.wait(for: "no location: missingCapability")
    #expect(manager.missingCapabilities?.keys.map(\.rawValue) == ["location"])
    #expect(manager.missingCapabilities?[.location]?.hasPrefix("no location source is configured") == true)
    try scene.reload(LocationScene.fixed)
    try diary.wait(for: "at 52.52")
    #expect(manager.missingCapabilities == [:])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session learns of missing capabilities before anything starts, and again when a reload adds them`() throws {
    let scene = try LocationScene("")
    guard case .values(let values) = try create(scene.client, Self.requiring), let session = values.first?.text else {
      throw TimeoutError("no session")
    }
    let missing = try scene.client.property("MissingCapabilities", "Session", at: session)
    #expect(names(missing) == ["location", "venue"])
    #expect(missing?.list?.first?["note"]?.text?.hasPrefix("no location source is configured; add one") == true)
    let refusal = try scene.client.updateLocation(on: session)
    #expect(refusal.name == Self.error)
    #expect(
      try scene.client.range(["uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d"], on: session).name == Self.error)
    let region: JSON = ["identifier": "desk", "uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d"]
    #expect(
      try scene.client.call(BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", region).name == Self.error)
    try scene.reload(LocationScene.fixed)
    try scene.client.waitUntilTold("what is still missing") { $0.name == "MissingCapabilitiesChanged" }
    #expect(names(try scene.client.property("MissingCapabilities", "Session", at: session)) == ["venue"])
    #expect(try scene.client.updateLocation(on: session).name == Self.error)
    guard case .values(let others) = try create(scene.client, ["purpose": "Shows you", "require": ["location", "beacons"]]),
      let other = others.first?.text
    else { throw TimeoutError("no session") }
    #expect(names(try scene.client.property("MissingCapabilities", "Session", at: other)) == [])
    #expect(try scene.client.updateLocation(on: other) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an unknown capability is refused by name`() throws {
    let scene = try LocationScene("")
    let reply = try create(scene.client, ["purpose": "Shows you", "require": ["radar"]])
    #expect(
      reply
        == .error(
          "\(BusClient.busName).Error.InvalidOptions",
          message: "require: \"radar\" is not a capability; use some of magnetometer, gps, beacons, location, venue"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `status, its health and the log name each capability that the config requires and the device lacks`() throws {
    let scene = try LocationScene("require = [\"gps\", \"beacons\"]\n")
    let note = "gps: no satellite receiver is configured; add [location.gpsd] or [location.nmea] to beaconmon.toml"
    _ = try scene.daemon.log.next("the log line") { $0.contains("requires \(note)") }
    let arguments = ["--bus", scene.stage.bus.address]
    #expect(try CommandLine(["status"] + arguments).output.contains { $0.contains("missing") && $0.hasSuffix(note) })
    let health = try CommandLine(["status", "--health"] + arguments)
    #expect(health.status == 1 && health.output.first?.contains("configuration: requires \(note)") == true)
    try scene.reload("require = [\"beacons\"]\n")
    try wait(for: "nothing to be missing") { try scene.client.property("MissingCapabilities", "Manager") == nil }
    scene.daemon.signal(SIGTERM)
  }
}
