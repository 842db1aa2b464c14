import Instants

extension Event {
  /// The reason for an event, in values.
  public struct Reason: Hashable, Sendable {
    /// Nil for a cause that this version does not know.
    public var cause: Optional<Cause>
    /// The last sighting of the beacon that counted, since the Unix epoch.
    public var lastSeen: Optional<Instant>
    /// Seconds from `lastSeen` to the event.
    public var lastSeenAge: Optional<Double>
    /// The sightings behind the filtered RSSI.
    public var samples: Optional<UInt64>
    /// The distance in metres that was crossed, from the beacon or from the circle's center; nil when distance did not decide.
    public var threshold: Optional<Double>
    /// The exit delay that ran out.
    public var exitDelay: Optional<Span>
    /// The time for which fixes have agreed.
    public var hold: Optional<Span>
    /// The time of the fix, since the Unix epoch.
    public var fixTime: Optional<Instant>
    /// Seconds from `fixTime` to the event.
    public var fixAge: Optional<Double>
    /// The probability that the device was inside a place of a venue, from 0 to 1.
    public var probability: Optional<Double>
    /// The dwell that the visit has reached.
    public var dwell: Optional<Span>
    /// The longest gap between two advertisements of the beacon that is usual.
    public var longestGap: Optional<Span>
    /// The RSSI in dBm that is usual for the beacon.
    public var usualRSSI: Optional<Double>
    /// The RSSI in dBm of the other transmitter of the beacon's identity.
    public var otherRSSI: Optional<Double>
    /// The metres between the place of the beacon on the plan and the estimated one.
    public var displacement: Optional<Double>
    /// The adapter that heard the beacon: its address, or a name in a capture that has none.
    public var adapter: Optional<String>
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

extension Event.Reason {
  public init(_ cause: Event.Cause? = nil) {
    self = Self.blank
    self.cause = cause
  }
}
