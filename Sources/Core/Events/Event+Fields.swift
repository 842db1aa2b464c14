import Beacons
import Instants
import Records

/// The keys of an event, in the order of JSON and `a{sv}`.
///
/// A new key needs a property, a line here, a row in the tables of Docs/events.md and of beaconmon-notifier(8), and the next free column.
extension Event: EventPart {
  public static var fields: [EventField<Event>] { list.fields }

  static let list = EventFieldList<Event> { field in
    Event(
      sequence: field(required: "sequence", \.sequence, blank: 0, column: 1),
      kind: field("event", \.kind, column: 3),
      firstSequence: field("firstSequence", \.firstSequence, column: 32),
      region: field("region", \.region, column: 4),
      regionKind: field("kind", \.regionKind, column: 5),
      time: field("time", \.time, column: 2),
      state: field("state", \.state, column: 6),
      beacon: field("beacon", part: \.beacon),
      rssi: field("rssi", \.rssi, decimals: 1, column: 10),
      distance: field("distance", \.distance, decimals: 2, column: 11),
      accuracy: field("accuracy", \.accuracy, decimals: 2, column: 12),
      distanceMethod: field("distanceMethod", \.distanceMethod, column: 33),
      proximity: field("proximity", \.proximity, column: 13),
      placeName: field("place", \.placeName, column: 35),
      placeID: field("placeId", \.placeID, column: 36),
      floor: field("floor", \.floor, column: 48),
      levelName: field("levelName", \.levelName, column: 49),
      location: field("location", part: \.location),
      boundaryDistance: field("boundaryDistance", \.boundaryDistance, decimals: 2, column: 27),
      appointment: field("appointment", \.appointment, column: 37),
      appointmentTime: field("appointmentTime", \.appointmentTime, column: 38),
      travelTime: field("travelTime", \.travelTime, column: 39),
      travelDistance: field("travelDistance", \.travelDistance, decimals: 1, column: 40),
      ended: field("ended", \.ended, column: 41),
      battery: field("battery", \.battery, decimals: 2, column: 42),
      temperature: field("temperature", \.temperature, decimals: 1, column: 43),
      // The problems of a fleet are in no journal.
      alert: field("alert", \.alert, column: nil),
      alertID: field("alertId", \.alertID, column: nil),
      site: field("site", \.site, column: nil),
      device: field("device", \.device, column: nil),
      text: field("text", \.text, column: nil),
      duration: field("duration", \.duration, column: nil),
      reason: field(required: "reason", part: \.reason),
      isClockSynchronised: field("clockSynchronised", \.isClockSynchronised, column: 31),
      // `beaconmon events` reads a journal that has no event of an app's region and no test.
      appID: field("appId", \.appID, column: nil),
      journal: field("journal", \.journal, column: 0),
      isDurable: field("durable", \.isDurable, column: 22),
      isTest: field("test", \.isTest, column: nil)
    )
  }
}

extension Event.Beacon: EventPart {
  static let list = EventFieldList<Self> { field in
    Self(
      uuid: field(required: "uuid", \.uuid, blank: BeaconUUID(high: 0, low: 0), column: 7),
      major: field(required: "major", \.major, blank: 0, column: 8),
      minor: field(required: "minor", \.minor, blank: 0, column: 9)
    )
  }
}

extension Event.Location: EventPart {
  static let list = EventFieldList<Self> { field in
    Self(
      latitude: field(required: "latitude", \.latitude, blank: 0, decimals: 7, column: 23),
      longitude: field(required: "longitude", \.longitude, blank: 0, decimals: 7, column: 24),
      horizontalAccuracy: field("horizontalAccuracy", \.horizontalAccuracy, decimals: 2, column: 25),
      speed: field("speed", \.speed, decimals: 2, column: 26)
    )
  }
}

extension Event.Reason: EventPart {
  static let list = EventFieldList<Self> { field in
    Self(
      cause: field("cause", \.cause, column: 14),
      lastSeen: field("lastSeen", \.lastSeen, column: 15),
      lastSeenAge: field("lastSeenAge", \.lastSeenAge, decimals: 3, column: 16),
      samples: field("samples", \.samples, column: 17),
      threshold: field("threshold", \.threshold, decimals: 2, column: 18),
      exitDelay: field("exitDelay", \.exitDelay, column: 19),
      hold: field("hold", \.hold, column: 28),
      fixTime: field("fixTime", \.fixTime, column: 29),
      fixAge: field("fixAge", \.fixAge, decimals: 3, column: 30),
      probability: field("probability", \.probability, decimals: 2, column: 34),
      dwell: field("dwell", \.dwell, column: 20),
      longestGap: field("longestGap", \.longestGap, column: 44),
      usualRSSI: field("usualRssi", \.usualRSSI, decimals: 1, column: 45),
      otherRSSI: field("otherRssi", \.otherRSSI, decimals: 1, column: 46),
      displacement: field("displacement", \.displacement, decimals: 1, column: 47),
      adapter: field("adapter", \.adapter, column: 21)
    )
  }
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
