import MonitorConfiguration
import Testing
import Venues

/// The errors and warnings of venue files.
@Suite struct VenueMistakeTests {
  private static var head: String { VenueFileTests.head }
  private static var beacon: String { VenueFileTests.beacon }

  private func venue(_ text: String) throws -> Venue { try VenueDocument.parse(text: text, name: "t").venue }

  struct Mistake: CustomTestStringConvertible {
    let text: String
    let messages: [String]
    var testDescription: String { messages.joined(separator: " ") }

    init(_ text: String, _ messages: String...) {
      (self.text, self.messages) = (VenueMistakeTests.head + text, messages)
    }
  }

  private static let anchors = "[[level]]\nid = \"a\"\nplan = { image = \"a.png\", size = [100, 100] }\nanchors = [\n"

  private static func anchor(_ x: Int, _ y: Int, _ latitude: Double, _ longitude: Double) -> String {
    "{ pixel = [\(x), \(y)], latitude = \(latitude), longitude = \(longitude) },\n"
  }

  private static func level(_ keys: String) -> String { "[[level]]\nid = \"a\"\n\(keys)\n" }

  @Test(arguments: [
    Mistake(
      level("walkable = [[[0, 0], [4, 4], [4, 0], [0, 4]]]"),
      "5: level \"a\": walkable: crosses itself: its edges from [0, 0] and from [4, 0] meet; list the corners in the order around the area, each once"
    ),
    Mistake(
      level("walkable = [[[0, 0], [4, 0], [4, 0], [4, 4]]]"),
      "5: level \"a\": walkable: has the corner [4, 0] twice in a row; remove one of them"),
    Mistake(
      level("walkable = [\n[[0, 0], [4, 0], [4, 4]],\n[[0, 0], [4, 0]]\n]"),
      "7: level \"a\": walkable: has 2 corners; an area has at least three, such as [[0, 0], [4, 0], [4, 3], [0, 3]]"),
    Mistake(
      level("walkable = [[[0, 0], [0, 0], [0, 0]]]"),
      "5: level \"a\": walkable: has 1 corner; an area has at least three, such as [[0, 0], [4, 0], [4, 3], [0, 3]]"),
    Mistake(
      level("walkable = [[[0, 0], [5, 5], [10, 10]]]"),
      "5: level \"a\": walkable: has no area, because its corners lie in a line; list the corners around the area"),
    Mistake(
      level("walkable = [[0, 0], [4, 0], [4, 4]]"), "5: level \"a\": walkable: must be a list such as [2.5, 4], not an integer"),
    Mistake(
      level("walkable = [[[0, 0], [4, nan], [4, 4]]]"), "5: level \"a\": walkable: nan is not between -10000 and 10000"),
    Mistake(
      beacon + "height = inf", "7: beacon 1: height: inf is not between -100 and 1000"),
    Mistake(
      "[frame]\nlatitude = nan\nlongitude = 1", "4: frame: latitude: nan is not between -90 and 90"),
    Mistake(
      level("") + level(""), "7: level \"a\": id: is already used by the level in line 4; choose another one"),
    Mistake(
      beacon + beacon, "7: beacon 2: is a duplicate of the beacon in line 3; remove one of them, or use another minor"),
    Mistake(
      beacon + "level = \"grund\"", "7: beacon 1: level: there is no level \"grund\"; did you mean \"ground\"?"),
    Mistake(
      beacon + "level = \"roof\"", "7: beacon 1: level: there is no level \"roof\"; define it in a [[level]]"),
    Mistake(
      "[[level]]\nid = \"a\"\n[[level]]\nid = \"b\"\n[[place]]\nid = \"x\"\nposition = [0, 0]",
      "7: place \"x\": missing key \"level\"; the venue has several levels: a, b"),
    Mistake(
      "[[place]]\nid = \"x\"\nlevel = \"roof\"\nposition = [0, 0]",
      "5: place \"x\": level: there is no level \"roof\"; define it in a [[level]]"),
    Mistake(
      "[[level]]\nid = \"a\"\n[[level]]\nid = \"b\"\n" + beacon,
      "7: beacon 1: missing key \"level\"; the venue has several levels: a, b"),
    Mistake(
      "[[place]]\nid = \"a\"\nbeacon = [1, 3]",
      "5: place \"a\": beacon: there is no beacon with major 1 and minor 3; define it in a [[beacon]]"),
    Mistake(
      "[[place]]\nid = \"a\"", "3: place \"a\": missing key \"position\"; add position, area or beacon"),
    Mistake(
      "[[place]]\nid = \"a b\"\nposition = [0, 0]",
      "4: place 1: id: \"a b\" is not an id; write 1 to 64 letters a to z, digits, hyphens, dots and underscores for the place, such as \"lodestone\""
    ),
    Mistake(
      "[[place]]\nid = \"a\"\nkind = \"exibit\"\nposition = [0, 0]",
      "5: place \"a\": kind: \"exibit\" is not a kind of place; did you mean \"exhibit\"?"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\nlinks = [\"http://example.org\"]",
      "6: place \"a\": links: \"http://example.org\" is not an https address; only https:// is allowed in a venue"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\nlinks = [{ url = \"javascript:alert(1)\" }]",
      "6: place \"a\": links: \"javascript:alert(1)\" is not an https address; only https:// is allowed in a venue"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\nlinks = [\"https://bank.example@evil.example\"]",
      "6: place \"a\": links: \"https://bank.example@evil.example\" has no plain host; write an address such as \"https://example.org/lodestone\""
    ),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\nimage = \"../../etc/passwd\"",
      "6: place \"a\": image: \"../../etc/passwd\" is not in the folder of the venue file; move the file there, and write \"lodestone.jpg\""
    ),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\naudio = \"file:///etc/passwd\"",
      "6: place \"a\": audio: \"file:///etc/passwd\" is not an https address; only https:// is allowed in a venue"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = \"<b>bold</b>\"",
      "6: place \"a\": title: contains the markup \"<b>bold</b>\"; write plain text"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = { en = \"a&#60;b\" }",
      "6: place \"a\": title: en: contains the markup \"&#60;b\"; write plain text"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = \"a\\u202Eb\"",
      "6: place \"a\": title: \"a\\u{202e}b\" contains a character that changes the direction of text; remove it"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = { \"e n\" = \"x\" }",
      "6: place \"a\": title: e n: \"e n\" is not a language; write a tag such as \"de\" or \"pt-BR\""),
    Mistake(
      "[[node]]\nid = \"a\"\nposition = [0, 0]\n[[edge]]\nfrom = \"a\"\nto = \"b\"",
      "8: edge 1: to: there is no node \"b\"; define it in a [[node]]"),
    Mistake(
      "[[node]]\nid = \"a\"\nposition = [0, 0]\n[[lift]]\nid = \"l\"\nstops = [\"a\", \"a\"]",
      "8: lift \"l\": stops: must be at least two nodes on different levels"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\n[[appointment]]\nplace = \"a\"\nat = 2026-12-01T15:00:00",
      "8: appointment 1: at: \"2026-12-01T15:00:00\" is not a time with a zone; write one such as 2026-12-01T15:00:00+01:00"),
    Mistake(
      "[frame]\nlatitude = 151.2\nlongitude = -33.9",
      "4: frame: latitude: 151.2 is not between -90 and 90; are latitude and longitude swapped?"),
    Mistake(
      "[[place]]\nid = \"a\u{200B}b\"\nposition = [0, 0]",
      "4: place 1: id: \"a\\u{200b}b\" contains the invisible character U+200B; remove it"),
    Mistake(
      "[[place]]\nid = \"l\u{43E}destone\"\nposition = [0, 0]",
      "4: place 1: id: \"l\u{43E}destone\" is not an id, because of \"\u{43E}\", U+043E; write letters a to z, such as \"lodestone\""),
    Mistake("majors = { entry = 1, exhibit = 1 }", "3: majors: entry and exhibit have the same major 1"),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + anchor(0, 0, 48.001, 11) + "]",
      "6: level \"a\": anchors: anchors 1 and 2 are in one spot of the plan; choose places that are far apart"),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + anchor(100, 0, 48, 11.001) + anchor(0, 100, 48.0007, 11) + "]",
      "6: level \"a\": anchors: the plan is mirrored with y down; if its origin is at the bottom, as in drawings, its y axis points up; or latitude and longitude are swapped"
    ),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + anchor(10, 0, 48, 11.0001) + anchor(20, 0, 48, 11.0002) + anchor(30, 0, 48, 11.0003)
        + "]\nfit = \"affine\"",
      "6: level \"a\": anchors: the anchors lie in a line; an affine plan needs anchors in at least three corners"),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + "]", "6: level \"a\": anchors: 1 anchor is too few; a plan needs at least 2"),
    Mistake(
      level("anchors = [{ pixel = [0, 0], latitude = 1, longitude = 1 }]"),
      "5: level \"a\": anchors: requires a plan, such as plan = { image = \"ground.png\", size = [2400, 1600] }"),
  ])
  func `an error in a venue is reported with its line`(mistake: Mistake) {
    do throws(ConfigurationError) {
      Issue.record("accepted as \(try VenueDocument.parse(text: mistake.text, name: "t").venue)")
    } catch {
      #expect(error.description == mistake.messages.map { "t:\($0)" }.joined(separator: "\n"))
    }
  }

