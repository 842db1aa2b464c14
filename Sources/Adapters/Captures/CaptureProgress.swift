import BeaconAdvertising
import Instants
import Records

/// How far a capture has been read.
public struct CaptureProgress: Hashable, Sendable {
  public let octets: Int
  /// In octets; nil when the end cannot be known.
  public let total: Int?
  /// How much of the capture's own time has passed.
  public let captured: Span
  public let advertisements: Int
}

extension CaptureReader {
  public var progress: CaptureProgress {
    CaptureProgress(
      octets: offset, total: size, captured: period.map { $0.upperBound - $0.lowerBound } ?? .zero, advertisements: counts.kinds.total)
  }
}
