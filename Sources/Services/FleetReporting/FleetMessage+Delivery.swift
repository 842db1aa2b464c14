import Beacons
import DeliveryScheduling
import Events
import FleetMessages
import Instants

extension FleetMessage {
  /// Creates the message of an event, or a report in place of a test event, which must not be counted.
  ///
  /// - Parameters:
  ///   - version: the version of the program, for the report.
  ///   - now: the time since the Unix epoch.
  init(_ delivery: Delivery, version: String, at now: Instant) throws(UnsendableEvent) {
    let time = now.microseconds / 1000
    guard !delivery.isTest else {
      let journal = StreamJournal(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
      self.init(journal: journal, sequence: 1, floor: 1, time: time, body: .report(DeviceReport(version: version)))
      return
    }
    let size = delivery.json.utf8.count
    guard size <= Self.maximumEventSize else {
      throw UnsendableEvent(reason: "the event has \(size) octets, and a hub takes at most \(Self.maximumEventSize)")
    }
    guard let place = delivery.event.place, let sequence = Int64(exactly: place.sequence), sequence > 0,
      let journal = StreamJournal(text: place.journal)
    else { throw UnsendableEvent(reason: "the event has no number in a journal") }
    // The events of the queue are sent one by one, so every earlier one is settled.
    self.init(journal: journal, sequence: sequence, floor: sequence, time: time, body: .event(json: delivery.json))
  }
}

/// The reason for which a hub cannot receive an event.
struct UnsendableEvent: Error {
  let reason: String
}

extension StreamJournal {
  /// Nil for a text that is not a UUID.
  fileprivate init?(text: String) {
    // The caller reports the text, which the error would only repeat.
    guard let uuid = try? BeaconUUID(text) else { return nil }
    self.init(high: uuid.high, low: uuid.low)
  }
}
