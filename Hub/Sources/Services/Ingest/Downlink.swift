import FleetMessages
import Instants

/// A message of the hub that a device has not acknowledged.
public struct WaitingMessage: Hashable, Sendable {
  public var address: DeviceAddress
  public var message: HubMessage

  public init(address: DeviceAddress, message: HubMessage) { (self.address, self.message) = (address, message) }
}

/// A way to devices at the broker. It connects when it is needed, and again after a call that throws.
public protocol MessagePublisher: AnyObject {
  /// Publishes octets on a topic, written as a routing key. The broker drops them unless the device is connected.
  func publish(_ octets: [UInt8], routingKey: String) throws
}

/// Publishes the messages that wait for devices of the worker's queues.
///
/// A message is published when it is new, and after each report until the device has acknowledged it. The store lengthens the pauses
/// between attempts, so a device that never acknowledges costs one message an hour.
struct Downlink {
  /// The interval of the checks for a notice of the database.
  private static let noticeInterval = Span.milliseconds(250)
  /// The largest number of messages in one step.
  static let mostMessages = 100

  private let store: any FleetStore
  private let publisher: any MessagePublisher
  private let report: (String) -> Void
  private var reported: Set<Int32> = []
  private var isNew = true
  private var lookAt = Instant(microseconds: .min)
  private var pausedUntil = Instant(microseconds: .min)
  /// The time without attempts after the broker has failed. A broker that hangs delays the messages of devices.
  private var backoff = Backoff(from: .seconds(30), to: .seconds(480))

  init(_ store: any FleetStore, _ publisher: any MessagePublisher, report: @escaping (String) -> Void) {
    (self.store, self.publisher, self.report) = (store, publisher, report)
  }

  /// Call after a batch with reports of these devices is written.
  mutating func take(reportsOf devices: some Sequence<Int32>) { reported.formUnion(devices) }

  /// Call when the worker owns another queue, whose messages were not announced to it.
  mutating func ownsMore() { isNew = true }

  /// Publishes due messages to devices that have reported, and new ones to all devices of the queues.
  mutating func step(_ now: Instant, queues: Set<Int>) throws {
    if now >= lookAt {
      lookAt = now + Self.noticeInterval
      if try store.hasMessageNotice() { isNew = true }
    }
    guard isNew || !reported.isEmpty, now >= pausedUntil else { return }
    let messages = try store.dueMessages(for: reported, newIn: isNew ? queues : [], limit: Self.mostMessages)
    let failure = publish(messages)
    // A worker that is killed before this line sends its messages twice, which a device recognises by their numbers.
    try store.noteSent(Array(messages.prefix(failure?.index ?? messages.count)))
    if let failure {
      report("messages to devices wait: \(failure.error)")
      return pausedUntil = now + backoff.next()
    }
    if !messages.isEmpty { backoff.reset() }
    if messages.count < Self.mostMessages { (reported, isNew) = ([], false) }
  }

  /// Publishes messages until one fails, and returns this one.
  private func publish(_ messages: [WaitingMessage]) -> (index: Int, error: any Error)? {
    for (index, waiting) in messages.enumerated() {
      do {
        try publisher.publish(waiting.message.octets, routingKey: waiting.address.commandRoutingKey)
      } catch {
        return (index, error)
      }
    }
    return nil
  }
}
