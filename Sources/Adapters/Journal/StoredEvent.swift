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

  init(_ event: Record) {
    sequence = event.sequence
    time = event["time"]?.time ?? Instant(microseconds: 0)
    details = event.json
    if case .flag(let isSynchronised) = event["clockSynchronised"] { isClockSynchronised = isSynchronised }
  }

  /// The event, or in its place a record that says that it is damaged.
  var record: Record {
    guard isIntact else { return .damaged(sequence...sequence, .unreadable, time: time) }
    do throws(JSONError) {
      let record = try Record(json: details)
      guard record.sequence == sequence, record["journal"] == nil, record["durable"] == nil else {
        return .damaged(sequence...sequence, .unreadable, time: time)
      }
      return record
    } catch {
      return .damaged(sequence...sequence, .unreadable, time: time)
    }
  }
}

/// Why an event of a journal cannot be told.
enum DamageCause: String {
  /// Its row is there, and damaged.
  case unreadable
  /// Its row is lost.
  case missing
}

extension Record {
  /// What stands for events that cannot be told: `sequence` is the number of the last one. See Docs/events.md.
  ///
  /// - Parameter time: left out when it cannot be one.
  static func damaged(_ sequences: ClosedRange<UInt64>, _ cause: DamageCause, time: Instant? = nil) -> Record {
    let plausible = time.flatMap { (0..<253_402_300_800_000_000).contains($0.microseconds) ? $0 : nil }
    return Record([
      "sequence": .count(sequences.upperBound), "event": .text("damaged"),
      "firstSequence": sequences.count > 1 ? .count(sequences.lowerBound) : nil, "time": plausible.map { .time($0) },
      "reason": .record(Record(["cause": .text(cause.rawValue)])),
    ])
  }

  var sequence: UInt64 {
    if case .count(let sequence) = self["sequence"] { sequence } else { 0 }
  }
}
