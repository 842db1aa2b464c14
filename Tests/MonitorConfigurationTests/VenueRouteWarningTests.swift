import MonitorConfiguration
import Testing

/// Warnings about the ways of a venue.
@Suite struct VenueRouteWarningTests {
  private static let hall = "[[0, 0], [20, 0], [20, 9], [0, 9]]"

  /// Returns the warnings about a level with one way from west to east.
  private static func warnings(_ kind: String, area: String = hall, walls: String = "") throws -> [String] {
    let text = """
      format = 1
      id = "v"
      [[level]]
      id = "a"
      walkable = [\(area)]
      [[node]]
      id = "a"
      position = [2, 4]
      [[node]]
      id = "b"
      position = [9, 4]
      [[edge]]
      from = "a"
      to = "b"
      kind = "\(kind)"
      \(walls)
      """
    return try VenueDocument.parse(text: text, name: "t").warnings.map(\.description)
  }

  @Test func `steps and gates that visitors can pass on the floor beside them cause a warning`() throws {
    let advice = "and a route may take it; unless visitors can walk there, leave it out of the walkable areas or add walls"
    for (kind, name) in [("stairs", "these steps"), ("gate", "this gate"), ("escalator", "this escalator")] {
      #expect(try Self.warnings(kind) == ["t:12: edge from \"a\" to \"b\": kind: walkable floor leads around \(name), \(advice)"])
    }
    #expect(try Self.warnings("walk").isEmpty && Self.warnings("ramp").isEmpty && Self.warnings("moving-walkway").isEmpty)
  }

  @Test func `steps and gates between walls or as wide as the floor cause no warning`() throws {
    func wall(_ y: Double) -> String { "[[wall]]\nfrom = [5, \(y)]\nto = [5, \(y + 3)]\nattenuation = 4\n" }
    #expect(try Self.warnings("gate", walls: wall(0.5)).count == 1)
    #expect(try Self.warnings("gate", walls: wall(0.5) + wall(4.5)).isEmpty)
    #expect(try Self.warnings("escalator", area: "[[0, 2.5], [20, 2.5], [20, 5.5], [0, 5.5]]").isEmpty)
  }
}
