import Beacons
import ConfigurationTree
import Instants
import MonitorConfiguration
import Ranging
import Regions
import Testing

/// Regions that programs define, read by the rules of the config file.
@Suite struct RegionDefinitionTests {
  static let least: [String: ConfigurationNode.Value] = ["identifier": .text("desk"), "uuid": .text(galleryUUID)]

  func read(_ values: [String: ConfigurationNode.Value]) throws(RegionDefinitionError) -> Region {
    try Region(definition: values.mapValues { ConfigurationNode($0) }, owner: .session(1))
  }

  @Test func `every key is read, and the region equals the one of a file except for its owner`() throws {
    let definition = try read([
      "identifier": .text("desk"), "uuid": .text(galleryUUID), "major": .integer(1), "minor": .integer(5), "exitDelay": .text("1m"),
      "learnExitDelay": .flag(true), "within": .integer(3), "leaveBeyond": .number(5), "hold": .text("1s"), "nearestOnly": .flag(true),
      "minimumRssi": .integer(-80),
      "enterSightings": .integer(3), "enterTime": .text("5s"), "dwell": .text("2m"), "assume": .text("outside"),
      "notifyOnEntry": .flag(false), "notifyOnExit": .flag(false),
    ])
    let file = try Configuration.parse(
      text: """
        [[region]]
        identifier = "desk"
        uuid = "\(galleryUUID)"
        major = 1
        minor = 5
        exit-delay = "1m"
        learn-exit-delay = true
        within = 3
        leave-beyond = 5.0
        hold = "1s"
        nearest-only = true
        minimum-rssi = -80
        enter-sightings = 3
        enter-time = "5s"
        dwell = "2m"
        assume = "outside"
        notify-on-entry = false
        notify-on-exit = false
        """, name: "t")
    let region = try #require(definition.beaconRegion)
    let twin = try #require(file.regions.first?.beaconRegion)
    #expect(region.owner == .session(1) && twin.owner == .config)
    #expect(region.constraint == twin.constraint && region.nearness == twin.nearness && region.entry == twin.entry)
    #expect(region.exitDelay == twin.exitDelay && region.learnsExitDelay && region.dwell == twin.dwell)
    #expect(region.minimumRSSI == twin.minimumRSSI && region.assumed == twin.assumed)
    #expect(!region.notifyOnEntry && !region.notifyOnExit)
  }

  @Test(
    arguments: [
      ([:], "missing key \"uuid\"", ["uuid"]),
      ([:], "missing key \"identifier\"", ["identifier"]),
      (["major": .integer(65_536)], "major: 65536 is not between 0 and 65535", []),
      (["minor": .integer(3)], "minor: requires major, because a minor is only unique within a major", []),
      (["exitDelay": .integer(3)], "exitDelay: must be a text such as \"30s\", not an integer", []),
      (["enterTime": .text("3s")], "enterTime: requires enterSightings; without it, the first sighting enters", []),
      (["leaveBeyond": .number(3)], "leaveBeyond: requires within; without it, any sighting counts", []),
      (["within": .number(.nan)], "within: nan is not between 0.1 and 100", []),
      (["exit-delay": .text("30s")], "unknown key \"exit-delay\"; did you mean \"exitDelay\"?", []),
      (["uuid": .text(String(repeating: "8", count: 100_000))], "uuid: has 100000 octets; at most 65536 are allowed", []),
      (["identifier": .text("a\u{7}")], "identifier: \"a\\u{7}\" contains a control character; remove it", []),
      (
        ["major": .text("one"), "dwell": .text("soon")],
        "major: must be an integer from 0 to 65535, not a text; "
          + "dwell: \"soon\" is not a duration; write a number and ms, s, m, h or d, such as \"30s\"",
        []
      ),
    ] as [([String: ConfigurationNode.Value], String, [String])])
  func `an invalid key is reported as it was written`(more: [String: ConfigurationNode.Value], reason: String, without: [String]) {
    var values = Self.least.merging(more) { $1 }
    for key in without { values[key] = nil }
    let error = #expect(throws: RegionDefinitionError.self) { try read(values) }
    #expect(error?.description == reason)
  }
}
