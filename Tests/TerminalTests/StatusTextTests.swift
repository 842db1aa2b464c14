import Instants
import Records
import Terminal
import Testing

@Suite struct StatusTextTests {
  func lines(_ regions: [Record]) -> [Substring] {
    StatusText(style: plain).text(manager: Record(["version": .text("1"), "source": .text("capture:x")]), regions: regions)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  func region(_ identifier: String, note: String? = nil) -> Record {
    Record([
      "identifier": .text(identifier), "state": .text("inside"), "since": .time(Instant(microseconds: 0)), "note": note.map { .text($0) },
    ])
  }

  @Test(arguments: ["w", "region", "a longer name"])
  func `the states stand below their title, however short or long the identifiers are`(identifier: String) throws {
    let table = lines([region(identifier)]).suffix(2)
    let header = try #require(table.first)
    let column = try #require(header.firstRange(of: "state")).lowerBound
    #expect(table.last?.dropFirst(header.distance(from: header.startIndex, to: column)).hasPrefix("inside") == true)
  }

  @Test func `what keeps a region from working stands below it`() {
    #expect(lines([region("hall", note: "no distance")]).last == "  no distance")
  }
}
