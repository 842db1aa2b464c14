import Instants

/// Where events are kept, for how long, and how many.
public struct JournalSettings: Hashable, Sendable {
  /// Nil: where the system keeps such things for a radio, and nowhere for a capture.
  public var path: String?
  public var retention: Span
  /// Octets.
  public var size: Int

  public init(path: String? = nil, retention: Span = .seconds(30 * 86_400), size: Int = 64 << 20) {
    self.path = path
    self.retention = retention
    self.size = size
  }
}
