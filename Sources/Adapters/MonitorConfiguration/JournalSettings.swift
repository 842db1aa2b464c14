import BeaconAdvertising
import Instants

/// Where events are kept, for how long, and how many.
public struct JournalSettings: Hashable, Sendable {
  /// Nil: where the system keeps such things for a radio, and nowhere for a capture.
  public var path: String?
  public var retention: Span
  public var size: DataSize

  public init(path: String? = nil, retention: Span = .seconds(30 * 86_400), size: DataSize = DataSize(octets: 64 << 20)) {
    self.path = path
    self.retention = retention
    self.size = size
  }
}
