import Beacons
import FleetMessages
import Records

/// The levels at which the devices of a site heard a tag that an installer carried through one room.
public struct RoomSurvey: Hashable, Sendable {
  /// The digests of one device during the walk.
  public struct Listener: Hashable, Sendable {
    public var device: Int32
    /// The room in which the device hung. If it has another room now, its samples describe another site.
    public var room: String
    public var samples: [Sample]

    public init(device: Int32, room: String, samples: [Sample] = []) {
      (self.device, self.room, self.samples) = (device, room, samples)
    }
  }

  public struct Sample: Hashable, Sendable {
    /// Tenths of a second since the beginning of the walk.
    public var time: UInt16
    /// The level in dBm; nil if the device reported without the tag.
    public var level: Int8?

    public init(time: UInt16, level: Int8?) { (self.time, self.level) = (time, level) }
  }

  /// A digest as the hub dates it, in milliseconds since 1970.
  public struct Digest: Sendable {
    public var device: Int32
    public var end: Int64
    public var sightings: [FleetSighting]

    public init(device: Int32, end: Int64, sightings: [FleetSighting]) {
      (self.device, self.end, self.sightings) = (device, end, sightings)
    }
  }

  /// The longest walk in seconds.
  public static let longest = 1200
  /// The seconds at the beginning that do not count: devices filter levels, and still report those of the place before.
  public static let settlingTime = 3
  /// The largest delay of a digest that counts, in milliseconds.
  public static let longestDelay: Int64 = 12_000

  public var room: String
  /// The rooms behind the doors of this one; empty if they are unknown.
  public var doors: [String]
  /// The length of the walk in seconds.
  public var seconds: Int
  public var listeners: [Listener]

  public init(room: String, doors: [String] = [], seconds: Int, listeners: [Listener]) {
    (self.room, self.doors, self.seconds, self.listeners) = (room, doors, seconds, listeners)
  }

  /// Takes a tag's levels out of digests.
  ///
  /// - Parameters:
  ///   - parts: The parts of the walk in their order, in milliseconds since 1970.
  ///   - devices: The devices of the site. Those that sent no digest during the walk are not listeners.
  public init(
    room: String, doors: [String], of tag: BeaconIdentity, during parts: [ClosedRange<Int64>], digests: [Digest], devices: [SiteDevice]
  ) {
    var levels = WalkLevels(of: tag, during: parts, devices: devices)
    for digest in digests { levels.take(digest.sightings, from: digest.device, at: digest.end) }
    self = levels.survey(of: room, doors: doors)
  }
}

extension RoomSurvey {
  /// The devices that heard the tag.
  public var hearing: [Listener] { listeners.filter(\.isHearing) }

  /// The levels and the devices that heard the tag, in words.
  var content: String { "\(Count.text(levelCount, "level")) of \(Count.text(hearing.count, "device"))" }

  /// The number of levels in the survey.
  public var levelCount: Int { listeners.reduce(0) { $0 + $1.samples.count { $0.level != nil } } }
}

extension RoomSurvey {
  /// The shortest walk in seconds, and the fewest levels, that tell the places of a room apart.
  public static let shortest = 60
  static let fewestLevels = 40

  /// The seconds for which the installer has to walk on; 0 if the survey is sufficient, and nil if no device heard the tag.
  public var missingSeconds: Int? {
    guard levelCount > 0 else { return nil }
    let missing = Swift.max(0, Self.fewestLevels - levelCount)
    return Swift.max(0, Self.shortest - seconds, (missing * Swift.max(1, seconds) + levelCount - 1) / levelCount)
  }

  /// Whether no walk of the longest length would be sufficient at this rate of levels.
  public var isHeardTooRarely: Bool { missingSeconds.map { seconds + $0 > Self.longest } ?? false }
}

extension RoomSurvey {
  /// Whether the walk has places for these devices of the site. If too many were moved or removed, it has none.
  public func hasPlaces(for devices: [SiteDevice]) -> Bool {
    let known = devices.sorted { $0.id < $1.id }.prefix(BeaconRoomFilter.mostDevices)
    return SurveyedRoomLevels(self, devices: known.map { DeviceRecord(device: $0, room: 0) }).room != nil
  }
}
