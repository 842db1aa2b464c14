extension Unicode.Scalar {
  /// Whether a text that holds it could do more than be shown: commands to a terminal (C0, DEL, C1), line ends, and what turns the direction of the text
  /// around (Unicode Standard Annex 9, "Explicit Directional Formatting"; Boucher and Anderson, "Trojan Source", 2021).
  public var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

extension String {
  /// One line that can be shown anywhere: every unprintable character is a space.
  public var printableLine: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isUnprintable ? " " : scalar) }
    return String(scalars)
  }
}
