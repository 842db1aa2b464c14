/// The activity of a source of advertisements.
public enum SourceState: String, Sendable, CaseIterable {
  case scanning
  /// The source can hear but does not.
  ///
  /// An adapter is about to scan, a circle with scan-only-near holds the scan off, or a capture has ended.
  case paused
  /// The source can hear, but no client or region needs it.
  case idle
  /// The source cannot hear.
  case gone
  /// The config has no source of beacons.
  case nothing = "none"

  /// The state of a source with adapters: one scanning adapter is enough, and one that is about to scan is worth waiting for.
  public init(of adapters: [AdapterHealth]) {
    let states = Set(adapters.map(\.state))
    self = states.contains(.scanning) ? .scanning : states.contains(.paused) ? .paused : states.contains(.idle) ? .idle : .gone
  }
}
