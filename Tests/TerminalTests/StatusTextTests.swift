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

  @Test func `how a region flaps and what would calm it stands below it, and what it has learned`() {
    var region = region("hall")
    region.append("flaps", .count(12))
    #expect(lines([region]).last?.hasPrefix("hall") == true)
    region.append("advice", .text("exit-delay = \"55s\""))
    region.append("learnedExitDelay", .text("40s"))
    #expect(
      lines([region]).suffix(2) == [
        "  came and went 12 times without need since yesterday; exit-delay = \"55s\" would calm it",
        "  has learned to wait 40s before an exit",
      ])
  }

  @Test func `what keeps a region from working stands below it`() {
    #expect(lines([region("hall", note: "no distance")]).last == "  no distance")
  }
}
