/// The adapters that can hear, and those that are paused on purpose for a while. No other adapter can hear.
public struct AdapterReception: Hashable, Sendable {
  public let hearing: AdapterSet
  public let paused: AdapterSet

  public init(hearing: AdapterSet = .none, paused: AdapterSet = .none) {
    self.hearing = hearing
    self.paused = paused
  }

  public static let allHear = AdapterReception(hearing: .all)

  /// Whether no adapter hears or will hear again.
  public var isLost: Bool { present.isEmpty }

  /// The adapters that hear now or will hear again.
  var present: AdapterSet { hearing.union(paused) }
}
