import Beacons
import Instants

/// An event at a region or for an appointment: its kind, its time, and the evidence for it.
///
/// Every program sees the same event, as JSON, `a{sv}`, CSV or environment variables.
/// `Event.fields` is the one definition of the keys; Docs/events.md explains them. A value that is unknown is nil.
public struct Event: Hashable, Sendable {
  /// The kinds of events, by the text of the key `event`.
  public enum Kind: String, CaseIterable, Sendable {
    case enter
    case exit
    /// A visit has lasted for the region's dwell. The state does not change.
    case dwell
    /// The device passed through a small circle between two fixes. The state does not change.
    case cross
    /// A change of state that is no crossing, or a crossing that the region mutes.
    case state
    /// The time to leave for an appointment has come: the way and the margin are left.
    case depart
    /// The margin before an appointment is used up, so that the visitor will be late without leaving at once.
    case hurry
    /// The visitor is at the place of an appointment, so that earlier advice no longer counts.
    case arrive
    /// An appointment has begun, and the visitor is not there.
    case miss
    /// An expected beacon has fallen silent.
    case beaconMissing = "beacon-missing"
    /// The battery of an expected beacon is low, or its level has fallen slowly.
    case beaconWeak = "beacon-weak"
    /// An expected beacon seems to hang at another place.
    case beaconMoved = "beacon-moved"
    /// Another transmitter has the identity of an expected beacon, so that one of them is a suspected copy.
    case beaconDuplicate = "beacon-duplicate"
    /// A problem of an expected beacon is over.
    case beaconRecovered = "beacon-recovered"
    /// A problem of a fleet has begun. Only the hub of a fleet reports it.
    case alert
    /// A problem of a fleet is over.
    case alertEnded = "alert-ended"
    /// A stand-in for events of the journal that cannot be read. Never sent as a signal.
    case damaged
  }

  /// The number in the journal, or among the events of a session's region.
  public var sequence: UInt64
  /// Nil for a kind that this version does not know.
  public var kind: Kind?
  /// The number of the first of several damaged events; `sequence` is the last.
  public var firstSequence: UInt64?
  /// The identifier of the region; nil for damaged events, and for those of an appointment or of an expected beacon.
  public var region: String?
  /// The kind of region: marked by beacons, a circle, or a place in a venue.
  public var regionKind: RegionKind?
  /// The time of the event, since the Unix epoch: that of the sighting or the fix, or the deadline that passed.
  public var time: Instant?
  /// The state from this event on.
  public var state: RegionState?
  /// The beacon that decided.
  public var beacon: Beacon?
  /// The beacon's filtered RSSI in dBm.
  public var rssi: Double?
  /// The distance to the beacon in metres.
  public var distance: Double?
  /// One sigma of `distance` in metres.
  public var accuracy: Double?
  /// The method that gave `distance`; also nil for a method that this version does not know.
  public var distanceMethod: DistanceMethod?
  /// The proximity of the beacon; nil for a circle.
  public var proximity: BeaconProximity?
  /// The name of the place that the beacon stands for, or of the appointment's place, in the language of the daemon.
  public var placeName: String?
  /// The id of that place in its venue file.
  public var placeID: String?
  /// The ordinal of the level of a place region; nil for a whole venue and for other regions.
  public var floor: Int64?
  /// The name of that level, in the language of the daemon.
  public var levelName: String?
  /// The last fix; nil for a beacon region.
  public var location: Location?
  /// Metres from the circle's boundary to `location`, negative inside.
  public var boundaryDistance: Double?
  /// The title of the appointment, in the language of the daemon; nil for an event of a region.
  public var appointment: String?
  /// The beginning of the appointment, since the Unix epoch.
  public var appointmentTime: Instant?
  /// The time of the way to the appointment from the present position.
  public var travelTime: Span?
  /// The length of this way in metres.
  public var travelDistance: Double?
  /// The event that reported the problem which is over, for an expected beacon.
  public var ended: Kind?
  /// The voltage that the beacon reports for its battery.
  public var battery: Double?
  /// The temperature in °C that the beacon reports.
  public var temperature: Double?
  /// The kind of problem of a fleet; nil for an event of a device.
  public var alert: Alert?
  /// The number of the alert, which its beginning and its end share.
  public var alertID: UInt64?
  /// The site of the fleet; nil for a problem of the hub.
  public var site: String?
  /// The device of the site.
  public var device: String?
  /// The problem of a fleet in a sentence.
  public var text: String?
  /// The time that the problem has lasted, for its end.
  public var duration: Span?
  public var reason: Reason
  /// Whether the device's clock was synchronised; nil where the daemon cannot tell.
  public var isClockSynchronised: Bool?
  /// The identity of the journal that the event is in; nil for an event that is in none.
  public var journal: String?
  /// Whether the event survives the daemon; nil for an event that is in no journal.
  public var isDurable: Bool?
  /// The app that registered the region; nil unless it is a registered region.
  public var appID: String?
  /// True for an event of `beaconmon-notifier --test`, which did not happen.
  public var isTest: Bool?

