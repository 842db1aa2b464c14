import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Proximity
import Ranging
import Records
import Regions

/// The values of a saved region as one line of JSON, with the keys of events where the meaning is the same.
private struct SavedValues: RecordRepresentable {
  var region: String?
  var uuid: BeaconUUID?
  var major: UInt16?
  var minor: UInt16?
  var latitude: Double?
  var longitude: Double?
  var radius: Double?
  var venue: String?
  var place: String?
  var level: String?
  var state: RegionState?
  var remembered: RegionState?
  var since: Instant?
  var beacon: BeaconReport?
  var measuredPower: Int64?
  var proximity: BeaconProximity?
  var lastSeen: Instant?
  var rssi: Double?
  var samples: UInt64?
  var distance: Double?
  var method: DistanceMethod?
  var today: SavedDay?
  var yesterday: SavedDay?
  var dayEnd: Instant?
  var dwellLeft: Double?

  static let fields: [RecordField<Self>] = [
    RecordField("region", \.region),
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("latitude", \.latitude, decimals: 9),
    RecordField("longitude", \.longitude, decimals: 9),
    RecordField("radius", \.radius, decimals: 3),
    RecordField("venue", \.venue),
    RecordField("place", \.place),
    RecordField("level", \.level),
    RecordField("state", \.state),
    RecordField("remembered", \.remembered),
    RecordField("since", \.since),
    RecordField("beacon", \.beacon),
    RecordField("measuredPower", \.measuredPower),
    RecordField("proximity", \.proximity),
    RecordField("lastSeen", \.lastSeen),
    RecordField("rssi", \.rssi, decimals: 1),
    RecordField("samples", \.samples),
    RecordField("distance", \.distance, decimals: 2),
    RecordField("distanceMethod", \.method),
    RecordField("today", \.today),
    RecordField("yesterday", \.yesterday),
    RecordField("dayEnd", \.dayEnd),
    RecordField("dwellLeft", \.dwellLeft, decimals: 3),
  ]
}

/// The values of a day of a region.
private struct SavedDay: RecordRepresentable {
  var longestGap: UInt64?
  var longestAbsence: UInt64?
  var silences: UInt64?
  var departures: UInt64?
  var strays: UInt64?

  static let fields: [RecordField<Self>] = [
    RecordField("longestGap", \.longestGap),
    RecordField("longestAbsence", \.longestAbsence),
    RecordField("silences", \.silences),
    RecordField("departures", \.departures),
    RecordField("strays", \.strays),
  ]
}

extension SavedRegion {
  var record: Record {
    var values = SavedValues()
    (values.region, values.state, values.remembered, values.since) = (identifier, state, remembered, since)
    values.set(mark)
    lastSatisfied.map { values.set($0) }
    (values.today, values.yesterday, values.dayEnd) = (SavedDay(history.today), SavedDay(history.yesterday), history.dayEnd)
    values.dwellLeft = dwellLeft?.seconds
    return values.record
  }

  /// Returns `nil` if a required key is missing.
  init?(_ record: Record) {
    let values = SavedValues(record)
    guard let identifier = values.region, let mark = values.mark, let state = values.state, let remembered = values.remembered,
      let since = values.since, let dayEnd = values.dayEnd
    else { return nil }
    let history = RegionHistory(today: values.today?.day ?? .init(), yesterday: values.yesterday?.day ?? .init(), dayEnd: dayEnd)
    self.init(
      identifier: identifier, mark: mark, state: state, remembered: remembered, since: since, lastSatisfied: values.evidence,
      history: history, dwellLeft: values.dwellLeft.map { .seconds($0) })
  }
}

extension SavedValues {
  mutating func set(_ mark: Region.Mark) {
    switch mark {
    case .beacons(let constraint): (uuid, major, minor) = (constraint.uuid, constraint.major, constraint.minor)
    case .circle(let circle): (latitude, longitude, radius) = (circle.center.latitude, circle.center.longitude, circle.radius)
    case .area(let area): (venue, place, level) = (area.venue, area.place, area.level)
    }
  }

  var mark: Region.Mark? {
    if let uuid, let constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor) { return .beacons(constraint) }
    if let latitude, let longitude, let radius, let center = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Circle(center: center, radius: radius)
    {
      return .circle(circle)
    }
    if let place { return .area(VenueArea(.place(place), venue: venue)) }
    if let level { return .area(VenueArea(.level(level), venue: venue)) }
    return venue.map { .area(VenueArea(.whole, venue: $0)) }
  }

  mutating func set(_ evidence: BeaconEvidence) {
    var beacon = BeaconReport()
    (beacon.uuid, beacon.major, beacon.minor) = (evidence.beacon.uuid, evidence.beacon.major, evidence.beacon.minor)
    self.beacon = beacon
    (measuredPower, proximity, lastSeen) = (Int64(evidence.measuredPower), evidence.proximity, evidence.lastSeen)
    (rssi, samples) = (evidence.rssi, evidence.samples.map { UInt64($0) })
    (distance, method) = (evidence.estimate?.distance.metres, evidence.estimate?.method)
  }

  var evidence: BeaconEvidence? {
    guard let uuid = beacon?.uuid, let major = beacon?.major, let minor = beacon?.minor, let lastSeen else { return nil }
    return BeaconEvidence(
      beacon: BeaconIdentity(uuid: uuid, major: major, minor: minor), measuredPower: Int8(clamping: measuredPower ?? 0),
      proximity: proximity ?? .unknown, lastSeen: lastSeen, rssi: rssi, samples: UInt32(clamping: samples ?? 0),
      distance: distance.flatMap { $0 > 0 ? Distance(metres: $0) : nil },
      // Before the Bayesian method, rows had no method.
      method: method ?? .plain)
  }
}

extension SavedDay {
  init(_ day: RegionHistory.Day) {
    self.init()
    (longestGap, longestAbsence) = (UInt64(day.longestGap), UInt64(day.longestAbsence))
    (silences, departures, strays) = (UInt64(day.silences), UInt64(day.departures), UInt64(day.strays))
  }

  var day: RegionHistory.Day {
    var day = RegionHistory.Day()
    (day.longestGap, day.longestAbsence) = (UInt32(clamping: longestGap ?? 0), UInt32(clamping: longestAbsence ?? 0))
    (day.silences, day.departures) = (UInt16(clamping: silences ?? 0), UInt16(clamping: departures ?? 0))
    day.strays = UInt16(clamping: strays ?? 0)
    return day
  }
}
