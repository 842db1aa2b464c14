import ConfigurationTree
import MonitorConfiguration
import Records
import Seeds
import Testing

/// Changes of single tables in the text of a venue file.
@Suite struct VenueTextTests {
  private static let shop = """
    # The shop.
    format = 1
    id = "shop"
    name = "Shop"

    [[level]]
    id = "ground"
    plan = { image = "ground.png", size = [1000, 800] } # from the architect
    anchors = [ # corners of the house
      { pixel = [0, 0], latitude = 48.0, longitude = 11.0 }, # north west
      { pixel = [1000, 0], latitude = 48.0, longitude = 11.001 },
    ]
    walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]

    # The beacon at the door.
    [[beacon]]
    major = 1
    minor = 1
    position = [1, 2.5] # measured
    height = 2.3

    # The beacon at the till.
    [[beacon]]
    major = 1
    minor = 2
    position = [7.0, 5]

    [[place]]
    id = "till"
    title = { de = "Kasse", en = "Till" }
    position = [7, 5]

    """

  private typealias Value = ConfigurationNode.Value

  private static func point(_ x: Double, _ y: Double) -> Value {
    .list([ConfigurationNode(.number(x)), ConfigurationNode(.number(y))])
  }

  private func edited(_ edits: VenueEdit..., text: String = shop) throws -> String { try VenueEdit.apply(edits, to: text) }

  @Test func `a beacon moves, and all other text is unchanged`() throws {
    let text = try edited(.set(VenueTable(.beacon, 0), ["position": Self.point(3.25, 2.5)]))
    #expect(text == Self.shop.replacing("[1, 2.5] # measured", with: "[3.25, 2.5] # measured"))
  }

  @Test func `a value that means the same changes nothing`() throws {
    let place: [String: Value?] = [
      "position": Self.point(7, 5), "title": .table(["en": ConfigurationNode(.text("Till")), "de": ConfigurationNode(.text("Kasse"))]),
    ]
    #expect(try edited(.set(VenueTable(.beacon, 1), ["position": Self.point(7, 5)]), .set(VenueTable(.place, 0), place)) == Self.shop)
  }

  @Test func `an anchor moves between its comments`() throws {
    func anchor(_ x: Double, _ longitude: Double) -> ConfigurationNode {
      ConfigurationNode(
        .table([
          "pixel": ConfigurationNode(Self.point(x, 0)), "latitude": ConfigurationNode(.number(48)),
          "longitude": ConfigurationNode(.number(longitude)),
        ]))
    }
    let text = try edited(.set(VenueTable(.level, 0), ["anchors": .list([anchor(12, 11), anchor(1000, 11.001)])]))
    #expect(text == Self.shop.replacing("pixel = [0, 0]", with: "pixel = [12.0, 0]"))
  }

  @Test func `keys are added after the last one, and removed with their line`() throws {
    let text = try edited(.set(VenueTable(.beacon, 0), ["height": Value?.none, "name": .text("Door \"A\"")]))
    #expect(text == Self.shop.replacing("# measured\nheight = 2.3\n", with: "# measured\nname = \"Door \\\"A\\\"\"\n"))
  }