  public init(
    sequence: UInt64, kind: Kind, region: String? = nil, regionKind: RegionKind? = nil, time: Instant? = nil, state: RegionState? = nil,
    reason: Reason = Reason()
  ) {
    (self.sequence, self.kind, self.region, self.regionKind) = (sequence, kind, region, regionKind)
    (self.time, self.state, self.reason) = (time, state, reason)
  }
}

extension Event.Kind {
  /// Whether events of this kind are for an appointment, and belong to no region.
  public var isOfAppointment: Bool {
    switch self {
    case .depart, .hurry, .arrive, .miss: true
    case .enter, .exit, .dwell, .cross, .state, .damaged: false
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered, .alert, .alertEnded: false
    }
  }

  /// Whether events of this kind are about an expected beacon, and belong to no region.
  public var isOfBeacon: Bool {
    switch self {
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered: true
    case .enter, .exit, .dwell, .cross, .state, .depart, .hurry, .arrive, .miss, .alert, .alertEnded, .damaged: false
    }
  }
}

extension Event {
  /// The beacon that decided an event.
  public struct Beacon: Hashable, Sendable {
    public var uuid: BeaconUUID
    public var major: UInt16
    public var minor: UInt16

    public init(_ beacon: BeaconIdentity) {
      (uuid, major, minor) = (beacon.uuid, beacon.major, beacon.minor)
    }
  }

  /// The fix that an event of a circle is based on.
  public struct Location: Hashable, Sendable {
    /// Degrees, WGS84.
    public var latitude: Double
    /// Degrees, WGS84.
    public var longitude: Double
    /// One sigma in metres.
    public var horizontalAccuracy: Double?
    /// Metres per second.
    public var speed: Double?

    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, speed: Double? = nil) {
      (self.latitude, self.longitude) = (latitude, longitude)
      (self.horizontalAccuracy, self.speed) = (horizontalAccuracy, speed)
    }
  }

  /// The reason for an event, in values.
  public struct Reason: Hashable, Sendable {
    /// Nil for a cause that this version does not know.
    public var cause: Cause?
    /// The last sighting of the beacon that counted, since the Unix epoch.
    public var lastSeen: Instant?
    /// Seconds from `lastSeen` to the event.
    public var lastSeenAge: Double?
    /// The sightings behind the filtered RSSI.
    public var samples: UInt64?
    /// The distance in metres that was crossed, from the beacon or from the circle's center; nil when distance did not decide.
    public var threshold: Double?
    /// The exit delay that ran out.
    public var exitDelay: Span?
    /// The time for which fixes have agreed.
    public var hold: Span?
    /// The probability that the device was inside a place of a venue, from 0 to 1.
    public var probability: Double?
    /// The time of the fix, since the Unix epoch.
    public var fixTime: Instant?
    /// Seconds from `fixTime` to the event.
    public var fixAge: Double?
    /// The dwell that the visit has reached.
    public var dwell: Span?
    /// The longest gap between two advertisements of the beacon that is usual.
    public var longestGap: Span?
    /// The RSSI in dBm that is usual for the beacon.
    public var usualRSSI: Double?
    /// The RSSI in dBm of the other transmitter of the beacon's identity.
    public var otherRSSI: Double?
    /// The metres between the place of the beacon on the plan and the estimated one.
    public var displacement: Double?
    /// The adapter that heard the beacon: its address, or a name in a capture that has none.
    public var adapter: String?

    public init(_ cause: Cause? = nil) {
      self.cause = cause
    }
  }

  /// The one thing that made an event.
  public enum Cause: String, CaseIterable, Sendable {
    /// The first sighting of a beacon that satisfies the region.
    case sighting
    /// A beacon came and stayed within the region's distance, or the device within the circle or the place.
    case approach
    /// Every beacon heard stayed beyond the region's leaving distance, or the device outside the circle or the place.
    case departure
    /// No advertisement satisfied the region for its exit delay.
    case silence
    /// The region was still satisfied when its dwell was over.
    case stay
    /// A fix agrees with the circle's last known state, or is the first and lies outside.
    case fix
    /// Two fixes lie on either side of the circle.
    case passage
    /// No fix is fine and new enough for the circle any more.
    case locationLost
    /// No receiver that heard the region can hear.
    case receiverLost
    /// The time that is left until an appointment.
    case deadline
    /// The voltage that the beacon reports.
    case battery
    /// The beacon is received at another level than usual, or at the usual one again.
    case level
    /// The indoor position of this device does not fit the place of the beacon on the plan.
    case placement
    /// Two addresses with one identity take turns.
    case addresses
    /// The level alternates faster than any movement, within less than an interval of the beacon.
    case jumps
    /// Two phases of the interval of the beacon take turns, each with its own level.
    case phases
    /// The daemon was down for so long that an earlier visit is over.
    case outage
    /// The row of a damaged event is in the journal, and its content is not what was written.
    case unreadable
    /// The rows of damaged events are lost from the journal.
    case missing
    /// `beaconmon-notifier --test` made the event.
    case test
  }
}

/// The place of the device in relation to a region.
public enum RegionState: String, Sendable, CaseIterable {
  case unknown
  case inside
  case outside
}

/// The kinds of regions.
public enum RegionKind: String, Sendable, CaseIterable {
  case beacon
  case circle
  /// A place in a venue, which the indoor position decides about.
  case place
}
