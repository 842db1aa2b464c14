import FoundationEssentials

/// The evidence for an event. A value that is unknown, or that the cause does not have, is nil.
public struct EventReason: Hashable, Sendable {
  /// The one thing that made an event.
  public enum Cause: String, Hashable, Sendable {
    /// The first sighting of a beacon that satisfies the region, or of a beacon that was missing.
    case sighting
    /// A beacon came and stayed within the region's distance, or the device within the circle or the place.
    case approach
    /// Every beacon heard stayed beyond the region's leaving distance, or the device outside the circle or the place.
    case departure
    /// No advertisement came for the exit delay of the region, or for longer than the longest usual gap of an expected beacon.
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
    /// The service was down for so long that an earlier visit is over.
    case outage
    /// The voltage that an expected beacon reports.
    case battery
    /// An expected beacon is received at another level than usual, or at the usual one again.
    case level
    /// The indoor position of the device does not fit the place of an expected beacon on the plan.
    case placement
    /// Two addresses with the identity of an expected beacon take turns: a suspected copy.
    case addresses
    /// The level of an expected beacon alternates faster than any movement: a suspected copy.
    case jumps
    /// Two phases of the interval of an expected beacon take turns, each with its own level: a suspected copy.
    case phases
  }

  /// Nil for a cause that this version does not know.
  public let cause: Cause?
  /// The last sighting of the beacon that counted.
  public let lastSeen: Date?
  /// The time from `lastSeen` to the event.
  public let lastSeenAge: Duration?
  /// The sightings behind the filtered RSSI.
  public let samples: Int?
  /// The distance in metres that was crossed, from the beacon or from the circle's centre.
  public let threshold: Double?
  /// The exit delay that ran out.
  public let exitDelay: Duration?
  /// The time for which fixes or indoor positions agreed.
  public let hold: Duration?
  /// The time of the fix.
  public let fixTime: Date?
  /// The time from `fixTime` to the event.
  public let fixAge: Duration?
  /// The probability of an indoor position that decided, from 0 to 1.
  public let probability: Double?
  /// The dwell that the visit has reached.
  public let dwell: Duration?
  /// The longest usual gap between two advertisements of an expected beacon.
  public let longestGap: Duration?
  /// The RSSI in dBm that is usual for an expected beacon.
  public let usualRSSI: Double?
  /// The RSSI in dBm of the other transmitter of an expected beacon's identity.
  public let otherRSSI: Double?
  /// The metres between the place of an expected beacon on the plan and the estimated one.
  public let displacement: Double?
  /// The address of the adapter that heard the beacon, or its name in a capture without addresses.
  public let adapter: String?
}
