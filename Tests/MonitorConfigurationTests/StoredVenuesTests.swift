import Foundation
import Instants
import MonitorConfiguration
import TestSupport
import Testing
import VenueEditing
import Venues

/// The venues that clients have saved, in the folder of the daemon's state.
@Suite struct StoredVenuesTests {
  private let folder: TemporaryDirectory
  private let store: StoredVenues

  init() throws {
    folder = try TemporaryDirectory()
    store = StoredVenues(folder.file("venues"))
  }

  private static func text(_ id: String?, minor: Int = 1, _ more: String = "") -> String {
    "format = 1\n" + (id.map { "id = \"\($0)\"\n" } ?? "") + "uuid = \"\(galleryUUID)\"\n[[beacon]]\nmajor = 1\nminor = \(minor)\n"
      + "position = [1, 2]\n" + more
  }

  private func put(_ text: String, as name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.file("venues"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("venues/\(name)")))
  }

  private func venues(_ config: String = "") throws -> (ConfiguredVenues, ConfigurationDocument) {
    try Data(config.utf8).write(to: URL(fileURLWithPath: folder.file("beaconmon.toml")))
    let document = try ConfigurationDocument.read(file: folder.file("beaconmon.toml"))
    let venues = ConfiguredVenues(document, store)
    return (venues, venues.completed(document))
  }

  private func version(_ number: Int, of text: String) -> VenueVersion {
    VenueVersion(store.revision(of: text), time: Instant(microseconds: Int64(number)), size: text.utf8.count, user: 1000)
  }

  @Test func `stored venues are in use, with their appointments and files`() throws {
    let desk = "[[place]]\nid = \"desk\"\nposition = [1, 2]\nimage = \"desk.png\"\n"
    let tour = "[[appointment]]\ntitle = \"Tour\"\nat = 2030-01-01T10:00:00Z\nplace = \"desk\"\n"
    try put(Self.text("hall", minor: 1, desk + tour), as: "hall.toml")
    let (venues, document) = try venues()
    #expect(document.configuration.venues.map(\.id) == ["hall"] && document.configuration.appointments.count == 1)
    #expect(document.configuration.venues.first?.places.first?.image == folder.file("venues/desk.png"))
    #expect(document.warnings.isEmpty)
    let file = try #require(venues.venueFiles.first)
    let revision = try store.text(of: "hall").map(store.revision)
    #expect(file.editable == true && file.active == true && file.revision == revision)
  }

  @Test func `a file of the configuration precedes a stored venue with its id or its beacon`() throws {
    try Data(Self.text("hall").utf8).write(to: URL(fileURLWithPath: folder.file("etc.toml")))
    try put(Self.text("hall", minor: 2), as: "hall.toml")
    try put(Self.text("attic", minor: 1), as: "attic.toml")
    try put(Self.text("cellar", minor: 3), as: "cellar.toml")
    let (venues, document) = try venues("venues = [\"etc.toml\"]")
    #expect(document.configuration.venues.map(\.id) == ["hall", "cellar"])
    let warnings = document.warnings.map { "\($0)".replacing(folder.path, with: "FOLDER") }
    #expect(
      warnings == [
        "FOLDER/venues/hall.toml:2: has the id of FOLDER/etc.toml, which precedes it; give the venue another id; the venue is not in use",
        "FOLDER/venues/attic.toml:4: beacon \(galleryUUID)/1/1: is a duplicate of the beacon in FOLDER/etc.toml; remove one of them; "
          + "the venue is not in use",
      ])
    #expect(venues.venueFiles.map(\.active) == [true, false, true, false])
    #expect(try venues.configuredText(of: "hall") == Self.text("hall"))
  }

  @Test(arguments: [
    ("format = 1\nid = \"hall\"\nbeacon = 7\n", "beacon"), ("{", "not in use"), ("", "format"),
    (text("other"), "call the file other.toml"),
  ])
  func `a stored file that is invalid is a warning, and the other venues stay`(text: String, word: String) throws {
    try put(text, as: "hall.toml")
    try put(Self.text("attic", minor: 9), as: "attic.toml")
    let (venues, document) = try venues()
    #expect(document.configuration.venues.map(\.id) == ["attic"])
    #expect(!document.warnings.isEmpty)
    #expect(document.warnings.allSatisfy { "\($0)".contains("venues/hall.toml") && "\($0)".contains("not in use") })
    #expect(document.warnings.contains { "\($0)".contains(word) })
    #expect(venues.venueFiles.last?.note?.hasPrefix("not in use: ") == true)
    #expect(try store.text(of: "hall") == text)
  }

  @Test func `a review names the line of each problem and finds conflicts with all venues`() throws {
    try put(Self.text("attic", minor: 9), as: "attic.toml")
    let (venues, _) = try venues()
    func problems(_ text: String) -> String? { #expect(throws: VenueEditFailure.self) { try venues.review(text) }?.description }
    #expect(try venues.review(Self.text("hall") + "colour = 1\n").warnings.first?.hasPrefix("line 8: ") == true)
    #expect(problems(Self.text(nil)) == "missing key \"id\"; add id = \"gallery\", by which the venue is stored")
    #expect(problems(Self.text("hall", minor: -1))?.hasPrefix("line 6: beacon") == true)
    #expect(problems(Self.text("../hall"))?.hasPrefix("line 2: id: ") == true)
    #expect(problems(Self.text("hall", minor: 9))?.contains("is a duplicate of the beacon in") == true)
    #expect(try venues.review(Self.text("attic", minor: 9, "# changed\n")).venue == "attic")
    #expect(problems(String(repeating: "#", count: (1 << 20) + 1)) == "the text is larger than 1 MiB, the limit for a venue")
  }

  @Test func `a text is replaced at once and its history is bounded`() throws {
    for number in 1...105 {
      let text = Self.text("hall", "# \(number)\n")
      try store.replace("hall", with: text)
      try store.keep(text, of: "hall", as: version(number, of: text))
    }
    #expect(try store.text(of: "hall") == Self.text("hall", "# 105\n"))
    let versions = store.versions(of: "hall")
    #expect(versions.count == 100 && versions.first?.time == Instant(microseconds: 105) && versions.first?.user == 1000)
    #expect(versions.last?.time == Instant(microseconds: 6) && versions.last?.size == UInt64(Self.text("hall", "# 6\n").utf8.count))
    #expect(try store.text(of: "hall", revision: versions[50].revision ?? "") == Self.text("hall", "# 55\n"))
    #expect(try store.text(of: "hall", revision: store.revision(of: Self.text("hall", "# 1\n"))) == nil)
    try store.remove("hall")
    #expect(store.venues.isEmpty && store.versions(of: "hall").count == 100)
  }

  @Test func `the history keeps its order although the clock goes back`() throws {
    for (number, time) in [4_000, 3_000, 20].enumerated() {
      let text = Self.text("hall", minor: number)
      try store.keep(text, of: "hall", as: version(time, of: text))
    }
    #expect(store.versions(of: "hall").map(\.time?.microseconds) == [20, 3_000, 4_000])
    // Files that a person or a damage leaves there are no versions, or the newest ones.
    for name in ["x.toml", "1-2-3.toml", "9223372036854775807-5-0123456789abcdef-.toml", "1-2-0123456789abcdef-1.txt"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("venues/history/hall/\(name)")))
    }
    #expect(store.versions(of: "hall").map(\.time?.microseconds) == [5, 20, 3_000, 4_000])
    try store.keep(Self.text("hall"), of: "hall", as: version(6, of: Self.text("hall")))
    #expect(store.versions(of: "hall").count == 5)
  }

  @Test func `ever new ids do not fill the disk`() throws {
    for number in 1...140 {
      let text = Self.text("hall-\(number)")
      try store.replace("hall-\(number)", with: text)
      try store.keep(text, of: "hall-\(number)", as: version(number, of: text))
      if number > 1 { try store.remove("hall-\(number)") }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("venues/history")).count == 128)
    #expect(store.versions(of: "hall-1").count == 1 && store.versions(of: "hall-2").isEmpty && store.versions(of: "hall-140").count == 1)
  }

  @Test func `a client cannot name a file outside of the folder`() throws {
    try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.file("secret.toml")))
    try put(Self.text("hall"), as: "hall.toml")
    for name in ["../secret", "/etc/passwd", "", ".", "..", "hall/../hall", "history"] {
      #expect(try store.text(of: name) == nil, "\(name)")
      #expect(store.versions(of: name).isEmpty, "\(name)")
      #expect(try store.text(of: name, revision: "0123456789abcdef") == nil, "\(name)")
    }
  }

  @Test func `a damaged file is read with its errors, and can be replaced`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("venues"), withIntermediateDirectories: true)
    try Data([0x66, 0xFF, 0x66]).write(to: URL(fileURLWithPath: folder.file("venues/hall.toml")))
    #expect(try store.text(of: "hall") == "f\u{FFFD}f")
    try put(String(repeating: "#", count: 3 << 20), as: "hall.toml")
    #expect(try store.text(of: "hall")?.utf8.count == 1 << 20)
    try store.replace("hall", with: Self.text("hall"))
    #expect(try venues().1.configuration.venues.map(\.id) == ["hall"])
  }

  @Test func `a daemon without state stores nothing and gives the reason`() throws {
    let store = StoredVenues(nil)
    #expect(store.venues.isEmpty && store.versions(of: "hall").isEmpty)
    #expect(try store.text(of: "hall") == nil)
    #expect(throws: VenueEditFailure.unusable("this daemon has no folder for its state, and stores no venues")) {
      try store.replace("hall", with: "x")
    }
  }
}
