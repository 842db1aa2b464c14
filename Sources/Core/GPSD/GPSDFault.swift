/// What is wrong with a line that gpsd should have sent.
public enum GPSDFault: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// Longer than any report.
  case length
  /// No object of JSON, which gpsd's own reports are not either when it cuts them off at 10,240 octets.
  case json
  /// A value that is not what the report has there.
  case field
  /// Of a major version of the protocol that is not understood, or after one, or before any.
  case version
}
