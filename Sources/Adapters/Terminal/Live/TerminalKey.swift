/// A key that a terminal sends.
public enum TerminalKey: Hashable, Sendable {
  /// A character that can be shown.
  case character(Character)
  case up, down, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// Ctrl-U.
  case clearLine
  /// Ctrl-L.
  case redraw
}

/// Decodes the octets of a terminal to keys.
///
/// Sequences: ECMA-48 control sequences and the single shifts of xterm's cursor keys. An unknown one is skipped.
public struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []
  /// The maximum number of octets of a sequence; a longer one is skipped.
  private static let longest = 16

  public init() {}

  /// Whether an escape waits for the octet that decides whether it is a key or begins a sequence.
  public var isWaiting: Bool { !pending.isEmpty }

  /// Returns the keys that are complete.
  public mutating func decode(_ octets: some Sequence<UInt8>) -> [TerminalKey] {
    pending += octets
    var keys: [TerminalKey] = []
    while let (key, count) = next() {
      pending.removeFirst(count)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Returns the key of an escape after which nothing has come for a while.
  public mutating func flush() -> [TerminalKey] {
    defer { pending = [] }
    return pending.first == 0x1B ? [.escape] : []
  }

  /// Returns the first key with the number of its octets; nil if more octets are needed.
  /// The key is nil for a sequence that is skipped.
  private func next() -> (key: TerminalKey?, count: Int)? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x0C: return (.redraw, 1)
    case 0x15: return (.clearLine, 1)
    case 0x00..<0x20: return (nil, 1)
    case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
    default: return character(first)
    }
  }

  /// Returns a character of several octets (UTF-8).
  private func character(_ first: UInt8) -> (key: TerminalKey?, count: Int)? {
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let octets = pending.prefix(length)
    guard length > 1, octets.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (nil, 1) }
    guard octets.count == length else { return nil }
    let text = String(decoding: octets, as: UTF8.self)
    let isShown = text.printable == text && !text.contains("\u{FFFD}")
    return (isShown ? text.first.map(TerminalKey.character) : nil, length)
  }

  private func sequence() -> (key: TerminalKey?, count: Int)? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "["):
      // Parameters and intermediate octets, then a final one.
      guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return pending.count > Self.longest ? (nil, pending.count) : nil
      }
      let parameters = String(decoding: pending[2..<end], as: UTF8.self)
      return (Self.key(final: pending[end], parameters), end + 1)
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return (Self.key(final: pending[2], ""), 3)
    case 0x1B: return (.escape, 1)
    // Alt with a key.
    default: return (nil, 2)
    }
  }

  private static func key(final: UInt8, _ parameters: String) -> TerminalKey? {
    switch (final, parameters.prefix { $0 != ";" }) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "H"), _): .home
    case (UInt8(ascii: "F"), _): .end
    case (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
    case (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    default: nil
    }
  }
}
