import Foundation
import TestSupport
import Testing

/// The command `beaconmon route`.
@Suite struct RouteCommandTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
  }

  private static let floors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Docs/examples/scenarios/three-floors.venue.toml").standardized.path

  private func route(_ arguments: String...) throws -> CommandLine {
    try CommandLine(["route"] + arguments + ["--venue", Self.floors])
  }

  @Test func `a route is printed as numbered steps in the language of the user`() throws {
    let english = try route("reception", "library", "--language", "en")
    #expect(english.status == 0)
    #expect(english.output.first?.contains("minute") == true)
    #expect(english.output.contains { $0.hasSuffix("stairs up to First floor.") || $0.hasSuffix("lift up to First floor.") })
    #expect(english.output.last?.contains("Library") == true)
    let german = try route("Reception", "Bibliothek", "--language", "de")
    #expect(german.status == 0 && german.output.count == english.output.count)
    #expect(german.output.last?.contains("Bibliothek") == true)
  }

  @Test func `a language without sentences is named with those that exist, and the names of places stay in it`() throws {
    let french = try route("reception", "library", "--language", "fr")
    #expect(french.status == 0 && french.output.last?.contains("Library") == true)
    #expect(
      french.errors == ["beaconmon: --language: there are no sentences in \"fr\", so they are in English; the languages are en, de"],
      "\(french.errors)")
    #expect(try route("reception", "library", "--language", "de_CH.UTF-8").errors.isEmpty)
  }

  @Test func `a negative coordinate needs no separator before it`() throws {
    let point = try route("-100,-100@ground", "library")
    #expect(point.status == 65 && point.errors.joined().contains("\"-100,-100@ground\" to \"library\""), "\(point.errors)")
    let separated = try CommandLine(["route", "--venue", Self.floors, "--", "-100,-100@ground", "library"])
    #expect(separated.errors == point.errors)
    let number = try route("-5x,3@ground", "library")
    #expect(number.status == 64 && number.errors.joined().contains("there is no place \"-5x,3@ground\""), "\(number.errors)")
    let speed = try route("reception", "library", "--speed", "-1")
    #expect(speed.status == 64 && speed.errors.joined().contains("'-1'"), "\(speed.errors)")
  }

  @Test func `an empty place is named as empty`() throws {
    for (arguments, words) in [
      (["route", "", "library"], "the start is empty"), (["route", "library", " "], "the destination is empty"),
      (["guide", ""], "the destination is empty"),
    ] {
      let result = try CommandLine(arguments)
      #expect(result.status == 64 && result.errors.joined().contains(words), "\(result.errors)")
    }
  }

  @Test func `an accessible route takes the lift`() throws {
    let result = try route("3,17@ground", "3,17@second", "--accessible", "--json")
    let record = try #require(try JSONSerialization.jsonObject(with: Data(result.output.joined().utf8)) as? [String: Any])
    #expect(record["accessible"] as? Bool == true && record["venue"] as? String == "three-floors")
    let points = try #require(record["points"] as? [[String: Any]])
    #expect(points.contains { $0["mode"] as? String == "lift" } && !points.contains { $0["mode"] as? String == "stairs" })
    #expect(points.first?["level"] as? String == "ground" && points.last?["floor"] as? Int == 2)
  }

  @Test func `GeoJSON has a line for each part and a point for each step`() throws {
    let result = try route("reception", "board-room", "--geojson")
    let collection = try #require(try JSONSerialization.jsonObject(with: Data(result.output.joined().utf8)) as? [String: Any])
    let features = try #require(collection["features"] as? [[String: Any]])
    let kinds = features.compactMap { ($0["geometry"] as? [String: Any])?["type"] as? String }
    #expect(kinds.contains("LineString") && kinds.contains("Point"))
    #expect(features.allSatisfy { ($0["properties"] as? [String: Any])?["feature"] != nil })
  }

  @Test func `a wrong place, a missing level and the lack of a route are refused by name`() throws {
    let unknown = try route("receptoin", "library")
    #expect(unknown.status == 64 && unknown.errors.joined().contains("there is no place \"receptoin\"; the places of three-floors are"))
    let level = try route("3,17", "library")
    #expect(level.status == 64 && level.errors.joined().contains("the start \"3,17\" needs a level"))
    let moon = try route("3,17@moon", "library")
    #expect(moon.status == 64 && moon.errors.joined().contains("three-floors has no level \"moon\"; the levels are ground, first, second"))
    let number = try route("3,nan@ground", "library")
    #expect(number.status == 64 && number.errors.joined().contains("\"3,nan@ground\" is not a point; write metres or degrees"))
    let outside = try route("reception", "100,100@ground")
    #expect(outside.status == 65 && outside.errors.joined().contains("the destination is outside: 76 m"))
    for pair in ["48.137,11.575", "3.125,17@ground", "48.13715,11.5"] {
      let doubtful = try route(pair, "library")
      #expect(doubtful.status == 64 && doubtful.errors.joined().contains("could be metres on a plan or a coordinate"), "\(doubtful.errors)")
    }
    let away = try CommandLine(["route", "a", "b", "--venue", "/nonexistent.toml"])
    #expect(away.status == 66)
  }
}
