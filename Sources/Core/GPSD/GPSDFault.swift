/// The error in a line from gpsd.
public enum GPSDFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The line is longer than any report.
  case length
  /// The line is not a JSON object; this includes reports that gpsd truncates at 10,240 octets.
  case json
  /// A field has a value that the report does not allow.
  case field
  /// The major version of the protocol is unsupported, or the line precedes the version.
  case version
}
