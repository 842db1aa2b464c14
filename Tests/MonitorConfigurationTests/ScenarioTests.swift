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

/// Scenarios of `beaconmon simulate`: the settings of a file, and the errors of a wrong one.
@Suite struct ScenarioTests {
  static let start = "name = \"t\"\nduration = \"1h\"\n[[receiver]]\nposition = [0, 0]\n"

  @Test func `every key of a scenario is read`() throws {
    let text = """
      name = "shop"
      duration = "2h"
      score-from = "10m"
      [radio]
      path-loss-exponent = 3
      shadowing = 5
      shadowing-distance = 1.5
      fading-factor = 4
      loss = 0.2
      burst = "3s"
      burst-loss = 0.9
      [ranging]
      rssi-offset = 2
      [[wall]]
      from = [1, 2]
      to = [3.5, -4]
      attenuation = 8
      [[visitor]]
      name = "anna"
      every = "1h"
      path = [{ at = "0s", place = [0, 0] }, { at = "90s", place = [9, 0] }]
      [[beacon]]
      uuid = "\(galleryUUID)"
      major = 1
      minor = 2
      carried-by = "anna"
      power = -65
      measured-power = -59
      interval = "350ms"
      jitter = "5ms"
      loss = 0.5
      burst = "12s"
      dies-at = "90m"
      [[receiver]]
      position = [2, 2]
      adapters = 2
      rssi-offset = -4
      sensitivity = -90
      [crowd]
      devices = 7
      interval = "500ms"
      from = [0, 0]
      to = [5, 5]
      [[outage]]
      adapter = 1
      at = "5m"
      for = "1m"
      every = "10m"
      noticed-after = "3s"
      [[restart]]
      at = "20m"
      for = "2s"
      [[clock-step]]
      at = "30m"
      by = "-1h"
      [[region]]
      identifier = "hall"
      uuid = "\(galleryUUID)"
      """
    let uuid = try BeaconUUID(galleryUUID)
    var expected = Scenario(name: "shop", duration: .seconds(7200), scoredFrom: .seconds(600))
    expected.radio = RadioModel(
      pathLossExponent: 3, shadowing: 5, shadowingDistance: 1.5, fading: RicianFading(factor: 4),
      loss: BurstLoss(loss: 0.2, burst: .seconds(3), burstLoss: 0.9))
    (expected.ranging.rssiOffset, expected.ranging.isCalibrated) = (2, true)
    expected.walls = [VenueWall(from: PlanPoint(x: 1, y: 2), to: PlanPoint(x: 3.5, y: -4), attenuation: 8)]
    expected.visitors = [
      VisitorPath(
        [.init(at: .zero, place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(90), place: PlanPoint(x: 9, y: 0))], every: .seconds(3600))
    ]
    expected.beacons = [
      SimulatedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: 1, minor: 2), position: .carried(by: 0), power: -65, measuredPower: -59,
        interval: .milliseconds(350), jitter: .milliseconds(5), loss: BurstLoss(loss: 0.5, burst: .seconds(12)),
        batteryDeath: .seconds(5400))
    ]
    expected.receivers = [Receiver(position: .fixed(PlanPoint(x: 2, y: 2)), adapters: 2, offset: -4, sensitivity: -90)]
    expected.crowd = Crowd(devices: 7, interval: .milliseconds(500), from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 5, y: 5))
    expected.faults = [
      Fault(.outage(adapter: 1, noticedAfter: .seconds(3)), at: .seconds(300), lasts: .seconds(60), every: .seconds(600)),
      Fault(.restart, at: .seconds(1200), lasts: .seconds(2)), Fault(.clockStep(by: .seconds(-3600)), at: .seconds(1800)),
    ]
    expected.regions = [.beacon(BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: uuid)))]
    #expect(try Scenario.parse(text: text, name: "t") == expected)
  }

  @Test(arguments: [
    Mistake(
      "", "1: missing key \"name\"", "1: missing key \"duration\"",
      "1: missing key \"receiver\"; add a [[receiver]] for beacons, or [positioning] for locations"),
    Mistake(start + "[radio]\nburst = \"1s\"", "6: radio: burst: requires loss"),
    Mistake(
      start + "[radio]\nloss = 0.5\nburst = \"1s\"\nburst-loss = 0.5",
      "8: radio: burst-loss: must be greater than loss"),
    Mistake(
      start + "[[wall]]\nfrom = [1]\nto = [1, 2]\nattenuation = 3",
      "6: wall 1: from: has 1 numbers; write two, x and y in metres, such as [2.5, 4]"),
    Mistake(
      start + "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1\nminor = 1", "5: beacon 1: has no place; add position or carried-by"),
    Mistake(
      start + "position = [1, 1]", "5:1: \"position\" is already defined in line 4; remove one of them"),
    Mistake(
      start + "carried-by = \"ann\"\n[[visitor]]\nname = \"anna\"\npath = [{ at = \"0s\", place = [0, 0] }]",
      "5: receiver 1: carried-by: cannot be combined with position; remove one of them"),
    Mistake(
      "name = \"t\"\nduration = \"1h\"\n[[receiver]]\ncarried-by = \"ann\"\n[[visitor]]\nname = \"anna\"\npath = [{ at = \"0s\", place = [0, 0] }]",
      "4: receiver 1: carried-by: there is no visitor \"ann\"; did you mean \"anna\"?"),
    Mistake(
      start
        + "[[visitor]]\nname = \"anna\"\nevery = \"2s\"\npath = [{ at = \"5s\", place = [0, 0] }, { at = \"5s\", place = [0] }, { at = \"3s\", place = [0, 1] }]",
      "7: visitor \"anna\": every: ends before the path; it must be longer than \"3s\"",
      "8: visitor \"anna\": path 2: place: has 1 numbers; write two, x and y in metres, such as [2.5, 4]",
      "8: visitor \"anna\": path: goes back in time at \"3s\"; each waypoint must be later than the previous one"),
    Mistake(
      start + "[[visitor]]\nname = \"anna\"",
      "5: visitor \"anna\": path: requires at least one waypoint, such as { at = \"0s\", place = [0, 0] }"),
    Mistake(
      start + "[[outage]]\nadapter = 1\nat = \"1s\"\nfor = \"2s\"\nevery = \"2s\"",
      "6: outage 1: adapter: there is no adapter 1; the receivers have 1, numbered from 0",
      "9: outage 1: every: must be longer than for, or the faults overlap"),
    Mistake(
      start + "[[clock-step]]\nat = \"1s\"\nby = 5", "7: clock-step 1: by: must be a text such as \"-1h\", not an integer"),
    Mistake(
      start + "[[clock-step]]\nat = \"1s\"\nby = \"+1h\"",
      "7: clock-step 1: by: \"+1h\" is not a step of a clock; write a duration such as \"1h\", \"-30s\" or \"18000d\""),
    Mistake(
      start + "[crowd]\ndevice = 3", "5: crowd: missing key \"devices\"",
      "5: crowd: missing key \"from\"",
      "5: crowd: missing key \"to\"", "6: crowd: unknown key \"device\"; did you mean \"devices\"?"),
  ])
  func `an error in a scenario is reported with its line`(mistake: Mistake) {
    do throws(ConfigurationError) {
      Issue.record("accepted as \(try Scenario.parse(text: mistake.text, name: "t"))")
    } catch {
      #expect(error.description == mistake.messages.map { "t:\($0)" }.joined(separator: "\n"))
    }
  }

  /// A shipped scenario with a few changed characters.
  ///
  /// It is either accepted and runs, or is refused with messages of one line each.
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a mutated scenario is refused with messages of one line, or runs`(seed: UInt64) throws {
    print("scenario fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let example = Array(try Fixture.text("../../Docs/examples/scenarios/quiet-shop.toml"))
    let tokens = [
      "\"1s\"", "[", "]", "{}", "0", "-1", "1e300", "nan", "\"366d\"", "\"anna\"", "\n", "=", "every = \"1ms\"\n", "at = \"0s\"\n",
    ]
    for round in 0..<150 {
      var text = example
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        let end = Swift.min(text.count, place + Int.random(in: 0...6, using: &random))
        text.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? "")
      }
      do throws(ConfigurationError) {
        var scenario = try Scenario.parse(text: String(text), name: "t")
        scenario.duration = Swift.min(scenario.duration, .seconds(60))
        var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
        var trial = EngineTrial(scenario)
        while let step = simulator.next() { trial.take(step) }
        _ = trial.score(against: VenueTruth(scenario, seed: seed))
      } catch {
        for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
          #expect(line.wholeMatch(of: /t:[1-9][0-9]*(:[1-9][0-9]*)?: [^\p{Cc}]+/) != nil, "seed \(seed) round \(round): \(line)")
        }
      }
    }
  }

  @Test(arguments: ["quiet-shop", "busy-mall", "museum", "flaky-dongle", "still-beacon-month"])
  func `a shipped scenario is valid and has regions`(name: String) throws {
    let scenario = try Scenario.parse(text: Fixture.text("../../Docs/examples/scenarios/\(name).toml"), name: name)
    #expect(!scenario.regions.isEmpty && !scenario.beacons.isEmpty)
  }
}
