import Publishing

/// Connects to brokers.
public protocol BrokerConnector: AnyObject {
  /// Begins to connect to a broker. Releasing the connection ends it.
  ///
  /// - Parameters:
  ///   - attempt: the number of failures before; each address of the host has its turn.
  ///   - will: the message that the broker publishes when it loses the connection; nil for none.
  ///   - body: takes each step, never inside a call. No step follows `ended`.
  func connect(to broker: Broker, attempt: Int, will: Publication?, _ body: @escaping (BrokerStep) -> Void) -> any BrokerConnection
}

/// A connection to a broker, or an attempt to connect.
public protocol BrokerConnection: AnyObject {
  /// Publishes a message with quality of service 1, and returns the number of its acknowledgement.
  func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) throws(BrokerError) -> Int32
  /// Subscribes to a topic with quality of service 1.
  func subscribe(to topic: String) throws(BrokerError)
}

/// The progress of a connection to a broker.
public enum BrokerStep: Hashable, Sendable {
  case connected
  /// The broker has acknowledged the message with this number.
  case acknowledged(Int32)
  /// The broker has accepted or refused the last subscription.
  case subscribed(isAccepted: Bool)
  /// The octets of a message of the subscribed topic.
  case message([UInt8])
  case ended(BrokerError)
}

/// An error of a connection to a broker, in one line without secrets.
public struct BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The broker has ended the connection.
    case closed
    /// The connection was reset in the middle of a message.
    case reset
    /// The certificate of the broker is not trusted.
    case untrustedBroker
    /// The broker refuses the certificate of the client.
    case refusedCertificate
    /// The broker refuses the name of the client, or its password.
    case refusedLogin
    /// The broker has not acknowledged a message in time.
    case silent
    case other
  }

  public let kind: Kind
  public let description: String

  public init(_ description: String, _ kind: Kind = .other) {
    (self.description, self.kind) = (description, kind)
  }
}
