import ConfigurationTree

/// A line of one of the files that a reader reads as one.
struct SourceLine: Hashable, Sendable {
  /// The number of the file, from 0.
  let file: Int
  /// The number of the line in its file, from 1.
  let number: Int
}

extension SourceLine: Comparable {
  static func < (a: SourceLine, b: SourceLine) -> Bool { (a.file, a.number) < (b.file, b.number) }
}

extension SourceLine: ExpressibleByIntegerLiteral {
  /// A line of the first file.
  init(integerLiteral number: Int) { self.init(file: 0, number: number) }
}

extension SourcePosition {
  var sourceLine: SourceLine { SourceLine(file: text, number: line) }
}
