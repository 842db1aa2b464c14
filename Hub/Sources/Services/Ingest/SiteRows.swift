import Rooms

/// A site as the store has it.
public struct LoadedSite: Sendable {
  /// The devices that have a room.
  public var devices: [SiteDevice]
  /// The learned offsets of the devices; nil before the first.
  public var offsets: [UInt8]?
  /// The beacons that are in a room.
  public var beacons: [BeaconKey: LoadedBeacon]
  /// The keys of the surveys of its rooms in ascending order. A survey that is stored again has a new one.
  public var surveys: [Int64]

  public init(devices: [SiteDevice] = [], offsets: [UInt8]? = nil, beacons: [BeaconKey: LoadedBeacon] = [:], surveys: [Int64] = []) {
    (self.devices, self.offsets, self.beacons, self.surveys) = (devices, offsets, beacons, surveys)
  }
}

/// The survey of a room as the store has it.
public struct LoadedSurvey: Sendable {
  public var key: Int64
  public var room: String
  /// The survey, or the reason why it cannot be read.
  public var content: Result<RoomSurvey, RoomStateError>
  /// The corrections of the survey by beacons; nil if none are stored.
  public var corrections: [UInt8]?

  public init(key: Int64, room: String, content: Result<RoomSurvey, RoomStateError>, corrections: [UInt8]? = nil) {
    (self.key, self.room, self.content, self.corrections) = (key, room, content, corrections)
  }
}

/// A beacon as the store has it.
public struct LoadedBeacon: Hashable, Sendable {
  public var state: BeaconState
  /// The state of the room filter; nil if it does not know the beacon.
  public var roomState: [UInt8]?
  /// The room of the row, and milliseconds since 1970 when the beacon came there.
  public var room: String?
  public var roomSince: Int64?

  public init(state: BeaconState, roomState: [UInt8]? = nil, room: String? = nil, roomSince: Int64? = nil) {
    (self.state, self.roomState, self.room, self.roomSince) = (state, roomState, room, roomSince)
  }
}

/// The answer of a store to a request for beacons.
public struct LoadedBeacons: Sendable {
  public var found: [BeaconKey: LoadedBeacon]
  /// The beacons that new ones have replaced.
  public var evicted: [BeaconKey]
  /// The erased beacons, about which nothing may be stored.
  public var erased: [BeaconKey]

  public init(found: [BeaconKey: LoadedBeacon], evicted: [BeaconKey] = [], erased: [BeaconKey] = []) {
    (self.found, self.evicted, self.erased) = (found, evicted, erased)
  }
}

/// A beacon as a batch writes it.
public struct BeaconRow: Hashable, Sendable {
  public var state: BeaconState
  public var room: String?
  /// Milliseconds since 1970 when the beacon came to the room.
  public var roomSince: Int64?
  public var roomState: [UInt8]?

  public init(state: BeaconState, room: String? = nil, roomSince: Int64? = nil, roomState: [UInt8]? = nil) {
    (self.state, self.room, self.roomSince, self.roomState) = (state, room, roomSince, roomState)
  }
}

/// A change of a beacon's room as a batch writes it.
public struct RoomChangeRow: Hashable, Sendable {
  public var beacon: Int32
  public var from: String?
  public var to: String?
  /// Milliseconds since 1970.
  public var time: Int64
  /// Milliseconds since 1970 when the stay in the room before began; nil if there was none.
  public var since: Int64?
  /// The figures of the decision as JSON.
  public var reason: String

  public init(beacon: Int32, from: String?, to: String?, time: Int64, since: Int64?, reason: String) {
    (self.beacon, self.from, self.to, self.time, self.since, self.reason) = (beacon, from, to, time, since, reason)
  }
}
