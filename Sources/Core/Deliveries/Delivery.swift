import Events
import Instants

/// One event on its way to one target.
public struct Delivery: Hashable, Sendable {
  /// Its place in the target's queue; a later one is larger.
  public let id: Int64
  /// The same for every attempt and after a crash, and no other event's: a receiver that keeps it recognises a repetition.
  public let message: String
  public let event: Event
  /// What the event was when it was queued, as one line: the octets that a signature is made for.
  public let json: String
  /// The target's time after which a failure is the last.
  public let deadline: Instant
  /// The target's time after which the event is too old to be of use.
  public let expiry: Instant
  /// Sent by hand to see whether the target works: it must change nothing that lasts.
  public let isTest: Bool

  public init(
    id: Int64, message: String, event: Event, json: String, deadline: Instant = .never, expiry: Instant = .never, isTest: Bool = false
  ) {
    self.id = id
    self.message = message
    self.event = event
    self.json = json
    self.deadline = deadline
    self.expiry = expiry
    self.isTest = isTest
  }

  public var region: String { event.region ?? "" }
}
