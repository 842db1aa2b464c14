import BeaconAdvertising
import Beacons
import Foundation
import Geodesy
import Instants
import MonitorConfiguration
import Ranging
import Regions
import Simulation
import TestSupport
import Testing
import Venues

/// Scenarios with a position on the earth.
extension ScenarioTests {
  @Test func `a scenario has a position on the earth and a carried receiver`() throws {
    let text = """
      name = "park"
      duration = "1h"
      [earth]
      latitude = -33.5
      longitude = 151
      bearing = 30
      [positioning]
      carried-by = "anna"
      interval = "2s"
      noise = 4
      drift = 3
      drift-time = "2m"
      speed-noise = 0.2
      [[positioning-outage]]
      at = "5m"
      for = "1m"
      silent = true
      [[visitor]]
      name = "anna"
      path = [{ at = "0s", place = [0, 0] }]
      [[region]]
      identifier = "circle"
      latitude = -33.5
      longitude = 151
      radius = 100
      """
    let center = try #require(Coordinate(latitude: -33.5, longitude: 151))
    var expected = Scenario(name: "park", duration: .seconds(3600))
    expected.site = VenueSite(origin: center, bearing: 30)
    expected.positioning = PositionReceiver(
      position: .carried(by: 0), interval: .seconds(2), noise: 4, drift: 3, driftTime: .seconds(120), speedNoise: 0.2)
    expected.faults = [Fault(.positionOutage(isSilent: true), at: .seconds(300), lasts: .seconds(60))]
    expected.visitors = [VisitorPath([.init(at: .zero, place: PlanPoint(x: 0, y: 0))])]
    expected.regions = [.circle(CircularRegion(identifier: "circle", circle: try #require(Circle(center: center, radius: 100))))]
    #expect(try Scenario.parse(text: text, name: "t") == expected)
    let dumb = text.replacingOccurrences(of: "speed-noise = 0.2", with: "speed = false")
    #expect(try Scenario.parse(text: dumb, name: "t").positioning?.speedNoise == nil)
  }

  @Test(arguments: [
    Mistake(
      start + "[[region]]\nidentifier = \"c\"\nlatitude = 1\nlongitude = 2\nradius = 100",
      "5: region: has a circle, which requires a location; add [earth] and [positioning]"),
    Mistake(
      start + "[positioning]\nposition = [0, 0]",
      "5: positioning: requires [earth], or a venue with a [frame], on which it reports locations"),
    Mistake(
      start + "[earth]\nlatitude = 1\nlongitude = 2\n[positioning]\ndrift-time = \"1m\"",
      "8: positioning: has no place; add position or carried-by", "9: positioning: drift-time: requires drift"),
    Mistake(
      start + "[earth]\nlatitude = 1\nlongitude = 2\n[positioning]\nposition = [0, 0]\nspeed = false\nspeed-noise = 1",
      "11: positioning: speed-noise: has no effect with speed = false; remove one of them"),
    Mistake(
      start + "[[positioning-outage]]\nat = \"1s\"\nfor = \"1s\"",
      "5: positioning-outage: requires [positioning]"),
  ])
  func `settings without a position on the earth are reported`(mistake: Mistake) {
    let error = #expect(throws: ConfigurationError.self) { try Scenario.parse(text: mistake.text, name: "t") }
    #expect(error?.description == mistake.messages.map { "t:\($0)" }.joined(separator: "\n"))
  }
}
