extension Unicode.Scalar {
  /// Whether the scalar could affect more than its own place when a text with it is displayed.
  /// These are commands to a terminal (C0, DEL, C1), line ends, and controls that reverse the direction of the text. Unicode Standard
  /// Annex 9, "Explicit Directional Formatting"; Boucher and Anderson, "Trojan Source", 2021.
  public var isUnprintable: Bool {
    // The tables of Unicode take 128 KiB of a process that reads them, and most texts are ASCII.
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

extension String {
  /// The text as one line that is safe to display; every unprintable character becomes a space.
  public var printableLine: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isUnprintable ? " " : scalar) }
    return String(scalars)
  }
}
