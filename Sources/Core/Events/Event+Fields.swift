import Beacons
import Instants
import Records

/// The keys of an event, in the order of JSON and `a{sv}`.
///
/// A new key needs a line here, a property, a row in the tables of Docs/events.md and of beaconmon-notifier(8), and the next free column.
extension Event: EventPart {
  public static let fields: [EventField<Event>] = [
    EventField(required: "sequence", \.sequence, column: 1),
    EventField("event", \.kind, column: 3),
    EventField("firstSequence", \.firstSequence, column: 32),
    EventField("region", \.region, column: 4),
    EventField("kind", \.regionKind, column: 5),
    EventField("time", \.time, column: 2),
    EventField("state", \.state, column: 6),
    EventField("beacon", part: \.beacon),
    EventField("rssi", \.rssi, decimals: 1, column: 10),
    EventField("distance", \.distance, decimals: 2, column: 11),
    EventField("accuracy", \.accuracy, decimals: 2, column: 12),
    EventField("distanceMethod", \.distanceMethod, column: 33),
    EventField("proximity", \.proximity, column: 13),
    EventField("place", \.placeName, column: 35),
    EventField("placeId", \.placeID, column: 36),
    EventField("floor", \.floor, column: 48),
    EventField("levelName", \.levelName, column: 49),
    EventField("location", part: \.location),
    EventField("boundaryDistance", \.boundaryDistance, decimals: 2, column: 27),
    EventField("appointment", \.appointment, column: 37),
    EventField("appointmentTime", \.appointmentTime, column: 38),
    EventField("travelTime", \.travelTime, column: 39),
    EventField("travelDistance", \.travelDistance, decimals: 1, column: 40),
    EventField("ended", \.ended, column: 41),
    EventField("battery", \.battery, decimals: 2, column: 42),
    EventField("temperature", \.temperature, decimals: 1, column: 43),
    // The problems of a fleet are in no journal.
    EventField("alert", \.alert, column: nil),
    EventField("alertId", \.alertID, column: nil),
    EventField("site", \.site, column: nil),
    EventField("device", \.device, column: nil),
    EventField("text", \.text, column: nil),
    EventField("duration", \.duration, column: nil),
    EventField(required: "reason", part: \.reason),
    EventField("clockSynchronised", \.isClockSynchronised, column: 31),
    // `beaconmon events` reads a journal that has no event of an app's region and no test.
    EventField("appId", \.appID, column: nil),
    EventField("journal", \.journal, column: 0),
    EventField("durable", \.isDurable, column: 22),
    EventField("test", \.isTest, column: nil),
  ]

  static var blank: Event { Event(blank: ()) }

  private init(blank: Void) {
    (sequence, reason) = (0, Reason())
  }
}

extension Event.Beacon: EventPart {
  static let fields: [EventField<Self>] = [
    EventField(required: "uuid", \.uuid, column: 7),
    EventField(required: "major", \.major, column: 8),
    EventField(required: "minor", \.minor, column: 9),
  ]

  static var blank: Self { Self(BeaconIdentity(uuid: BeaconUUID(high: 0, low: 0), major: 0, minor: 0)) }
}

extension Event.Location: EventPart {
  static let fields: [EventField<Self>] = [
    EventField(required: "latitude", \.latitude, decimals: 7, column: 23),
    EventField(required: "longitude", \.longitude, decimals: 7, column: 24),
    EventField("horizontalAccuracy", \.horizontalAccuracy, decimals: 2, column: 25),
    EventField("speed", \.speed, decimals: 2, column: 26),
  ]

  static var blank: Self { Self(latitude: 0, longitude: 0) }
}

extension Event.Reason: EventPart {
  static let fields: [EventField<Self>] = [
    EventField("cause", \.cause, column: 14),
    EventField("lastSeen", \.lastSeen, column: 15),
    EventField("lastSeenAge", \.lastSeenAge, decimals: 3, column: 16),
    EventField("samples", \.samples, column: 17),
    EventField("threshold", \.threshold, decimals: 2, column: 18),
    EventField("exitDelay", \.exitDelay, column: 19),
    EventField("hold", \.hold, column: 28),
    EventField("fixTime", \.fixTime, column: 29),
    EventField("fixAge", \.fixAge, decimals: 3, column: 30),
    EventField("probability", \.probability, decimals: 2, column: 34),
    EventField("dwell", \.dwell, column: 20),
    EventField("longestGap", \.longestGap, column: 44),
    EventField("usualRssi", \.usualRSSI, decimals: 1, column: 45),
    EventField("otherRssi", \.otherRSSI, decimals: 1, column: 46),
    EventField("displacement", \.displacement, decimals: 1, column: 47),
    EventField("adapter", \.adapter, column: 21),
  ]

  static var blank: Self { Self() }
}

extension Event.Kind: RecordFieldValue, EventFieldValue {}
extension Event.Alert: RecordFieldValue, EventFieldValue {}
extension Event.Cause: RecordFieldValue, EventFieldValue {}
extension RegionState: RecordFieldValue, EventFieldValue {}
extension RegionKind: RecordFieldValue, EventFieldValue {}
extension BeaconProximity: EventFieldValue {}
extension DistanceMethod: EventFieldValue {}

// MARK: Parts in other records

extension Event.Beacon: RecordFieldValue {
  public static var recordSignature: String { "a{sv}" }
  public init?(recordValue: RecordValue) {
    guard let record = recordValue.record else { return nil }
    self.init(fieldsOf: record)
  }
  public var recordValue: RecordValue { .record(fieldRecord) }
}

extension Event.Location: RecordFieldValue {
  public static var recordSignature: String { "a{sv}" }
  public init?(recordValue: RecordValue) {
    guard let record = recordValue.record else { return nil }
    self.init(fieldsOf: record)
  }
  public var recordValue: RecordValue { .record(fieldRecord) }
}