  @Test func `a venue without a format, or of a newer one, is refused`() {
    let missing = #expect(throws: ConfigurationError.self) { try venue("name = \"a\"") }
    #expect(missing?.description == "t:1: missing key \"format\"")
    let newer = #expect(throws: ConfigurationError.self) { try venue("format = 2") }
    #expect(newer?.description == "t:1: format: 2 is newer than this program, which reads format 1; install a newer version")
  }

  @Test func `a beacon without any UUID is refused`() {
    let error = #expect(throws: ConfigurationError.self) { try venue("format = 1\n" + Self.beacon) }
    #expect(error?.description == "t:2: beacon 1: missing key \"uuid\"; write it here, or at the top of the file for all beacons")
  }

  // MARK: Warnings

  private static let square = "[[0, 0], [4, 0], [4, 4], [0, 4]]"
  private static let farSquare = "[[10, 0], [14, 0], [14, 4], [10, 4]]"

  @Test(arguments: [
    Mistake("lift2 = 1", "3: unknown key \"lift2\"; did you mean \"lift\"?"),
    Mistake(
      beacon + "colour = 1",
      "7: beacon 1: unknown key \"colour\"; the keys here are uuid, major, minor, level, position, height, power, name"),
    Mistake(
      level("walkable = [\(square)]") + "[[beacon]]\nmajor = 1\nminor = 2\nposition = [6, 2]",
      "6: beacon 1/2: position: [6, 2] is more than 1 m outside the walkable areas of level \"a\"; correct the position, the level or the areas"
    ),
    Mistake(
      level("walkable = [\(square), \(farSquare)]"),
      "3: level \"a\": walkable: no way leads to the area at [10, 0]; add an [[edge]] or a [[lift]], or join the areas"),
    Mistake(
      level("walkable = [\(square)]\n[[level]]\nid = \"b\"\nordinal = 1\nwalkable = [\(square)]"),
      "6: level \"b\": walkable: no way leads to this level; add an [[edge]] or a [[lift]], or join the areas"),
    Mistake(
      level("walkable = [\(square)]\n[[level]]\nid = \"b\"\nwalkable = [\(square)]\n")
        + "[[node]]\nid = \"a\"\nlevel = \"a\"\nposition = [1, 1]\n[[node]]\nid = \"b\"\nlevel = \"b\"\nposition = [1, 1]\n"
        + "[[edge]]\nfrom = \"a\"\nto = \"b\"",
      "6: level \"b\": ordinal: its areas overlap those of level \"a\", which has the same ordinal 0; give each storey its own"),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + anchor(1, 0, 48, 11.00001) + "]",
      "6: level \"a\": anchors: are too close together, at most 0.7 m apart on a plan of 105.5 m: the error in a corner is about 59.9 m; choose anchors in opposite corners"
    ),
    Mistake(
      anchors + anchor(0, 0, 48, 11) + anchor(50, 50, 47.9995, 11.0005) + anchor(100, 100, 47.999, 11.001) + "]",
      "6: level \"a\": anchors: lie in a line, so a mirrored plan or an error across the line cannot be noticed; add one beside it"),
    Mistake(
      level("walkable = [\(square)]\n[[level]]\nid = \"b\"\nordinal = 7\nwalkable = [\(square)]\n")
        + "[[node]]\nid = \"a\"\nlevel = \"a\"\nposition = [1, 1]\n[[node]]\nid = \"b\"\nlevel = \"b\"\nposition = [1, 1]\n"
        + "[[edge]]\nfrom = \"a\"\nto = \"b\"",
      "6: level \"b\": ordinal: 7 is 7 storeys above level \"a\", and no level has an ordinal between them; "
        + "number the storeys without gaps, unless visitors cannot enter those between"),
    Mistake(
      level("walkable = [\(square)]\n[[wall]]\nfrom = [0, 2]\nto = [4, 2]\nattenuation = 5\n")
        + "[[beacon]]\nmajor = 1\nminor = 2\nposition = [1, 2.01]",
      "11: beacon 1/2: position: [1, 2.01] is in a wall, which attenuates its signal on both sides; move it 0.1 m to the side where it hangs"
    ),
    Mistake(
      level("walkable = [\(square)]\n[[place]]\nid = \"a\"\nposition = [7, 2]\n[[place]]\nid = \"b\"\nposition = [5.9, 2]"),
      "6: place \"a\": position: [7, 2] is more than 2 m from the floor that visitors can walk on; correct the position, the level, or the areas of level \"a\""
    ),
    Mistake(
      level("walkable = [[[0, 0], [20, 0], [20, 20], [0, 20]]]\nvoids = [[[5, 5], [15, 5], [15, 15], [5, 15]]]\n")
        + "[[place]]\nid = \"a\"\nposition = [10, 10]\n[[place]]\nid = \"b\"\nposition = [6, 10]",
      "8: place \"a\": position: [10, 10] is more than 2 m from the floor that visitors can walk on; correct the position, the level, or the areas of level \"a\""
    ),
    Mistake(
      "[frame]\nlatitude = 48\nlongitude = 11\n" + anchors + anchor(0, 100, 48.001, 11) + anchor(100, 0, 48.0019, 11.00134)
        + "]\nwalkable = [[[0, 0], [100, 0], [100, 100], [0, 100]]]",
      "6: level \"a\": anchors: place the picture from [-0.039, 111.19] to [100.033, 211.263] of the plan, but the level reaches from [0, 0] to [100, 100]; "
        + "correct the anchors, or latitude and longitude of [frame]"),
    Mistake(
      "[frame]\nlatitude = 48\nlongitude = 11\nbearing = 5\n" + anchors + anchor(0, 100, 48, 11) + anchor(100, 0, 48.0009, 11.00134)
        + "]\nwalkable = [[[0, 0], [100, 0], [100, 100], [0, 100]]]",
      "7: level \"a\": anchors: turn the picture to a bearing of 0.0 degrees, but [frame] has 5.0; correct one of them"),
    Mistake(
      level("walkable = [\(square)]\nvoids = [[[0, 0], [4, 0], [4, 2], [0, 2]], [[-1, 2], [5, 2], [5, 5], [-1, 5]]]"),
      "6: level \"a\": voids: cover all walkable areas, so that no visitor can be on the level; correct their corners"),
    Mistake(
      (1...4).map { "[[beacon]]\nmajor = 1\nminor = \($0)\nposition = [0, 0]\n" }.joined(),
      "3: beacon 1/1: position: all 4 beacons are in one spot, [0, 0], so that the venue has no positions; write where each of them hangs"),
    Mistake(
      "name = { en = \"Gal\u{FEFF}lery\" }\n[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = { en = \"Lode\u{200B}stone\" }\n"
        + "[[place]]\nid = \"b\"\nposition = [0, 0]\ntitle = { en = \"👩‍🎨 نمی‌خواهم\" }",
      "3: name: en: \"Gal\\u{feff}lery\" contains the invisible character U+FEFF; remove it, because the search for the text does not find it",
      "4: place \"a\": title: en: \"Lode\\u{200b}stone\" contains the invisible character U+200B; remove it, because the search for the text does not find it"
    ),
    Mistake(
      "[frame]\nlatitude = 11\nlongitude = 48\n" + anchors + anchor(0, 100, 48, 11) + anchor(100, 0, 48.0009, 11.00134)
        + "]\nwalkable = [[[0, 0], [100, 0], [100, 100], [0, 100]]]",
      "6: level \"a\": anchors: fit [frame] only if latitude and longitude of one of them are swapped; exchange those of the anchors or of [frame]"
    ),
    Mistake(
      "[frame]\nlatitude = 48\nlongitude = 11\n" + anchors + anchor(0, 100, 11, 48) + anchor(100, 0, 11.00134, 48.0009)
        + "]\nwalkable = [[[0, 0], [100, 0], [100, 100], [0, 100]]]",
      "6: level \"a\": anchors: fit [frame] only if latitude and longitude of one of them are swapped; exchange those of the anchors or of [frame]"
    ),
    Mistake(
      "accuracy = 2\n" + level("walkable = [\(square)]\n[[place]]\nid = \"a\"\nposition = [2, 2]\n") + beacon,
      "4: level \"a\": has too few beacons for the promised accuracy of 2.0 m: 100 % of it is worse, no position at [0.25, 0.25], and at the places "
        + "\"a\" (no position); add beacons there, or promise less"),
    Mistake(
      "[[place]]\nid = \"a\"\nposition = [0, 0]\ntitle = { en = \"A\", de = \"A\" }\n[[place]]\nid = \"b\"\nposition = [0, 0]\ntitle = { en = \"B\" }",
      "7: place \"b\": title: has no text in \"de\", unlike other titles of the venue; add it"),
    Mistake(
      beacon + "[[place]]\nid = \"a\"\nbeacon = [1, 2]\n[[place]]\nid = \"b\"\nbeacon = [1, 2]",
      "12: place \"b\": beacon: stands for the place in line 7 already, which takes precedence"),
    Mistake(
      "[[node]]\nid = \"a\"\nposition = [0, 0]\n[[node]]\nid = \"b\"\nposition = [9, 0]\n[[node]]\nid = \"c\"\nposition = [9, 9]\n"
        + "[[edge]]\nfrom = \"a\"\nto = \"b\"\nlength = 3",
      "9: node \"c\": is an island, no way leads to the other nodes; add an [[edge]] or a [[lift]]",
      "12: edge from \"a\" to \"b\": length: 3.0 m is shorter than the straight line of 9.0 m, which counts instead; correct the length or the nodes"
    ),
    Mistake(
      "[[node]]\nid = \"a\"\nposition = [0, 0]\n[[node]]\nid = \"b\"\nposition = [9, 0]\n[[edge]]\nfrom = \"a\"\nto = \"b\"\nlength = 900",
      "9: edge from \"a\" to \"b\": length: 900.0 m is more than ten times the straight line of 9.0 m; correct the length or the nodes"),
  ])
  func `a doubtful part of a valid venue is a warning`(mistake: Mistake) throws {
    let document = try VenueDocument.parse(text: mistake.text, name: "t")
    #expect(document.warnings.map(\.description) == mistake.messages.map { "t:\($0)" })
  }

  @Test func `areas that a lift or stairs join are not islands`() throws {
    let text =
      Self.head + Self.level("walkable = [\(Self.square)]\n[[level]]\nid = \"b\"\nordinal = 1\nwalkable = [\(Self.square)]\n")
      + "[[node]]\nid = \"a\"\nlevel = \"a\"\nposition = [1, 1]\n[[node]]\nid = \"b\"\nlevel = \"b\"\nposition = [1, 1]\n"
      + "[[lift]]\nid = \"lift\"\nstops = [\"a\", \"b\"]"
    #expect(try VenueDocument.parse(text: text, name: "t").warnings.isEmpty)
  }

  @Test func `a beacon on the wall of its room causes no warning`() throws {
    let text = Self.head + Self.level("walkable = [\(Self.square)]") + "[[beacon]]\nmajor = 1\nminor = 2\nposition = [4.5, 2]"
    #expect(try VenueDocument.parse(text: text, name: "t").warnings.isEmpty)
  }
}
