import Beacons
import Instants

/// The file of the journal, and the age and number of events that it keeps.
public struct JournalSettings: Hashable, Sendable {
  /// The path of the file. Nil selects the default path for a radio, and memory for a capture.
  public var path: String?
  public var retention: Span
  public var size: DataSize

  public init(path: String? = nil, retention: Span = .seconds(30 * 86_400), size: DataSize = DataSize(octets: 64 << 20)) {
    self.path = path
    self.retention = retention
    self.size = size
  }
}
