import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("entrance", 8), ("展示室", 6), ("한국어", 6), ("e\u{301}cole", 5), ("ﾊﾝｶｸ", 4), ("ＦＵＬＬ", 8), ("กำลัง", 4), ("नमस्ते", 4), ("🏛️ hall", 6),
    ("🙂", 2), ("🇩🇪", 2), ("a\u{200B}b", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("– … ±", 5), ("", 0),
  ])
  func `a text has the width that a terminal gives it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test func `the wide characters are those of Unicode`() throws {
    // Python has its own data of Unicode. Characters that one of the versions has not assigned do not count.
    let script = """
      import unicodedata
      for c in range(0x20, 0x110000):
          t = chr(c)
          k = unicodedata.category(t)
          if k in ("Cn", "Cs", "Co", "Mn", "Me", "Cf", "Cc") or 0x1F1E6 <= c <= 0x1F1FF: continue
          print("%x" % c if unicodedata.east_asian_width(t) in "WF" else "-%x" % c)
      """
    let pipe = Pipe()
    let child = try Child("/usr/bin/python3", ["-c", script], output: .pipe(pipe))
    let lines = try String(decoding: pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    #expect(child.wait() == 0 && lines.count > 140_000)
    var wrong: [Substring] = []
    for line in lines {
      let scalar = UInt32(line.drop { $0 == "-" }, radix: 16).flatMap(Unicode.Scalar.init)
      guard let scalar, (scalar.columns == 2) != !line.hasPrefix("-") else { continue }
      // Unicode 16 made the hexagrams and monograms of the Yijing wide, and the counting rods.
      let madeWide: [ClosedRange<UInt32>] = [0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D376]
      if !madeWide.contains(where: { $0.contains(scalar.value) }) { wrong.append(line) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(20))")
  }

  @Test func `a truncated text ends with an ellipsis, and no character is split`() {
    #expect("展示室 十一番".clipped(10, ellipsis: "…") == "展示室 十…")
    #expect("展示室 十一番".clipped(9, ellipsis: "…") == "展示室 …")
    #expect("e\u{301}e\u{301}e\u{301}".clipped(2, ellipsis: "…") == "e\u{301}…")
    #expect("abc".clipped(3, ellipsis: "…") == "abc")
    #expect("abcd".clipped(2, ellipsis: "...") == "..")
    #expect("展".clipped(1, ellipsis: "…") == "…" && "展".clipped(0, ellipsis: "…") == "")
    #expect("展示".fitted(3, ellipsis: "…") == "展…" && "展".fitted(4, isRight: true) == "  展")
  }

  @Test func `a paragraph is wrapped between words, and not between a number and its unit`() {
    #expect("one two three four".wrapped(9) == ["one two", "three", "four"])
    #expect("one two three four".wrapped(14, indent: 4, taken: 4) == ["one two", "    three four"])
    #expect("last seen 30.0 s before".wrapped(14) == ["last seen", "30.0 s before"])
    #expect("it was 6.2 m ± 3.4 away".wrapped(17) == ["it was", "6.2 m ± 3.4 away"])
    #expect("展示 室内".wrapped(5) == ["展示", "室内"])
    #expect("abcdefgh ij".wrapped(3) == ["abc", "def", "gh", "ij"])
    #expect("anything at all".wrapped(nil) == ["anything at all"])
    #expect("".wrapped(5) == [""])
    for width in 2...40 {
      for text in ["one two three four 30.0 s", "展示室 十一番 特別展示", "a/very/long/path/of/a/capture.btsnoop, ended"] {
        let lines = text.wrapped(width, indent: 11, taken: min(11, width - 1))
        #expect(lines.dropFirst().allSatisfy { $0.columns <= width }, "\(width): \(lines)")
        #expect((lines.first?.columns ?? 0) <= max(1, width - 11), "\(width): \(lines)")
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
      }
    }
  }

  @Test func `characters that reverse the direction of a line are replaced`() {
    #expect("a\u{202E}b\u{2066}c\u{2028}d\u{9B}e".printable == "a?b?c?d?e")
  }
}
