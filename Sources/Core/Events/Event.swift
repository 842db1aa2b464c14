import Beacons
import Instants

/// An event at a region or for an appointment: its kind, its time, and the evidence for it.
///
/// Every program sees the same event, as JSON, `a{sv}`, CSV or environment variables.
/// `Event.fields` is the one definition of the keys; Docs/events.md explains them. A value that is unknown is nil.
///
/// A property with the type `Optional<Value>` has no default, unlike one with `Value?`. So the compiler finds a property without a key.
public struct Event: Hashable, Sendable {
  /// The kinds of events, by the text of the key `event`.
  public enum Kind: String, CaseIterable, Sendable {
    case enter
    case exit
    /// A visit has lasted for the region's dwell. The state does not change.
    case dwell
    /// The device passed through a small circle between two fixes. The state does not change.
    case cross
    /// A change of state that is not a crossing, or a crossing that the region mutes.
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
  public var kind: Optional<Kind>
  /// The number of the first of several damaged events; `sequence` is the last.
  public var firstSequence: Optional<UInt64>
  /// The identifier of the region; nil for damaged events, and for those of an appointment or of an expected beacon.
  public var region: Optional<String>
  /// The kind of region: marked by beacons, a circle, or a place in a venue.
  public var regionKind: Optional<RegionKind>
  /// The time of the event, since the Unix epoch: that of the sighting or the fix, or the deadline that passed.
  public var time: Optional<Instant>
  /// The state from this event on.
  public var state: Optional<RegionState>
  /// The beacon that decided.
  public var beacon: Optional<Beacon>
  /// The beacon's filtered RSSI in dBm.
  public var rssi: Optional<Double>
  /// The distance to the beacon in metres.
  public var distance: Optional<Double>
  /// One sigma of `distance` in metres.
  public var accuracy: Optional<Double>
  /// The method that gave `distance`; also nil for a method that this version does not know.
  public var distanceMethod: Optional<DistanceMethod>
  /// The proximity of the beacon; nil for a circle.
  public var proximity: Optional<BeaconProximity>
  /// The name of the place that the beacon stands for, or of the appointment's place, in the language of the daemon.
  public var placeName: Optional<String>
  /// The id of that place in its venue file.
  public var placeID: Optional<String>
  /// The ordinal of the level of a place region; nil for a whole venue and for other regions.
  public var floor: Optional<Int64>
  /// The name of that level, in the language of the daemon.
  public var levelName: Optional<String>
  /// The last fix; nil for a beacon region.
  public var location: Optional<Location>
  /// Metres from the circle's boundary to `location`, negative inside.
  public var boundaryDistance: Optional<Double>
  /// The title of the appointment, in the language of the daemon; nil for an event of a region.
  public var appointment: Optional<String>
  /// The beginning of the appointment, since the Unix epoch.
  public var appointmentTime: Optional<Instant>
  /// The time of the way to the appointment from the present position.
  public var travelTime: Optional<Span>
  /// The length of this way in metres.
  public var travelDistance: Optional<Double>
  /// The event that reported the problem that has now ended, for an expected beacon.
  public var ended: Optional<Kind>
  /// The voltage that the beacon reports for its battery.
  public var battery: Optional<Double>
  /// The temperature in °C that the beacon reports.
  public var temperature: Optional<Double>
  /// The kind of problem of a fleet; nil for an event of a device.
  public var alert: Optional<Alert>
  /// The number of the alert, which its beginning and its end share.
  public var alertID: Optional<UInt64>
  /// The site of the fleet; nil for a problem of the hub.
  public var site: Optional<String>
  /// The device of the site.
  public var device: Optional<String>
  /// The problem of a fleet in a sentence.
  public var text: Optional<String>
  /// The time that the problem has lasted, for its end.
  public var duration: Optional<Span>
  public var reason: Reason
  /// Whether the device's clock was synchronised; nil where the daemon cannot tell.
  public var isClockSynchronised: Optional<Bool>
  /// The app that registered the region; nil unless it is a registered region.
  public var appID: Optional<String>
  /// The identity of the journal that the event is in; nil for an event that is in none.
  public var journal: Optional<String>
  /// Whether the event survives the daemon; nil for an event that is in no journal.
  public var isDurable: Optional<Bool>
  /// True for an event of `beaconmon-notifier --test`, which did not happen.
  public var isTest: Optional<Bool>
}

extension Event {
  public init(
    sequence: UInt64, kind: Kind, region: String? = nil, regionKind: RegionKind? = nil, time: Instant? = nil, state: RegionState? = nil,
    reason: Reason = Reason()
  ) {
    self = Self.blank
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
  }

  /// The fix that an event of a circle is based on.
  public struct Location: Hashable, Sendable {
    /// Degrees, WGS84.
    public var latitude: Double
    /// Degrees, WGS84.
    public var longitude: Double
    /// One sigma in metres.
    public var horizontalAccuracy: Optional<Double>
    /// Metres per second.
    public var speed: Optional<Double>
  }
}

extension Event.Beacon {
  public init(_ beacon: BeaconIdentity) { self.init(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor) }
}

extension Event.Location {
  public init(latitude: Double, longitude: Double) {
    self = Self.blank
    (self.latitude, self.longitude) = (latitude, longitude)
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
