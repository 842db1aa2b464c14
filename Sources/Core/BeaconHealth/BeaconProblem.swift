import Beacons
import Instants

/// A problem of an expected beacon.
public enum BeaconProblem: String, CaseIterable, Sendable {
  /// The beacon has fallen silent.
  case missing
  /// The battery is low, or the beacon has slowly become weaker.
  case weak
  /// The beacon seems to hang at another place.
  case moved
  /// Another transmitter has the same identity.
  case duplicate
}

/// The beginning or the end of a problem of an expected beacon, with its evidence.
public struct BeaconFinding: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public let problem: BeaconProblem
  /// Whether the problem is over.
  public let hasEnded: Bool
  public let time: Instant
  public var evidence: Evidence

  init(_ beacon: BeaconIdentity, _ problem: BeaconProblem, hasEnded: Bool = false, at time: Instant, _ evidence: Evidence) {
    (self.beacon, self.problem, self.hasEnded, self.time, self.evidence) = (beacon, problem, hasEnded, time, evidence)
  }

  /// The observation that decided.
  public enum Cause: String, CaseIterable, Sendable {
    /// No advertisement was heard for nearly three times the longest gap.
    case silence
    /// An advertisement after the silence.
    case sighting
    /// The voltage that the beacon reports.
    case battery
    /// The usual level of the RSSI.
    case level
    /// The indoor position of this device.
    case placement
    /// Two addresses that take turns.
    case addresses
    /// Levels that alternate within less than an interval of the beacon.
    case jumps
    /// Two phases of the interval that take turns, each with its own level.
    case phases
  }

  public struct Evidence: Hashable, Sendable {
    public var cause: Cause
    /// The time of the last advertisement; nil if there was none since the start.
    public var lastSeen: Instant?
    /// The longest gap between two advertisements of today and yesterday.
    public var longestGap: Span?
    /// The present level in dBm.
    public var level: Double?
    /// The level that was usual in the first days, in dBm.
    public var usualLevel: Double?
    /// The level of the other transmitter in dBm.
    public var otherLevel: Double?
    /// The reported voltage of the battery.
    public var voltage: Double?
    /// The reported temperature in °C.
    public var temperature: Double?
    /// The metres between the place on the plan and the estimated one.
    public var displacement: Double?
    /// The adapter that heard the beacon last, by its number in sightings.
    public var adapter: UInt16?

    init(_ cause: Cause) {
      self.cause = cause
    }
  }
}
