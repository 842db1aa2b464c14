import Events
import Foundation
import TestSupport
import Testing

/// The page states events in words of its own, so its scripts name kinds and causes as texts that no compiler compares.
@Suite struct EventPageTests {
  private static func text(_ path: String) throws -> String { try String(contentsOfFile: Fixture.repository(path), encoding: .utf8) }

  private static func keys(_ language: String) throws -> Set<String> {
    let data = Data(try text("Web/strings/\(language).json").utf8)
    return Set(try #require(JSONSerialization.jsonObject(with: data) as? [String: String]).keys)
  }

  /// The kinds that a device reports. The page of a device shows no problems of a fleet.
  private static let kinds = Event.Kind.allCases.filter { $0 != .alert && $0 != .alertEnded }

  @Test(arguments: ["en", "de"])
  func `the page has a headline for every kind of event`(language: String) throws {
    let keys = try Self.keys(language)
    #expect(Self.kinds.map(\.rawValue).filter { !keys.contains("event.\($0)") } == [])
  }

  @Test func `every kind of event is in one group of the page`() throws {
    let script = try Self.text("Web/views/events.js")
    let start = try #require(script.range(of: "const GROUPS = {")).upperBound
    let groups = try #require(script[start...].split(separator: "};").first)
    let others = Self.kinds.map(\.rawValue).filter { groups.split(separator: "\"\($0)\"", omittingEmptySubsequences: false).count != 2 }
    #expect(others == [])
  }

  @Test func `the page knows the kinds of events for appointments`() throws {
    let kinds = Self.kinds.filter(\.isOfAppointment).map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    #expect(try Self.text("Web/events/sentences.js").contains("const APPOINTMENTS = [\(kinds)];"))
  }

  @Test(arguments: ["en", "de"])
  func `the page explains every cause of an event`(language: String) throws {
    let (keys, script) = (try Self.keys(language), try Self.text("Web/events/sentences.js"))
    let unexplained = Event.Cause.allCases.map(\.rawValue).filter { name in
      let texts = ["why.\(name)", "finding.\(name)"] + RegionKind.allCases.map { "why.\($0.rawValue).\(name)" }
      return !texts.contains(where: keys.contains) && !script.contains("case \"\(name)\":")
    }
    // The explanation of advice is the time of the appointment.
    #expect(unexplained == [Event.Cause.deadline.rawValue])
  }
}
