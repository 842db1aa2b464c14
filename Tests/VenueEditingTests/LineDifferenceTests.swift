import Testing

@testable import VenueEditing

@Suite struct LineDifferenceTests {
  private func difference(_ old: String, _ new: String) -> String { LineDifference(from: old, to: new).text }

  @Test func `equal texts have no difference`() {
    #expect(difference("a\nb\n", "a\nb\n").isEmpty && difference("", "").isEmpty && difference("a", "a\n").isEmpty)
  }

  @Test func `a change has its lines and two around them, as diff prints it`() {
    let old = (1...9).map { "line \($0)" }.joined(separator: "\n")
    #expect(
      difference(old, old.replacing("line 5", with: "other"))
        == "@@ -3,5 +3,5 @@\n line 3\n line 4\n-line 5\n+other\n line 6\n line 7")
    #expect(difference("a\nc\n", "a\nb\nc\n") == "@@ -1,2 +1,3 @@\n a\n+b\n c")
    #expect(difference("a\nb\n", "") == "@@ -1,2 +0,0 @@\n-a\n-b")
    #expect(difference("", "a\n") == "@@ -0,0 +1,1 @@\n+a")
  }

  @Test func `changes that are far apart are in parts of their own`() {
    let old = (1...20).map { "\($0)" }
    var new = old
    (new[1], new[17]) = ("x", "y")
    #expect(
      difference(old.joined(separator: "\n"), new.joined(separator: "\n"))
        == "@@ -1,4 +1,4 @@\n 1\n-2\n+x\n 3\n 4\n@@ -16,5 +16,5 @@\n 16\n 17\n-18\n+y\n 19\n 20")
  }

  /// Applies a difference to a text, as the program `patch` does.
  private func patched(_ text: String, with difference: String) -> String? {
    let old = text.split(separator: "\n")
    var (result, next): ([Substring], Int) = ([], 0)
    for line in difference.split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
      if line.hasPrefix("@@") {
        let numbers = line.split { !"0123456789".contains($0) }.compactMap { Int($0) }
        let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
        result += old[next..<start]
        next = start
      } else if line.hasPrefix("+") {
        result.append(line.dropFirst())
      } else {
        guard next < old.count, old[next] == line.dropFirst() else { return nil }
        if line.hasPrefix(" ") { result.append(old[next]) }
        next += 1
      }
    }
    return (result + old[next...]).map { $0 + "\n" }.joined()
  }

  @Test func `a difference turns the old text into the new one`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let old = (0..<Int.random(in: 0...30, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      var new = old
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let place = Int.random(in: 0...new.count, using: &random)
        if Bool.random(using: &random) || place == new.count { new.insert("n", at: place) } else { new.remove(at: place) }
      }
      let (before, after) = (old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
      #expect(patched(before, with: difference(before, after)) == after, "\(old) \(new)")
    }
  }

  @Test func `a long difference is cut, and large texts without a common line take no time`() {
    let (old, new) = ((0..<20_000).map { "a\($0)" }.joined(separator: "\n"), (0..<20_000).map { "b\($0)" }.joined(separator: "\n"))
    let lines = difference(old, new).split(separator: "\n")
    #expect(lines.count == 201 && lines.last == "(39801 more lines)")
  }
}
