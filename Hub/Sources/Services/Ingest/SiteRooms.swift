import Beacons
import FleetMessages
import Instants
import Records
import Rooms

/// The room filter of a site, and its rows that a batch has to write.
struct SiteRooms {
  /// The shortest time between two searches for beacons that left, in milliseconds.
  private static let expiryInterval: Int64 = 1000
  /// The shortest time between two writes of learned offsets, in milliseconds. A crash loses what was learned since.
  private static let offsetsInterval: Int64 = 60_000

  private var filter: RoomFilter
  private let isActive: Bool
  /// The changes of beacons whose stored room has no device any more, until the next batch.
  private var departures: [RoomChange] = []
  private var expireAt: Int64 = 0
  private var writeOffsetsAt: Int64

  /// The surveyed places of the site; nil if learned levels decide.
  var surveyed: SurveyedSite? { filter.surveyed }

  /// Continues from the rows of a site. An empty state replaces one that is damaged or of another version.
  ///
  /// - Parameter former: The surveyed places when the worker had the site before.
  init(_ site: LoadedSite, former: SurveyedSite?, now: Int64) {
    filter = RoomFilter(devices: site.devices, surveys: site.surveys, former: former)
    isActive = !site.devices.isEmpty
    writeOffsetsAt = now + Self.offsetsInterval
    if let offsets = site.offsets { try? filter.restore(offsets: offsets) }
    for (key, loaded) in site.beacons { restore(loaded, of: key.beacon) }
  }

  /// Continues with the row of a beacon. A room that the row has and the filter does not know ends with the last sighting.
  mutating func restore(_ loaded: LoadedBeacon, of beacon: BeaconIdentity) {
    if isActive, let octets = loaded.roomState { try? filter.restore(octets, of: beacon) }
    guard let room = loaded.room, filter.room(of: beacon) == nil else { return }
    let (since, seen) = (Self.instant(loaded.roomSince ?? loaded.state.lastSeen), Self.instant(loaded.state.lastSeen))
    departures.append(RoomChange(beacon: beacon, from: room, to: nil, time: max(since, seen), since: since, reason: .dropped))
  }

  /// The time of a row, between 1970 and the year 9999.
  private static func instant(_ milliseconds: Int64) -> Instant {
    Instant(microseconds: min(max(milliseconds, 0), 253_402_300_799_999) * 1000)
  }

  /// Takes a digest whose end is `time` in milliseconds since 1970.
  mutating func take(_ sightings: [FleetSighting], from device: Int32, at time: Int64) -> [RoomChange] {
    isActive ? filter.take(sightings, from: device, at: Instant(microseconds: time * 1000)) : []
  }

  /// Returns the changes of beacons that lost their room or left. It searches for beacons that left once a second.
  mutating func expireIfDue(_ now: Int64) -> [RoomChange] {
    let lost = departures
    departures = []
    guard isActive, now >= expireAt else { return lost }
    expireAt = now + Self.expiryInterval
    return lost + filter.expire(at: Instant(microseconds: now * 1000))
  }

  /// Returns the learned offsets if it is time to write them.
  mutating func offsetsIfDue(_ now: Int64) -> [UInt8]? {
    guard isActive, now >= writeOffsetsAt else { return nil }
    writeOffsetsAt = now + Self.offsetsInterval
    return filter.offsets
  }

  func row(_ state: BeaconState, of beacon: BeaconIdentity) -> BeaconRow {
    guard isActive else { return BeaconRow(state: state) }
    let place = filter.room(of: beacon)
    return BeaconRow(
      state: state, room: place?.room, roomSince: place.map { $0.since.microseconds / 1000 }, roomState: filter.octets(of: beacon))
  }
}

extension RoomChange {
  func row(of beacon: Int32) -> RoomChangeRow {
    RoomChangeRow(
      beacon: beacon, from: from, to: to, time: time.microseconds / 1000, since: since.map { $0.microseconds / 1000 }, reason: record.json)
  }

  /// The explanation and the figures of the decision: levels in dBm, times in seconds.
  private var record: Record {
    var record = Record(["kind": .text(reason.kind), "text": .text(explanation)])
    switch reason {
    case .appeared(let reading): record.append(reading.record(prefix: ""))
    case .silent(let span): record.append("silence", .quantity(span.seconds, decimals: 1))
    case .dropped: break
    case .moreLikely(let figures):
      record.append(figures.present.record(prefix: ""))
      if let former = figures.former { record.append(former.record(prefix: "former")) }
      record.append("logOdds", .quantity(figures.lead, decimals: 1))
      record.append("requiredLogOdds", .quantity(figures.requiredLead, decimals: 1))
      record.append("held", .quantity(figures.held.seconds, decimals: 1))
      record.append("betweenFloors", .flag(figures.isBetweenFloors))
    }
    return record
  }
}

extension RoomChange.Reason {
  fileprivate var kind: String {
    switch self {
    case .appeared: "appeared"
    case .silent: "silent"
    case .dropped: "dropped"
    case .moreLikely: "moved"
    }
  }
}

extension RoomChange.Reading {
  fileprivate func record(prefix: String) -> Record {
    func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst() }
    var record = Record()
    record.append(key("device"), .integer(Int64(device)))
    record.append(key("level"), .rssi(level))
    record.append(key("usualLevel"), .rssi(usualLevel))
    return record
  }
}
