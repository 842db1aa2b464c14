import Beacons
import FleetMessages
import Instants
import Records
import Rooms

/// The room filter of a site, and its rows that a batch has to write.
struct SiteRooms {
  /// The minimum time between two writes of learned levels, in milliseconds. A crash loses later levels.
  private static let offsetsInterval: Int64 = 60_000
  /// The shortest time between two writes of corrections of surveys, in milliseconds. They change more slowly.
  ///
  /// A worker that yields the site or stops writes them first.
  private static let correctionsInterval: Int64 = 600_000

  private var filter: BeaconRoomFilter
  /// The devices and the keys of the surveys, by which the filter decides.
  let devices: [SiteDevice]
  private let surveys: [String: Int64]
  /// The queue of the site.
  let queue: Int
  /// The changes of beacons whose stored room has no device any more, until the next batch.
  private var departures: [RoomChange] = []
  private var expiry = Interval(milliseconds: 1000, from: 0)
  private var offsetsWriting: Interval
  private var correctionsWriting: Interval
  /// The stored values that were refused, until `takeProblems`.
  private var problems: [String] = []
  private var isActive: Bool { !devices.isEmpty }

  /// Continues from the rows of a site.
  ///
  /// A value that is damaged or of another version is refused with a message, and the filter learns it again.
  init(_ site: LoadedSite, surveys: [LoadedSurvey], queue: Int, now: Int64) {
    filter = BeaconRoomFilter(devices: site.devices, surveys: surveys.compactMap { try? $0.content.get() })
    (devices, self.queue) = (site.devices, queue)
    self.surveys = Dictionary(surveys.map { ($0.room, $0.key) }) { $1 }
    offsetsWriting = Interval(milliseconds: Self.offsetsInterval, from: now)
    correctionsWriting = Interval(milliseconds: Self.correctionsInterval, from: now)
    do throws(RoomStateError) { if let offsets = site.offsets { try filter.restore(offsets: offsets) } } catch {
      problems.append("the learned levels: \(error)")
    }
    for survey in surveys {
      if case .failure(let error) = survey.content { problems.append("the survey of \(survey.room): \(error)") }
      guard let octets = survey.corrections else { continue }
      do throws(RoomStateError) { _ = try filter.restore(corrections: octets, ofRoom: survey.room) } catch {
        problems.append("the corrections of \(survey.room): \(error)")
      }
    }
    restore(site.beacons)
  }

  private mutating func restore(_ beacons: [BeaconKey: LoadedBeacon]) {
    for (key, loaded) in beacons { restore(loaded, of: key.beacon) }
  }

  /// Whether the rows of a site have the devices and the surveys from which the filter has learned.
  func fits(_ site: LoadedSite) -> Bool { site.devices == devices && site.surveys == surveys.values.sorted() }

  /// Forgets the beacons, whose rows may change.
  mutating func forgetBeacons() {
    filter.forgetBeacons()
    departures = []
  }

  /// Continues with the rows of the beacons that are in a room.
  mutating func resume(_ site: LoadedSite) { restore(site.beacons) }

  /// Returns the stored values that were refused, with the reasons, and clears the list.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  /// Continues with the row of a beacon. A room that the row has and the filter does not know ends with the last sighting.
  mutating func restore(_ loaded: LoadedBeacon, of beacon: BeaconIdentity) {
    if isActive, let octets = loaded.roomState {
      do throws(RoomStateError) { try filter.restore(octets, of: beacon) } catch {
        // One message is enough for a site with many of them.
        if !problems.contains(where: { $0.hasPrefix(Self.stateOfBeacon) }) { problems.append("\(Self.stateOfBeacon): \(error)") }
      }
    }
    guard let room = loaded.room, filter.room(of: beacon) == nil else { return }
    let (since, seen) = (Self.instant(loaded.roomSince ?? loaded.state.lastSeen), Self.instant(loaded.state.lastSeen))
    departures.append(RoomChange(beacon: beacon, from: room, to: nil, time: max(since, seen), since: since, reason: .dropped))
  }

  private static let stateOfBeacon = "the room of a beacon"

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
    guard isActive, expiry.ends(now) else { return lost }
    return lost + filter.expire(at: Instant(microseconds: now * 1000))
  }

  /// Returns the learned levels if it is time to write them.
  mutating func offsetsIfDue(_ now: Int64) -> [UInt8]? { isActive && offsetsWriting.ends(now) ? filter.offsets : nil }

  /// Returns the corrections by the keys of their surveys, if it is time to write them.
  mutating func correctionsIfDue(_ now: Int64) -> [Int64: [UInt8]] { correctionsWriting.ends(now) ? takeCorrections() : [:] }

  /// Returns the corrections that are not written yet.
  mutating func takeCorrections() -> [Int64: [UInt8]] {
    var corrections: [Int64: [UInt8]] = [:]
    for (room, octets) in filter.takeCorrections() {
      if let key = surveys[room] { corrections[key] = octets }
    }
    return corrections
  }

  func row(_ state: BeaconState, of beacon: BeaconIdentity) -> BeaconRow {
    guard isActive else { return BeaconRow(state: state) }
    let place = filter.room(of: beacon)
    return BeaconRow(
      state: state, room: place?.room, roomSince: place.map { $0.since.microseconds / 1000 }, roomState: filter.octets(of: beacon))
  }
}

/// An interval that begins again whenever it is over.
private struct Interval {
  let milliseconds: Int64
  private var end: Int64

  init(milliseconds: Int64, from now: Int64) { (self.milliseconds, end) = (milliseconds, now + milliseconds) }

  /// Returns whether the interval is over, and begins the next one. A clock that was set back ends it too.
  mutating func ends(_ now: Int64) -> Bool {
    guard now >= end || end - now > milliseconds else { return false }
    end = now + milliseconds
    return true
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
