import BeaconAdvertising
import Instants
import MonitorConfiguration
import Regions
import Testing

@Suite struct RegionTextTests {
  private static let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  private static func region(_ more: String) throws -> BeaconRegion {
    let text = "[[region]]\nuuid = \"\(uuid)\"\n" + (more.contains("identifier") ? more : "identifier = \"a\"\n" + more)
    return try #require(try Configuration.parse(text: text, name: "t").regions.first?.beaconRegion)
  }

  @Test(arguments: [
    "", "major = 1", "major = 1\nminor = 65535", "exit-delay = \"90s\"", "exit-delay = \"1500ms\"\nlearn-exit-delay = true", "within = 0.1",
    "within = 3.0\nleave-beyond = 7.25\nhold = \"250ms\"", "within = 3.0\nnearest-only = true", "minimum-rssi = -80.5",
    "enter-sightings = 3",
    "enter-sightings = 20\nenter-time = \"1m\"",
    "dwell = \"2m\"\nassume = \"inside\"", "notify-on-entry = false\nnotify-on-exit = false", #"identifier = "say \"Grüezi\" \\ 🖼""#,
  ])
  func `a region that is written is read as the same region`(more: String) throws {
    let region = try Self.region(more)
    #expect(try Configuration.parse(text: region.toml, name: "t").regions == [.beacon(region)])
  }
}
