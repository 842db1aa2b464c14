/// Which adapters can hear, and which do not on purpose and for a while. No other can hear.
public struct AdapterReception: Hashable, Sendable {
  public let hearing: AdapterSet
  public let paused: AdapterSet

  public init(hearing: AdapterSet = .none, paused: AdapterSet = .none) {
    self.hearing = hearing
    self.paused = paused
  }

  public static let allHear = AdapterReception(hearing: .all)

  /// Those that will go on to hear.
  var present: AdapterSet { hearing.union(paused) }
}
