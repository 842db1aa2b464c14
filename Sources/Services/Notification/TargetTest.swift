public import DeliveryScheduling
public import Events
import Instants

/// A test of targets: one event that is sent to each of them without the outbox, and their outcomes.
public final class TargetTest {
  public typealias Destination = (name: String, target: any DeliveryTarget)

  /// Runs when all targets have answered.
  public var onEnd: () -> Void = {}

  private let event: Event
  private let report: (String) -> Void
  private var destinations: [Destination] = []
  /// The names of the targets without an outcome.
  private var open: Set<String> = []
  private var hasFailed = false

  /// - Parameter report: receives a line about each target.
  public init(_ event: Event, report: @escaping (String) -> Void) { (self.event, self.report) = (event, report) }

  /// Reports a target that cannot be created, such as because its secret cannot be read.
  public func refuse(_ name: String, _ reason: String) {
    report("\(name): \(reason)")
    hasFailed = true
  }

  /// Sends the event, and keeps the targets until the end of this object.
  public func send(to destinations: [Destination]) {
    self.destinations += destinations
    open.formUnion(destinations.map(\.name))
    let delivery = Delivery(id: 0, message: "test-\(event.time?.microseconds ?? 0)", event: event, json: event.json, isTest: true)
    for (name, target) in destinations { target.deliver(delivery) { [weak self] in self?.note($0, of: name) } }
  }

  /// Whether all targets have an outcome.
  public var isOver: Bool { open.isEmpty }

  /// Reports the targets without an outcome, and returns whether all have received the event.
  public func finish() -> Bool {
    for name in open.sorted() { report("\(name): no answer yet") }
    return open.isEmpty && !hasFailed
  }

  private func note(_ outcome: DeliveryOutcome, of name: String) {
    switch outcome {
    case .delivered: report("\(name): delivered")
    case .failed(let reason, _), .refused(let reason): refuse(name, reason)
    }
    open.remove(name)
    if open.isEmpty { onEnd() }
  }
}
