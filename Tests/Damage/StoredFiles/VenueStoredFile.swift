import MonitorConfiguration
import Venues

/// A venue file, which a person writes or receives from another one.
struct VenueStoredFile: StoredFile {
  let name = "venue"
  let fileName = "gallery.toml"
  let isDatabase = false

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Venue) throws -> Void) throws {
    let path = "\(folder)/\(fileName)"
    for form in Form.allCases {
      let count = Int.random(in: 1...20, using: &random)
      let parts = (1...count).map { number in
        """
        [[beacon]]
        major = 1
        minor = \(number)
        level = "ground"
        position = [\(number), \(number % 7)]
        [[place]]
        id = "exhibit-\(number)"
        kind = "exhibit"
        beacon = [1, \(number)]
        title = { en = "Exhibit \(number)", de = "Exponat \(number)" }
        links = ["https://example.org/\(number)"]
        """
      }
      let text = """
        format = 1
        name = { en = "Gallery", de = "Galerie" }
        uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        [frame]
        latitude = 48.13715
        longitude = 11.57549
        [[level]]
        id = "ground"
        plan = { image = "ground.png", size = [2400, 1600] }
        anchors = [
          { pixel = [120, 80], latitude = 48.13740, longitude = 11.57520 },
          { pixel = [2280, 1500], latitude = 48.13690, longitude = 11.57610 },
        ]
        walkable = [[[0, 0], [40, 0], [40, 26], [0, 26]]]
        voids = [[[2, 2], [3, 2], [3, 3]]]
        [[level]]
        id = "first"
        ordinal = 1
        [[node]]
        id = "lift-0"
        level = "ground"
        position = [1, 1]
        [[node]]
        id = "lift-1"
        level = "first"
        position = [1, 1]
        [[lift]]
        id = "lift"
        stops = ["lift-0", "lift-1"]
        \(parts.joined(separator: "\n"))
        """
      try Files.write(Array(text.utf8), to: path)
      try keep(form, try VenueDocument.read(file: path).venue)
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Venue]) throws -> Verdict {
    var verdict = Verdict()
    do throws(ConfigurationError) {
      let document = try VenueDocument.read(file: "\(folder)/\(fileName)")
      let venue = document.venue
      verdict.expect(venue.beacons.allSatisfy { venue.level($0.level) != nil && $0.position.isFinite }, "a beacon hangs nowhere")
      verdict.expect(Set(venue.beacons.map(\.identity)).count == venue.beacons.count, "two beacons have one identity")
      verdict.expect(Set(venue.places.map(\.id)).count == venue.places.count, "two places have one id")
      let addresses = venue.places.flatMap(\.links).map(\.address)
      verdict.expect(addresses.allSatisfy { $0.lowercased().hasPrefix("https://") }, "a link is not https")
      verdict.expect(Catalogue([venue]).search("", limit: .max).count == venue.places.count, "a place cannot be found")
      for warning in document.warnings { verdict.expectClear("\(warning)") }
    } catch {
      for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) { verdict.expectClear(line) }
    }
    return verdict
  }
}

extension Verdict {
  /// Adds a fault unless a line of an error names a place and has no control character.
  mutating func expectClear(_ line: some StringProtocol) {
    expect(line.contains(": ") && !line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "an unclear line: \(line)")
  }
}
