import Foundation
import TestSupport
import Testing

/// An appointment of a visitor who is located by beacons alone.
@Suite(.serialized, .ownThread) struct AppointmentWalkTests {
  @Test(arguments: [1, 2]) func `a visitor who leaves in time gets the advice to leave and, soon after arriving, the arrival`(
    seed: Int
  ) throws {
    let stage = try Stage()
    let venue = Programs.repository("Docs/examples/scenarios/three-floors.venue.toml")
    _ = try stage.file("three-floors.venue.toml", String(contentsOfFile: venue, encoding: .utf8))
    // The way takes 73 s, and two minutes at the speed of the config.
    let scenario = try stage.file(
      "walk.toml",
      """
      name = "walk"
      duration = "5m"
      venue = "three-floors.venue.toml"
      [venue-beacons]
      interval = "450ms"
      [radio]
      path-loss-exponent = 2.2
      shadowing = 3
      floor-attenuation = 17
      [ranging]
      path-loss-exponent = 2.2
      [[visitor]]
      name = "guest"
      speed = 1.2
      path = [{ place = [9, 18], wait = "66s" }, { place = [48, 6], level = "second", wait = "5m" }]
      [[receiver]]
      carried-by = "guest"
      """)
    let config = try stage.file(
      "config.toml",
      """
      venues = ["three-floors.venue.toml"]
      [[appointment]]
      title = "Talk"
      at = 2026-01-05T00:03:40Z
      place = "terrace"
      margin = "40s"
      [walking]
      speed = 0.6
      """)
    let daemon = try RunningProgram(
      Programs.daemon,
      ["--bus", stage.bus.address, "--config", config, "--source", "simulator:\(scenario)", "--seed", "\(seed)", "--speed", "10"])
    var events: [JSON] = []
    try wait(for: "two events") {
      events = try CommandLine(["events", "--json", "--bus", stage.bus.address]).output.map { try JSON(parsing: $0) }
      return events.count >= 2
    }
    #expect(events.map { $0["event"]?.text } == ["depart", "arrive"], "\(events)")
    // He is there at 139 s.
    let time = events.last?["time"]?.text ?? ""
    #expect(("2026-01-05T00:02:15"..."2026-01-05T00:02:50").contains(time), "\(time)")
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }
}
