/// Splits a stream of octets into lines, wherever its chunks end.
/// A line ends with LF; a CR before the LF is not part of the line.
public struct LineCutter: Sendable {
  /// The maximum length in octets, without the line end.
  private let longest: Int
  private var begun: [UInt8] = []
  private var isPassing = false
  /// The number of lines that were dropped as too long, each counted where it exceeded the limit.
  public private(set) var tooLong = 0

  public init(longest: Int) {
    self.longest = longest
  }

  /// Returns the non-empty lines that end in this chunk.
  /// An incomplete line at the end of the chunk waits for the next one.
  public mutating func lines(in piece: some RandomAccessCollection<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = piece[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      extend(with: rest[..<end])
      rest = rest[rest.index(after: end)...]
      if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
      if !begun.isEmpty { lines.append(begun) }
      begun.removeAll(keepingCapacity: true)
      isPassing = false
    }
    extend(with: rest)
    return lines
  }

  /// Discards the incomplete line, because another stream begins.
  public mutating func forget() {
    begun = []
    isPassing = false
  }

  private mutating func extend(with octets: some RandomAccessCollection<UInt8>) {
    guard !isPassing else { return }
    // Leaves room for the CR.
    guard begun.count + octets.count <= longest + 1 else {
      begun.removeAll()
      isPassing = true
      tooLong += 1
      return
    }
    begun += octets
  }
}
