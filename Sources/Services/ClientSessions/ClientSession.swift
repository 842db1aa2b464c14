import Beacons
import Consent
import ConsentService
import Locations
import Regions

/// The requests of one client, and the state that was last reported to it.
public final class ClientSession {
  /// The name by which the client knows the session, for texts.
  public let name: String
  /// The number of the session, which is unique among the open sessions.
  public let number: UInt32
  public let user: SessionUser
  public let claim: ConsentClient
  /// Whether ranging in this session uses only the sightings of scans for others.
  public let isPassive: Bool
  /// The capabilities without which the session starts nothing.
  public let required: [RequiredCapability]
  /// The client; nil before it is connected, and after it has gone.
  public weak var channel: (any SessionChannel)?
  public internal(set) var constraints: [BeaconConstraint] = []
  /// The identifiers of the session's regions, in the order in which monitoring began.
  public internal(set) var regions: [String] = []
  /// The subset of `regions` that the config defines, whose events the session receives.
  public internal(set) var configuredRegions: Set<String> = []
  public internal(set) var isScanning = false
  /// Whether ranged beacons have their interval and loss in addition.
  public internal(set) var reportsReception = false
  /// True if the client receives the events of its user's registered regions.
  public var isFollowing = false
  /// The location that the session's user states, delivered without consent or a source; nil if none is stated.
  public var manualLocation: Location?
  /// The accuracy in metres of the location updates that the session requested last.
  var wantedAccuracy = 0.0
  /// The language of the names of places in locations, by the last request; nil for that of the daemon.
  var locale: String?
  /// The number of the session's calls that wait for a decision.
  var waitingCalls = 0
  /// The authorization that was last reported to the client.
  var reportedAuthorization: Authorization
  /// The device's capabilities that were last reported to the client.
  var reportedCapabilities: [String] = []
  /// The missing capabilities that were last reported to the client.
  var reportedMissing: [MissingCapability] = []
  /// Whether the session has monitored regions of its own, for which the engine keeps a sequence.
  var hasMonitored = false
  /// Whether the use of the location is in the log of uses.
  var isInUse = false

  init(
    _ number: UInt32, _ name: String, _ user: SessionUser, _ claim: ConsentClient, _ required: [RequiredCapability], isPassive: Bool,
    _ authorization: Authorization
  ) {
    (self.number, self.name, self.user, self.claim) = (number, name, user, claim)
    (self.required, self.isPassive, reportedAuthorization) = (required, isPassive, authorization)
  }

  /// The owner of the session's regions.
  public var owner: RegionOwner { .session(number) }

  func send(_ signal: SessionSignal) { channel?.send(signal) }
}

/// The quota of one user over all connections, in which each session counts its requests.
public final class SessionUser {
  public let id: UInt32
  var sessions = 0
  var constraints = 0
  var regions = 0
  /// The calls that wait for a decision, including those of sessions that have ended.
  var waitingCalls = 0

  init(_ id: UInt32) {
    self.id = id
  }

  public var name: String { "user \(id)" }
}
