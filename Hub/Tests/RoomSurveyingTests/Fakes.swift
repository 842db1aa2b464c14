import Beacons
import FleetMessages
import Instants
import RoomSurveying
import Rooms

/// A database with a site of two rooms, whose device in the hall hears the tag once a second.
final class FakeStore: SurveyStore {
  static let tag = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)

  /// An error of a database that does not answer.
  struct Outage: Error, CustomStringConvertible { var description: String { "database: gone" } }

  var present: Int64 = 1_000_000
  var placed: [PlacedDevice]? = [
    PlacedDevice(name: "door", device: SiteDevice(id: 1, room: "hall")),
    PlacedDevice(name: "till", device: SiteDevice(id: 2, room: "shop")),
  ]
  var uuids = [UInt64(1)]
  /// Whether the device in the hall hears the tag.
  var isHeard = true
  var surveys: [String: RoomSurvey] = [:]
  var damaged: Set<String> = []
  /// The number of calls of `levels` that fail.
  var outages = 0
  private(set) var notes: [String] = []

  func time() throws -> Int64 { present }

  func devices(of site: String) throws -> [PlacedDevice]? { site == "berlin" ? placed : nil }

  func tags(of site: String, major: UInt16, minor: UInt16) throws -> [BeaconIdentity] {
    uuids.map { BeaconIdentity(uuid: BeaconUUID(high: $0, low: 2), major: major, minor: minor) }
  }

  func levels(of tag: BeaconIdentity, at site: String, during parts: [ClosedRange<Int64>], devices: [PlacedDevice]) throws -> WalkLevels {
    if outages > 0 {
      outages -= 1
      throw Outage()
    }
    var levels = WalkLevels(of: tag, during: parts, devices: devices.map(\.device))
    for part in parts {
      for time in stride(from: part.lowerBound, through: part.upperBound, by: 1000) {
        for device in devices {
          let hears = isHeard && device.device.room == "hall"
          levels.take(
            hears ? [FleetSighting(beacon: tag, level: -60, distance: nil, rate: 9, age: 0)] : [], from: device.device.id, at: time)
        }
      }
    }
    return levels
  }

  func store(_ survey: RoomSurvey, at site: String, from begin: Int64, by actor: String) throws {
    surveys[survey.room] = survey
    notes.append("\(site) \(survey.room) from \(begin) by \(actor)")
  }

  func forget(_ room: String?, at site: String, by actor: String) throws -> [String] {
    let rooms = surveys.keys.filter { room == nil || $0 == room }.sorted()
    for room in rooms { surveys[room] = nil }
    return rooms
  }

  func rooms(of site: String) throws -> [SurveyedRoom] { surveys.keys.sorted().map { SurveyedRoom(room: $0, time: "2026-11-20 09:00") } }

  func survey(of room: String, at site: String) throws -> RoomSurvey? {
    if damaged.contains(room) { throw RoomStateError.unknownVersion(9) }
    return surveys[room]
  }
}

/// An installer with prepared answers, each of which takes some time. The clock is that of the installer.
final class FakeInstaller: SurveyTerminal, SurveyClock {
  let store: FakeStore
  var answers: [(text: String, seconds: Int64)] = []
  private(set) var lines: [String] = []
  private(set) var pauses: [Span] = []
  var uptime = Span.seconds(5)

  init(_ store: FakeStore) { self.store = store }

  private func pass(_ time: Span) {
    uptime = uptime + time
    store.present += time.microseconds / 1000
  }

  func show(_ line: String) { lines.append(line) }

  func ask(_ question: String) -> String? {
    lines.append(question)
    guard !answers.isEmpty else { return nil }
    let answer = answers.removeFirst()
    pass(.seconds(Double(answer.seconds)))
    return answer.text
  }

  func pause(_ time: Span) {
    pauses.append(time)
    pass(time)
  }
}
