import Instants

/// The walk of Tests/Fixtures with today's times.
public struct Walk {
  private let epochs: [[Substring]]

  public init() throws {
    let lines = try Fixture.text("walk.nmea").split(whereSeparator: \.isNewline)
    epochs = stride(from: 0, to: lines.count, by: 7).map { Array(lines[$0..<min($0 + 7, lines.count)]) }
  }

  /// Returns the sentences of the walk's second `index`, from 0, as a receiver sends them at `time`.
  public func sentences(_ index: Int, at time: Instant) -> String {
    let text = time.rfc3339
    let digits = text.filter(\.isNumber)
    let clock = "\(digits.dropFirst(8).prefix(6)).\(digits.dropFirst(14).prefix(2))"
    let date = "\(digits.dropFirst(6).prefix(2))\(digits.dropFirst(4).prefix(2))\(digits.dropFirst(2).prefix(2))"
    let second = index % epochs.count
    let original = "1200\(second < 10 ? "0" : "")\(second).00"
    return epochs[second].map { line in
      let content = line.dropFirst().prefix { $0 != "*" }.replacing(original, with: clock).replacing("010625", with: date)
      return Self.sentence(String(content))
    }.joined()
  }

  /// Returns a sentence with its checksum.
  public static func sentence(_ content: String) -> String {
    let digits = String(content.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(content)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }
}
