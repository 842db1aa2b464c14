/// Cuts a stream of octets into lines, wherever its pieces end. A line ends with LF; a CR before that is not part of it.
public struct LineCutter: Sendable {
  /// In octets, without the end.
  private let longest: Int
  private var begun: [UInt8] = []
  private var isPassing = false
  /// Lines that were too long and are passed over, each counted where the limit was exceeded.
  public private(set) var tooLong = 0

  public init(longest: Int) {
    self.longest = longest
  }

  /// The lines that end in this piece, without those that are empty. What begins in it and does not end waits for the next.
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

  /// The stream is another one from here on: what began does not go on.
  public mutating func forget() {
    begun = []
    isPassing = false
  }

  private mutating func extend(with octets: some RandomAccessCollection<UInt8>) {
    guard !isPassing else { return }
    // One more for the CR.
    guard begun.count + octets.count <= longest + 1 else {
      begun.removeAll()
      isPassing = true
      tooLong += 1
      return
    }
    begun += octets
  }
}
