import DeliveryScheduling
import FleetMessages
import FleetReporting

/// A hub that a test connects, and whose answers it gives.
public final class FakeHub: FleetTarget {
  public var onConnectionChange: () -> Void = {}
  public var onMessage: (HubMessage) -> Void = { _ in }
  /// Takes the events.
  public var onDelivery: (Delivery, @escaping (DeliveryOutcome) -> Void) -> Void = { _, _ in }
  public var onReturn: () -> Void = {}
  public var trouble: String?
  public private(set) var isConnected = false
  /// Whether the hub acknowledges each message at once.
  public var answers = true
  /// The acknowledged messages in their order.
  public private(set) var messages: [FleetMessage] = []
  public private(set) var pending: [(message: FleetMessage, completion: (Bool) -> Void)] = []
  private let scheduler: ManualScheduler

  public init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  public var sequences: [Int64] { messages.map(\.sequence) }

  public func connect() {
    isConnected = true
    onConnectionChange()
  }

  public func disconnect() {
    isConnected = false
    let lost = pending
    pending = []
    for (_, completion) in lost { completion(false) }
    onConnectionChange()
  }

  /// Acknowledges the oldest messages under way.
  public func acknowledge(_ count: Int) {
    for _ in 0..<min(count, pending.count) {
      let (message, completion) = pending.removeFirst()
      messages.append(message)
      completion(true)
    }
  }

  public func publish(_ message: FleetMessage, completion: @escaping (Bool) -> Void) {
    pending.append((message, completion))
    guard answers else { return }
    scheduler.enqueue { [weak self] in self?.acknowledge(1) }
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) { onDelivery(delivery, completion) }

  public func reconnect() {}
}
