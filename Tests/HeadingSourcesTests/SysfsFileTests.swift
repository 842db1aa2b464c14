import Foundation
import TestSupport
import Testing

@testable import HeadingSources

@Suite struct SysfsFileTests {
  @Test(
    arguments: [
      ("0\n", 0), ("-1\n", -1), ("32767", 32767), ("-00001200\n", -1200), ("", nil), ("\n", nil), ("-", nil), ("1.5\n", nil),
      ("1 2\n", nil), ("+3\n", nil), ("1-2\n", nil), ("123456789012345678\n", 123_456_789_012_345_678), ("1234567890123456789\n", nil),
      ("12\n\n", nil), ("nan\n", nil),
    ] as [(String, Int?)])
  func `a whole number is read without a string, and any other text is refused`(text: String, number: Int?) throws {
    let folder = try TemporaryDirectory()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("value")))
    let file = SysfsFile(folder.file("value"))
    switch file {
    case .some(let file): #expect(try file.integer() == number)
    case .none: Issue.record("the file cannot be opened")
    }
  }
}
