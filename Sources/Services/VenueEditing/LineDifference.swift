/// The difference of two texts in the unified format of `diff`, for a person.
struct LineDifference {
  /// The lines in front of and behind a change.
  private static let context = 2
  /// The maximum number of lines of a difference; more are counted.
  private static let most = 200
  /// The maximum number of pairs of lines that are compared. Beyond that, all lines between the common ends count as changed.
  private static let mostPairs = 4_000_000

  private enum Step {
    case common, removed, added
  }

  private let old: [Substring]
  private let new: [Substring]
  private var steps: [Step]

  init(from old: String, to new: String) {
    self.old = Self.lines(old)
    self.new = Self.lines(new)
    steps = Self.steps(self.old, self.new)
  }

  private static func lines(_ text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func steps(_ old: [Substring], _ new: [Substring]) -> [Step] {
    var (start, oldEnd, newEnd) = (0, old.count, new.count)
    while start < oldEnd, start < newEnd, old[start] == new[start] { start += 1 }
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] { (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1) }
    let begin = [Step](repeating: .common, count: start)
    let end = [Step](repeating: .common, count: old.count - oldEnd)
    return begin + changes(old[start..<oldEnd], new[start..<newEnd]) + end
  }

  private static func changes(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Step] {
    guard old.count * new.count <= mostPairs else {
      return [Step](repeating: .removed, count: old.count) + [Step](repeating: .added, count: new.count)
    }
    let difference = Array(new).difference(from: Array(old))
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var steps: [Step] = []
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if removed.contains(oldIndex) {
        steps.append(.removed)
        oldIndex += 1
      } else if added.contains(newIndex) {
        steps.append(.added)
        newIndex += 1
      } else {
        steps.append(.common)
        (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
      }
    }
    return steps
  }

  /// The changes with the lines around them; empty for equal texts.
  var text: String {
    var lines: [String] = []
    var (oldIndex, newIndex, index) = (0, 0, 0)
    while index < steps.count {
      let hunk = hunk(from: index)
      guard let hunk else { break }
      // Everything between two changes is common.
      (oldIndex, newIndex) = (oldIndex + hunk.lowerBound - index, newIndex + hunk.lowerBound - index)
      let parts = steps[hunk]
      let (removed, added) = (parts.count { $0 != .added }, parts.count { $0 != .removed })
      lines.append("@@ -\(oldIndex + (removed > 0 ? 1 : 0)),\(removed) +\(newIndex + (added > 0 ? 1 : 0)),\(added) @@")
      for step in parts {
        switch step {
        case .common: lines.append(" \(old[oldIndex])")
        case .removed: lines.append("-\(old[oldIndex])")
        case .added: lines.append("+\(new[newIndex])")
        }
        if step != .added { oldIndex += 1 }
        if step != .removed { newIndex += 1 }
      }
      index = hunk.upperBound
    }
    guard lines.count > Self.most else { return lines.joined(separator: "\n") }
    return (lines.prefix(Self.most) + ["(\(lines.count - Self.most) more lines)"]).joined(separator: "\n")
  }

  /// Returns the steps of the next changes, which are not further apart than twice the context; nil if there are none.
  private func hunk(from begin: Int) -> Range<Int>? {
    guard let first = steps[begin...].firstIndex(where: { $0 != .common }) else { return nil }
    var last = first
    for index in steps.indices[first...] {
      if steps[index] != .common { last = index } else if index - last > 2 * Self.context { break }
    }
    return max(begin, first - Self.context)..<min(steps.count, last + 1 + Self.context)
  }
}
