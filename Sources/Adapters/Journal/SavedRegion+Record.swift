import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Proximity
import Ranging
import Records
import Regions

/// The conversion of a saved region to one line of JSON, with the keys of events where the meaning is the same.
extension SavedRegion {
  var record: Record {
    let evidence = lastSatisfied
    return Record([
      "region": .text(identifier), "uuid": (mark.constraint?.uuid.description).map { .text($0) },
      "major": (mark.constraint?.major).map { .short($0) }, "minor": (mark.constraint?.minor).map { .short($0) },
      "latitude": (mark.circle?.center.latitude).map { .quantity($0, decimals: 9) },
      "longitude": (mark.circle?.center.longitude).map { .quantity($0, decimals: 9) },
      "radius": (mark.circle?.radius).map { .quantity($0, decimals: 3) },
      "venue": (mark.area?.venue).map { .text($0) }, "place": (mark.area?.place).map { .text($0) },
      "level": (mark.area?.level).map { .text($0) }, "state": .text(state.rawValue),
      "remembered": .text(remembered.rawValue), "since": .time(since), "beacon": (evidence?.beacon).map { .record($0.record) },
      "measuredPower": evidence.map { .integer(Int64($0.measuredPower)) }, "proximity": evidence.map { .text($0.proximity.rawValue) },
      "lastSeen": evidence.map { .time($0.lastSeen) }, "rssi": (evidence?.rssi).map { .rssi($0) },
      "samples": (evidence?.samples).map { .count(UInt64($0)) }, "distance": (evidence?.estimate).map { .metres($0.distance.metres) },
      "distanceMethod": (evidence?.estimate).map { .text($0.method.rawValue) },
      "today": .record(history.today.record), "yesterday": .record(history.yesterday.record), "dayEnd": .time(history.dayEnd),
      "dwellLeft": dwellLeft.map { .quantity($0.seconds, decimals: 3) },
    ])
  }

  /// Returns `nil` if a required key is missing.
  init?(_ record: Record) {
    guard let identifier = record["region"]?.text, let mark = Region.Mark(record),
      let state = record["state"]?.text.flatMap(RegionState.init), let remembered = record["remembered"]?.text.flatMap(RegionState.init),
      let since = record["since"]?.time, let dayEnd = record["dayEnd"]?.time
    else { return nil }
    let days = ["today", "yesterday"].map { RegionHistory.Day(record[$0]?.record ?? Record()) }
    self.init(
      identifier: identifier, mark: mark, state: state, remembered: remembered, since: since,
      lastSatisfied: BeaconEvidence(record), history: RegionHistory(today: days[0], yesterday: days[1], dayEnd: dayEnd),
      dwellLeft: record["dwellLeft"]?.number.map { .seconds($0) })
  }
}

extension BeaconEvidence {
  fileprivate init?(_ record: Record) {
    guard let beacon = record["beacon"]?.record, let uuid = BeaconUUID(beacon), let major = beacon["major"]?.short,
      let minor = beacon["minor"]?.short, let lastSeen = record["lastSeen"]?.time
    else { return nil }
    self.init(
      beacon: BeaconIdentity(uuid: uuid, major: major, minor: minor),
      measuredPower: Int8(clamping: record["measuredPower"]?.whole ?? 0),
      proximity: record["proximity"]?.text.flatMap(BeaconProximity.init) ?? .unknown, lastSeen: lastSeen, rssi: record["rssi"]?.number,
      samples: UInt32(clamping: record["samples"]?.whole ?? 0),
      distance: record["distance"]?.number.flatMap { $0 > 0 ? Distance(metres: $0) : nil },
      // Before the Bayesian method, rows had no method.
      method: record["distanceMethod"]?.text.flatMap(DistanceMethod.init) ?? .plain)
  }
}

extension Region.Mark {
  fileprivate var constraint: BeaconConstraint? {
    if case .beacons(let constraint) = self { constraint } else { nil }
  }

  fileprivate var circle: Circle? {
    if case .circle(let circle) = self { circle } else { nil }
  }

  fileprivate var area: VenueArea? {
    if case .area(let area) = self { area } else { nil }
  }

  fileprivate init?(_ record: Record) {
    if let constraint = BeaconConstraint(record) {
      self = .beacons(constraint)
    } else if let latitude = record["latitude"]?.number, let longitude = record["longitude"]?.number,
      let radius = record["radius"]?.number, let center = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Circle(center: center, radius: radius)
    {
      self = .circle(circle)
    } else if let place = record["place"]?.text {
      self = .area(VenueArea(.place(place), venue: record["venue"]?.text))
    } else if let level = record["level"]?.text {
      self = .area(VenueArea(.level(level), venue: record["venue"]?.text))
    } else if let venue = record["venue"]?.text {
      self = .area(VenueArea(.whole, venue: venue))
    } else {
      return nil
    }
  }
}

extension BeaconConstraint {
  fileprivate init?(_ record: Record) {
    guard let uuid = BeaconUUID(record) else { return nil }
    self.init(uuid: uuid, major: record["major"]?.short, minor: record["minor"]?.short)
  }
}

extension BeaconUUID {
  fileprivate init?(_ record: Record) {
    guard let text = record["uuid"]?.text else { return nil }
    do throws(BeaconUUIDError) {
      self = try BeaconUUID(text)
    } catch {
      return nil
    }
  }
}

extension RegionHistory.Day {
  fileprivate var record: Record {
    Record([
      "longestGap": .count(UInt64(longestGap)), "longestAbsence": .count(UInt64(longestAbsence)), "silences": .count(UInt64(silences)),
      "departures": .count(UInt64(departures)), "strays": .count(UInt64(strays)),
    ])
  }

  fileprivate init(_ record: Record) {
    self.init()
    longestGap = UInt32(clamping: record["longestGap"]?.whole ?? 0)
    longestAbsence = UInt32(clamping: record["longestAbsence"]?.whole ?? 0)
    silences = UInt16(clamping: record["silences"]?.whole ?? 0)
    departures = UInt16(clamping: record["departures"]?.whole ?? 0)
    strays = UInt16(clamping: record["strays"]?.whole ?? 0)
  }
}

extension RecordValue {
  /// The value as a whole number; `nil` if it is not one.
  fileprivate var whole: Int64? {
    switch self {
    case .count(let count): Int64(clamping: count)
    case .integer(let integer): integer
    default: nil
    }
  }
}
