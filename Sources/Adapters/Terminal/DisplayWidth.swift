extension String {
  /// The number of columns that the text takes on a terminal.
  ///
  /// It is the sum over the scalars, as `wcwidth` counts. Terminals that draw a sequence of joined emoji as one picture show fewer columns,
  /// never more.
  var columns: Int {
    // Nearly all texts are ASCII.
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.columns }
  }
}

extension Character {
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
  /// The columns of a scalar: 0, 1 or 2.
  /// It is 0 if the scalar combines with the character before it, 2 for the wide and fullwidth characters of East Asian scripts and for
  /// emoji, and else 1.
  var columns: Int {
    if isASCII { return 1 }
    switch properties.generalCategory {
    // Terminals show a soft hyphen.
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return value == 0xAD ? 1 : 0
    default: break
    }
    // Two of these letters are one flag of two columns.
    if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
    // The vowels and final consonants of Hangul join the consonant before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    return properties.isEmojiPresentation || Self.isWide(value) ? 2 : 1
  }

  /// East_Asian_Width W and F of Unicode 16 (UAX #11, EastAsianWidth.txt): first and last of each range, ascending.
  /// Emoji are left to the standard library. Ranges that only unassigned or combining characters separate are one.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]

  private static func isWide(_ value: UInt32) -> Bool {
    wideRanges.contains { $0.contains(value) }
  }
}
