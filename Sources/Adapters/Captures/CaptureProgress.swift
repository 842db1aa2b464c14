import BeaconAdvertising
import Instants
import Records

/// The progress of reading a capture.
public struct CaptureProgress: Hashable, Sendable {
  public let octets: Int
  /// The size in octets; nil if the end cannot be known.
  public let total: Int?
  /// The capture's own time that has passed.
  public let captured: Span
  public let advertisements: Int
}

extension CaptureReader {
  public var progress: CaptureProgress {
    CaptureProgress(
      octets: offset, total: size, captured: period.map { $0.upperBound - $0.lowerBound } ?? .zero, advertisements: counts.kinds.total)
  }
}
