/// The place of announced entities in Home Assistant's discovery: the prefix, the base of the topics, and the device.
public struct DiscoveryPlace: Hashable, Sendable {
  public let prefix: String
  public let base: String
  public let device: String

  public init(prefix: String, base: String, device: String) {
    (self.prefix, self.base, self.device) = (prefix, base, device)
  }

  public init(_ home: HomeAssistant) {
    self.init(prefix: home.prefix, base: home.topics.base, device: home.device)
  }

  /// The entities at this place, for their removal.
  public var home: HomeAssistant {
    HomeAssistant(prefix: prefix, topics: TopicTree(base: base), device: device, deviceName: "", version: "")
  }

  /// Whether the entities at another place replace those at this one, because their discovery topics are the same.
  public func hasEntities(of other: DiscoveryPlace?) -> Bool { prefix == other?.prefix && device == other?.device }

  private static let storedPrefix = "\u{1f}place\u{1f}"

  /// The name of the place in the outbox, beside those of the entities. Topics contain no control characters.
  public var storedName: String { Self.storedPrefix + [prefix, base, device].joined(separator: "\u{1f}") }

  /// Creates a place from its name in the outbox; nil for the name of an entity.
  public init?(storedName: String) {
    guard storedName.hasPrefix(Self.storedPrefix) else { return nil }
    let parts = storedName.dropFirst(Self.storedPrefix.count).split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    self.init(prefix: parts[0], base: parts[1], device: parts[2])
  }
}
