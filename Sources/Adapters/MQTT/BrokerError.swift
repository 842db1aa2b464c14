/// An error of a connection to a broker, in one line without secrets.
public struct BrokerError: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
