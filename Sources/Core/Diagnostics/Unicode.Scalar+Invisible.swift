extension Unicode.Scalar {
  /// Whether a reader cannot see the scalar, so that two texts that look the same differ.
  ///
  /// Joiners and selectors are visible where they change the form of a letter or of a picture, and do not count.
  public var isInvisible: Bool {
    switch value {
    case 0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0x3164, 0xFEFF, 0xFFA0,
      0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

extension String {
  /// The first invisible scalar; nil without one. A joiner between two ASCII characters, or at an end, joins nothing.
  public var invisibleScalar: Unicode.Scalar? {
    let scalars = Array(unicodeScalars)
    return scalars.indices.first { index in
      let isJoiner = scalars[index].value == 0x200C || scalars[index].value == 0x200D
      guard isJoiner else { return scalars[index].isInvisible }
      return index == 0 || index == scalars.count - 1 || scalars[index - 1].isASCII && scalars[index + 1].isASCII
    }.map { scalars[$0] }
  }
}
