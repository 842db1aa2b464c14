/// The error in a line that is not a valid NMEA 0183 sentence.
public enum NMEAFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The line is too long.
  case length
  /// The line has no `$` or `!` at its beginning, no address, or octets that are not printable ASCII.
  case garbage
  /// The checksum is wrong or absent; without one, a sentence cannot be distinguished from noise.
  case checksum
  /// A field has an invalid value, or the sentence has too few fields.
  case field
}
