/// One message to an MQTT broker.
public struct Publication: Hashable, Sendable {
  public let topic: String
  /// The payload; an empty retained one deletes the broker's retained message.
  public let payload: String
  /// Whether the broker retains the message for later subscribers.
  public let isRetained: Bool

  public init(_ topic: String, _ payload: String, isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
