import Geodesy
import Instants
import MonitorConfiguration
import Testing
import Venues

@testable import IMDF

/// Venue files that are written and read again.
@Suite struct VenueFileRoundTripTests {
  private func read(_ text: String) throws -> Venue { try VenueDocument.parse(text: text, name: "x.toml").venue }

  @Test(arguments: 1...60) func `a venue keeps everything on the way through a file`(seed: UInt64) throws {
    var generator = VenueGenerator(seed: seed)
    var venue = generator.venue()
    venue.appointments = venue.places.prefix(1).map {
      Appointment(title: ["en": "Tour"], at: Instant(microseconds: 1_790_000_000_000_000), place: $0.id)
    }
    let read = try read(venue.toml)
    #expect(read == venue)
    #expect(read.toml == venue.toml)
  }

  @Test func `a picture keeps its anchors`() throws {
    var generator = VenueGenerator(seed: 3)
    var venue = generator.venue()
    let frame = try #require(venue.frame)
    let anchors = try [PlanPoint(x: 120, y: 80), PlanPoint(x: 2280, y: 1500.5)].map { pixel in
      PlanAnchor(point: pixel, coordinate: try #require(frame.coordinate(for: PlanPoint(x: pixel.x / 20, y: -pixel.y / 20))))
    }
    venue.levels[0].picture = PlanPicture(
      image: "a \"b\".png", width: 2400, height: 1600, transform: try PlanTransform(anchors: anchors, yAxis: .down))
    #expect(try read(venue.toml) == venue)
  }

  @Test func `the smallest venue has a file`() throws {
    let venue = Venue(id: "gallery")
    #expect(try read(venue.toml) == venue)
  }

  @Test func `an imported archive is a valid venue file`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("amenity") { $0["name"] = ForeignArchive.label("A\u{202E}<b> &amp; \u{7}") }
    archive.change("occupant") { $0["id"] = .text("../../x") }
    let result = try IMDFImport(files: archive.files, id: "museum")
    #expect(try read(result.venue.toml) == result.venue)
  }

  @Test(arguments: 1...100) func `a damaged archive that is imported is a valid venue file`(seed: UInt64) throws {
    var damage = ArchiveDamage(seed: seed)
    guard let result = try? IMDFImport(files: damage.damaged(ForeignArchive().files), id: "x") else { return }
    #expect(throws: Never.self) { try read(result.venue.toml) }
  }
}
