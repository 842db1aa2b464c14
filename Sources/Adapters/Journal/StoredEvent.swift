import Events
import Instants
import Records

/// An event as its row holds it.
struct StoredEvent: Hashable {
  /// The row's key, which is where the event is, whatever its details say.
  var sequence: UInt64
  var time: Instant
  var details: String
  /// Whether the clock was synchronised; nil when nothing told.
  var isClockSynchronised: Bool?
  /// Whether the row's checksum is right.
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