  @Test func `a table is added after those of its kind, or at the end`() throws {
    let beacon: [String: Value] = ["position": Self.point(9, 9), "minor": .integer(3), "major": .integer(1)]
    let wall: [String: Value] = ["to": Self.point(5, 0), "from": Self.point(0, 0), "attenuation": .integer(6)]
    let text = try edited(.add(.beacon, beacon), .add(.wall, wall))
    #expect(
      text
        == Self.shop.replacing(
          "[7.0, 5]\n", with: "[7.0, 5]\n\n[[beacon]]\nmajor = 1\nminor = 3\nposition = [9.0, 9.0]\n")
        + "\n[[wall]]\nfrom = [0.0, 0.0]\nto = [5.0, 0.0]\nattenuation = 6\n")
  }

  @Test func `a table is removed with its comment`() throws {
    let text = try edited(.remove(VenueTable(.beacon, 0)))
    #expect(!text.contains("door") && !text.contains("minor = 1\n") && text.contains("# The beacon at the till.\n[[beacon]]"))
    #expect(try edited(.remove(VenueTable(.place, 0))).hasSuffix("position = [7.0, 5]\n"))
  }

  @Test func `the tables of a level are removed with it, and another level is added after them`() throws {
    let text = "[[level]]\nid = \"a\"\n[[level.anchors]]\npixel = [0, 0]\n\n[[beacon]]\nminor = 1\n"
    #expect(try edited(.remove(VenueTable(.level, 0)), text: text) == "[[beacon]]\nminor = 1\n")
    #expect(
      try edited(.add(.level, ["id": .text("b")]), text: text)
        == "[[level]]\nid = \"a\"\n[[level.anchors]]\npixel = [0, 0]\n\n[[level]]\nid = \"b\"\n\n[[beacon]]\nminor = 1\n")
    #expect(throws: VenueEditError(line: 3, "anchors is written in several parts; change it in the text")) {
      try edited(.set(VenueTable(.level, 0), ["anchors": .list([])]), text: text)
    }
  }

  @Test func `a list of tables in braces is changed as well`() throws {
    let text = "wall = [{ from = [0, 0], to = [1, 0], attenuation = 3 }]\n"
    #expect(
      try edited(.set(VenueTable(.wall, 0), ["to": Self.point(2.5, 0)]), text: text)
        == "wall = [{ from = [0, 0], to = [2.5, 0], attenuation = 3 }]\n")
    #expect(try edited(.remove(VenueTable(.wall, 0)), text: text) == "wall = []\n")
    #expect(
      try edited(.add(.wall, ["attenuation": .integer(4)]), text: text)
        == "wall = [\n  { from = [0, 0], to = [1, 0], attenuation = 3 },\n  { attenuation = 4 },\n]\n")
  }

  @Test func `a file without levels gets one`() throws {
    let text = try edited(.set(VenueTable(.level, 0), ["walkable": .list([])]), text: "format = 1\n")
    #expect(text == "format = 1\n\n[[level]]\nid = \"ground\"\nwalkable = []\n")
  }

  @Test func `lines keep their ends`() throws {
    let text = Self.shop.replacing("\n", with: "\r\n")
    let changed = try edited(.add(.wall, ["attenuation": .integer(6)]), .set(VenueTable(.beacon, 0), ["name": .text("x")]), text: text)
    #expect(!changed.replacing("\r\n", with: "").contains("\n"))
  }

  @Test func `a table that is gone, and a text that is not TOML, are errors`() {
    #expect(throws: VenueEditError("there is no beacon 3 in the text any more; load the venue again")) {
      try edited(.remove(VenueTable(.beacon, 2)))
    }
    #expect(throws: VenueEditError.self) { try edited(.remove(VenueTable(.beacon, 0)), text: "a = ") }
    #expect(throws: VenueEditError.self) { try edited(.set(VenueTable(.beacon, 0), [:]), text: "beacon = 7") }
  }

  @Test(arguments: ["beacon", "beacon/", "beacon/-1", "tower/1", "beacon/1/2", "beacon/99999999999999999999"])
  func `an invalid key is refused`(_ text: String) { #expect(VenueTable(text) == nil) }

  @Test func `random edits of random tables leave a text that is TOML`() throws {
    var random = SeededGenerator(seed: 20)
    var text = Self.shop
    for _ in 0..<300 {
      let kind = VenueTable.Kind.allCases[Int.random(in: 0..<6, using: &random)]
      let table = VenueTable(kind, Int.random(in: 0..<4, using: &random))
      let edits: [VenueEdit] = [
        .set(table, ["position": Self.point(1.5, 2)]), .add(kind, ["id": .text("#\n\"")]), .remove(table),
        .set(table, ["position": Value?.none]),
      ]
      if let next = try? edited(edits[Int.random(in: 0..<4, using: &random)], text: text) { text = next }
      _ = try VenueDrawing(text)
    }
  }

  @Test func `a drawing has the keys of its tables, their levels and the residuals of anchors`() throws {
    let drawing = try VenueDrawing(Self.shop)
    #expect(drawing.id == "shop" && drawing.tables[.beacon]?.count == 2 && drawing.tables[.edge] == [])
    guard case .table(let till)? = drawing.tables[.beacon]?[1], case .table(let level)? = drawing.tables[.level]?.first,
      case .list(let anchors)? = level["anchors"]?.value, case .table(let anchor) = anchors[0].value
    else {
      Issue.record("no tables")
      return
    }
    #expect(till["key"]?.value == .text("beacon/1") && till["level"]?.value == .text("ground"))
    #expect(anchor["residual"]?.value == .number(0))
    #expect(try VenueDrawing("format = 1").tables[.level]?.count == 1)
  }

  // MARK: The form of clients

  private func edit(_ json: String) throws -> VenueEdit { try VenueEdit(Record(json: json)) }

  @Test func `a client writes values in TOML`() throws {
    let text = "id = \"v\"\n\n[[beacon]]\nminor = 1\nheight = 2\n"
    let changed = try edited(
      try edit(#"{"do":"set","key":"beacon/0","values":{"position":"[1.5, 2]","height":""}}"#),
      try edit(#"{"do":"add","table":"place","values":{"id":"\"a\"","title":"{ en = \"A\" }","landmark":"true","radius":""}}"#), text: text)
    #expect(
      changed
        == "id = \"v\"\n\n[[beacon]]\nminor = 1\nposition = [1.5, 2]\n\n[[place]]\nid = \"a\"\ntitle = { en = \"A\" }\nlandmark = true\n")
    #expect(try edited(try edit(#"{"do":"remove","key":"beacon/0"}"#), text: text) == "id = \"v\"\n")
  }

  @Test(arguments: [
    "{}", #"{"do":"burn","key":"beacon/0"}"#, #"{"do":"set","key":"beacon","values":{}}"#, #"{"do":"set","key":"beacon/0"}"#,
    #"{"do":"add","table":"tower","values":{}}"#, #"{"do":"set","key":"beacon/0","values":{"minor":7}}"#,
    #"{"do":"set","key":"beacon/0","values":{"minor":"7\n[[place]]"}}"#, #"{"do":"set","key":"beacon/0","values":{"minor":"7 8"}}"#,
    #"{"do":"set","key":"beacon/0","values":{"minor":"7\nid = 3"}}"#, #"{"do":"remove"}"#,
  ])
  func `an invalid edit is refused`(_ json: String) { #expect(throws: VenueEditError.self) { try edit(json) } }

  @Test func `a drawing is JSON with a list for each kind`() throws {
    let text = "id = \"</script>\"\n[[beacon]]\nminor = 7\nposition = [0.5, nan]\n"
    #expect(
      try VenueDrawing(text).json
        == #"{"id":"</script>","level":[{"id": "ground", "key": "level/0"}],"wall":[],"#
        + #""beacon":[{"key": "beacon/0", "level": "ground", "minor": 7, "position": [0.5, null]}],"place":[],"node":[],"edge":[]}"#)
  }
}
