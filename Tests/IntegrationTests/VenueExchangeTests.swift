import Foundation
import TestSupport
import Testing

/// `beaconmon venue export` and `venue import`.
@Suite struct VenueExchangeTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
  }

  private static let gallery = """
    format = 1
    name = { en = "Gallery", de = "Galerie" }
    uuid = "\(CaptureOctets.uuid)"
    [frame]
    latitude = 48.0
    longitude = 11.0
    [[level]]
    id = "ground"
    name = { en = "Ground floor" }
    plan = { image = "ground.png", size = [400, 200] }
    anchors = [
      { pixel = [0, 200], latitude = 48.0, longitude = 11.0 },
      { pixel = [400, 0], latitude = 48.00009, longitude = 11.00027 },
    ]
    walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]
    [[beacon]]
    major = 1
    minor = 1
    position = [2, 3]
    [[place]]
    id = "lodestone"
    kind = "exhibit"
    beacon = [1, 1]
    title = { en = "Lodestone", de = "Magnetstein" }

    """

  private func venue(_ command: String, _ arguments: String...) throws -> CommandLine { try CommandLine(["venue", command] + arguments) }

  @Test func `a venue survives export and import`() throws {
    let file = try stage.file("gallery.toml", Self.gallery)
    let archive = stage.folder.file("gallery.zip")
    let exported = try venue("export", file)
    #expect(exported.status == 0 && exported.output.isEmpty)
    #expect(exported.errors.contains { $0.contains("warning: venue.geojson: no address") })
    #expect(exported.errors.contains { $0.contains("left out: level ground: the picture ground.png") })
    #expect(try venue("export", file).status == 74)
    #expect(try venue("export", file, "--force").status == 0)
    let copy = stage.folder.file("copy.toml")
    let imported = try venue("import", archive, "-o", copy)
    #expect(imported.status == 0 && imported.errors == ["\(archive): 1 level, 1 place, 1 beacon"])
    #expect(try venue("check", copy, "--strict").status == 0)
    #expect(try venue("import", archive).output.contains("id = \"lodestone\""))
  }

  @Test func `GeoJSON and the places of pictures are printed`() throws {
    let file = try stage.file("gallery.toml", Self.gallery)
    #expect(try venue("export", file, "--geojson").output.contains { $0.contains("\"feature\":\"beacon\"") })
    #expect(try venue("export", file, "--plan", "ground", "--world-file").output.count == 6)
    #expect(try venue("export", file, "--plan", "ground", "--qgis-points").output.count == 4)
    #expect(try venue("export", file, "--plan", "ground", "--kml").output.contains { $0.contains("gx:LatLonQuad") })
    #expect(try venue("export", file, "--plan", "attic", "--kml").status == 64)
    #expect(try venue("export", file, "--plan", "ground").status == 64)
  }

  @Test func `a file that is not an archive is refused with a reason`() throws {
    let file = try stage.file("map.zip", "{}")
    let result = try venue("import", file)
    #expect(result.status == 65 && result.errors.count == 1 && result.errors[0].contains("not a zip archive"))
    #expect(try venue("import", stage.folder.file("nothing.zip")).status == 66)
  }
}
