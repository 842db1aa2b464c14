/// One message to an MQTT broker.
public struct Publication: Hashable, Sendable {
  public let topic: String
  /// Empty and retained, it deletes what the broker keeps.
  public let payload: String
  /// Whether the broker keeps it for those who subscribe later.
  public let isRetained: Bool

  public init(_ topic: String, _ payload: String, isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
