/// Why there is no connection to a broker: one line, without its secrets.
public struct BrokerError: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
