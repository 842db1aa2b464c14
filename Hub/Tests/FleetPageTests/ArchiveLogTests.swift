import FleetPage
import Testing
import WebPage

@Suite struct ArchiveLogTests {
  private struct Failure: ArchiveError, CustomStringConvertible {
    var description: String
    var isOfLink: Bool { false }
    var isOfMissingPart: Bool { false }
    var isOfSchema: Bool { description.hasPrefix("schema") }
  }

  private let lines = LogLines()

  @Test("the first failure in a row, each other schema and the end of failures are logged")
  func failures() {
    var log = ArchiveLog(lines.logger)
    log.note(nil)
    for text in ["closed", "closed", "refused", "schema 17", "schema 17", "closed", "schema 18"] { log.note(Failure(description: text)) }
    #expect(lines.all == ["closed", "schema 17", "schema 18"])
    log.note(nil)
    log.note(nil)
    #expect(lines.all.suffix(1) == ["the database answers again"] && lines.all.count == 4)
    log.note(Failure(description: "closed"))
    #expect(lines.all.count == 5)
  }

  @Test("queries that are refused are logged once, until one is not")
  func refusals() {
    var log = ArchiveLog(lines.logger)
    let text = "256 queries wait for the database, and further ones are refused; it answers too slowly"
    for isRefused in [false, true, true, false] { log.note(isRefused: isRefused, waiting: 256) }
    #expect(lines.all == [text])
    log.note(isRefused: true, waiting: 256)
    #expect(lines.all == [text, text])
  }

  @Test("the page shows the reason of another schema, and of other failures that the database does not answer")
  func refusal() {
    #expect(Failure(description: "closed").refusal.code == "database" && Failure(description: "schema 17").refusal.code == "schema")
  }
}
