extension String {
  /// At least `width` characters: filled with blanks, on the left when `isRight`.
  func padded(_ width: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: Swift.max(0, width - count))
    return isRight ? blanks + self : self + blanks
  }

  /// Exactly `width` characters: padded or cut.
  func fitted(_ width: Int, isRight: Bool = false) -> String { String(padded(width, isRight: isRight).prefix(width)) }

  /// At most `width` characters; what is cut ends with `ellipsis`.
  func clipped(_ width: Int, ellipsis: String) -> String {
    count <= width ? self : String(prefix(Swift.max(0, width - ellipsis.count)) + ellipsis.prefix(width))
  }

  /// Without what a terminal takes for commands: names come from files and from other programs.
  var printable: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.properties.generalCategory == .control ? "?" : scalar) }
    return String(scalars)
  }

  var withoutTrailingBlanks: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}
