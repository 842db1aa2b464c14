import Beacons
import Consent
import ConsentService
import Regions

/// The sessions of all clients.
///
/// It decides how many requests a session and its user may have, which of them are served, and which end when consent is revoked.
public final class SessionService {
  public let locations: LocationSubscriptions
  public let headings: HeadingSubscriptions
  public let guidance: GuidanceSubscriptions
  public let appointments: AppointmentSubscriptions

  unowned let consent: any SessionConsent
  unowned let monitoring: any SessionMonitoring
  unowned let registrations: any SessionRegistrations
  unowned let positioning: any SessionPositioning
  unowned let orientation: any SessionHeadings
  /// The open sessions, by the owner of their regions.
  public private(set) var sessions: [RegionOwner: ClientSession] = [:]
  /// The number of sessions of each connection that has some.
  private var connections: [String: Int] = [:]
  /// The users by number. They are few and never removed: all connections of a user must share one count.
  private var users: [UInt32: SessionUser] = [:]
  private var lastNumber: UInt32 = 0

  public init(
    _ consent: any SessionConsent, _ monitoring: any SessionMonitoring & SessionRegistrations & SessionPlaces,
    _ positioning: any SessionPositioning, _ orientation: any SessionHeadings, _ guidance: any SessionGuidance,
    _ departures: any SessionDepartures
  ) {
    (self.consent, self.monitoring, registrations, self.positioning) = (consent, monitoring, monitoring, positioning)
    self.orientation = orientation
    locations = LocationSubscriptions(consent, monitoring, positioning)
    headings = HeadingSubscriptions(consent, orientation)
    self.guidance = GuidanceSubscriptions(consent, guidance)
    appointments = AppointmentSubscriptions(consent, departures)
  }

  /// Opens a session, which the caller connects to its channel.
  ///
  /// - Parameters:
  ///   - name: the name by which the client knows the session.
  ///   - required: the capabilities without which the session starts nothing.
  ///   - isPassive: whether ranging in this session uses only the sightings of scans for others.
  public func open(
    _ name: String, for claim: ConsentClient, requiring required: [RequiredCapability] = [], isPassive: Bool = false
  ) throws(SessionRefusal) -> ClientSession {
    let user = user(claim.person.number)
    try SessionLimits.admitSession(connections[claim.busName] ?? 0, of: user)
    repeat {
      lastNumber = lastNumber < RegionOwner.lastSession ? lastNumber + 1 : 1
    } while sessions[.session(lastNumber)] != nil
    let session = ClientSession(
      lastNumber, name, user, claim, required, isPassive: isPassive, consent.verdict(for: claim.person).authorization)
    (session.reportedCapabilities, session.reportedMissing) = (capabilities, missing(of: session))
    sessions[session.owner] = session
    connections[claim.busName, default: 0] += 1
    user.sessions += 1
    return session
  }

  /// Ends a session: its waiting calls fail, and it receives no more signals.
  public func close(_ session: ClientSession) {
    guard sessions.removeValue(forKey: session.owner) != nil else { return }
    let connection = session.claim.busName
    connections[connection] = connections[connection].flatMap { $0 > 1 ? $0 - 1 : nil }
    locations.forget(session, .closed)
    headings.forget(session)
    appointments.forget(session)
    guidance.forget(session, .closed)
    stop(session)
    setReceptionReported(false, in: session)
    session.user.sessions -= 1
  }

  /// Whether a session has not ended.
  public func isOpen(_ session: ClientSession) -> Bool { sessions[session.owner] === session }

  /// Cancels ranging, monitoring and scanning, and releases the session's quota.
  func stop(_ session: ClientSession) {
    session.channel?.dropAll()
    for constraint in session.constraints { monitoring.stopRanging(constraint, isPassive: session.isPassive) }
    let own = session.regions.filter { !session.configuredRegions.contains($0) }
    if !own.isEmpty { monitoring.stopMonitoring(own, of: session.owner) }
    session.user.constraints -= session.constraints.count
    session.user.regions -= session.regions.count
    (session.constraints, session.regions, session.configuredRegions) = ([], [], [])
    if session.hasMonitored { monitoring.forget(session.owner) }
    session.hasMonitored = false
    stopScanning(in: session)
    consent.endUse(of: session)
  }

  private func user(_ id: UInt32) -> SessionUser {
    if let user = users[id] { return user }
    let user = SessionUser(id)
    users[id] = user
    return user
  }
}
