import Foundation

/// A btsnoop file that is written piece by piece.
struct WalkRecords {
  let header: [UInt8]
  private var rest: ArraySlice<UInt8>
  private var beginning: UInt64?

  init(path: String) throws {
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    header = Array(octets.prefix(16))
    rest = octets.dropFirst(16)
  }

  /// Returns the following records, up to a time in seconds after the first one.
  mutating func through(second: Double) -> [UInt8] {
    var end = rest.startIndex
    while end + 24 <= rest.endIndex {
      let time = number(at: end + 16, octets: 8)
      beginning = beginning ?? time
      guard let beginning, Double(time - beginning) / 1e6 <= second else { break }
      end += 24 + Int(number(at: end + 4, octets: 4))
    }
    defer { rest = rest[end...] }
    return Array(rest[..<end])
  }

  private func number(at index: Int, octets: Int) -> UInt64 {
    rest[index..<(index + octets)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
