import Events
import Instants
import Records

/// The row of an event.
struct StoredEvent: Hashable {
  /// The key of the row, which takes precedence over the details of the event.
  var sequence: UInt64
  var time: Instant
  var details: String
  /// Whether the clock was synchronised; `nil` if unknown.
  var isClockSynchronised: Bool?
  /// Whether the checksum of the row is correct.
  var isIntact = true

  init(sequence: UInt64, time: Instant, details: String, isClockSynchronised: Bool?, isIntact: Bool) {
    (self.sequence, self.time, self.details) = (sequence, time, details)
    (self.isClockSynchronised, self.isIntact) = (isClockSynchronised, isIntact)
  }

  init(_ event: Event) {
    sequence = event.sequence
    time = event.time ?? Instant(microseconds: 0)
    details = event.json
    isClockSynchronised = event.isClockSynchronised
  }

  /// The event, or a damaged one in its place.
  var event: Event {
    guard isIntact else { return .damaged(sequence...sequence, .unreadable, time: time) }
    do throws(JSONError) {
      let event = try Event(json: details)
      guard event.sequence == sequence, event.kind != nil, event.journal == nil, event.isDurable == nil else {
        return .damaged(sequence...sequence, .unreadable, time: time)
      }
      return event
    } catch {
      return .damaged(sequence...sequence, .unreadable, time: time)
    }
  }
}
