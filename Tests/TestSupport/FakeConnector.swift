import BrokerPublishing
import Publishing

/// A broker whose steps a test gives.
public final class FakeConnector: BrokerConnector {
  public final class Connection: BrokerConnection {
    public let broker: Broker
    public let attempt: Int
    public let will: Publication?
    public private(set) var published: [(topic: String, payload: [UInt8])] = []
    public private(set) var subscriptions: [String] = []
    /// The error of the next call; nil if it succeeds.
    public var failure: BrokerError?
    private let body: (BrokerStep) -> Void

    fileprivate init(_ broker: Broker, _ attempt: Int, _ will: Publication?, _ body: @escaping (BrokerStep) -> Void) {
      (self.broker, self.attempt, self.will, self.body) = (broker, attempt, will, body)
    }

    /// Gives a step to the client.
    public func step(_ step: BrokerStep) { body(step) }

    /// The payloads as text.
    public var texts: [String] { published.map { String(decoding: $0.payload, as: UTF8.self) } }

    public func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) throws(BrokerError) -> Int32 {
      if let failure { throw failure }
      published.append((topic, payload))
      return Int32(published.count)
    }

    public func subscribe(to topic: String) throws(BrokerError) {
      if let failure { throw failure }
      subscriptions.append(topic)
    }
  }

  /// All connections in their order.
  public private(set) var connections: [Connection] = []
  private let scheduler: ManualScheduler

  public init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

  /// The last connection, after what is due now.
  public var connection: Connection {
    get throws {
      scheduler.settle()
      guard let last = connections.last else { throw Timeout() }
      return last
    }
  }

  public func connect(to broker: Broker, attempt: Int, will: Publication?, _ body: @escaping (BrokerStep) -> Void) -> any BrokerConnection {
    let connection = Connection(broker, attempt, will, body)
    connections.append(connection)
    return connection
  }
}
