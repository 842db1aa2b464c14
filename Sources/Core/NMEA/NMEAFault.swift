/// What is wrong with a line that should be a sentence of NMEA 0183.
public enum NMEAFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// Too long to be one.
  case length
  /// No `$` or `!` at its beginning, no address, or octets that are no printable ASCII.
  case garbage
  /// It does not match, or there is none: then nothing tells a sentence from noise that looks like one.
  case checksum
  /// A field that is not what the sentence has there, or too few of them.
  case field
}
