import Beacons
import ConfigurationTree
import Consent
import ConsentService
import Events
import Monitoring
import Regions

// MARK: Ranging and scanning

extension SessionService {
  /// Throws if no beacon source is configured, because the client would wait forever.
  public func requireBeacons() throws(SessionRefusal) {
    guard monitoring.hearsBeacons else { throw .noBeaconSource }
  }

  /// Starts ranging; returns false if the session ranges the constraint already.
  public func startRanging(_ constraint: BeaconConstraint, in session: ClientSession) throws(SessionRefusal) -> Bool {
    try requireBeacons()
    let isNew = !session.constraints.contains(constraint)
    if isNew {
      try SessionLimits.admitConstraint(session)
      session.constraints.append(constraint)
      session.user.constraints += 1
      monitoring.startRanging(constraint, isPassive: session.isPassive)
    }
    consent.beginUse(of: session)
    return isNew
  }

  public func stopRanging(_ constraint: BeaconConstraint, in session: ClientSession) throws(SessionRefusal) {
    guard let index = session.constraints.firstIndex(of: constraint) else { throw .notRanging(constraint) }
    session.constraints.remove(at: index)
    session.user.constraints -= 1
    monitoring.stopRanging(constraint, isPassive: session.isPassive)
    session.channel?.drop(.ranging(constraint))
  }

  /// Adds the interval and the loss to ranged beacons, or leaves them out.
  public func setReceptionReported(_ isReported: Bool, in session: ClientSession) {
    guard session.reportsReception != isReported else { return }
    session.reportsReception = isReported
    monitoring.countReception(isWanted: isReported)
  }

  public func startScanning(in session: ClientSession) throws(SessionRefusal) {
    try requireBeacons()
    if !session.isScanning { monitoring.startScanning() }
    session.isScanning = true
    consent.beginUse(of: session)
  }

  public func stopScanning(in session: ClientSession) {
    guard session.isScanning else { return }
    session.isScanning = false
    monitoring.stopScanning()
    session.channel?.drop(.scanning)
  }
}

// MARK: Monitoring

extension SessionService {
  /// Returns the region that a session defines.
  ///
  /// Throws for an invalid definition, and for a region of beacons if no beacon source is configured.
  public func region(_ definition: [String: ConfigurationNode], in session: ClientSession) throws(SessionRefusal) -> Region {
    let region: Region
    do throws(RegionRefusal) { region = try monitoring.region(definition, of: session.owner) } catch { throw .invalidRegion(error.reason) }
    if region.kind == .beacon { try requireBeacons() }
    return region
  }

  /// Starts monitoring a region. A region of the same identifier is replaced without an event.
  public func startMonitoring(_ region: Region, in session: ClientSession) throws(SessionRefusal) {
    if !session.regions.contains(region.identifier) { try add(region.identifier, to: session) }
    session.configuredRegions.remove(region.identifier)
    session.hasMonitored = true
    monitoring.startMonitoring(region)
    consent.beginUse(of: session)
  }

  /// Starts monitoring a configured region, with the state, settings and events that it has in the config.
  ///
  /// The session's own region of the same identifier is replaced without an event.
  public func startMonitoring(configured identifier: String, in session: ClientSession) throws(SessionRefusal) {
    guard monitoring.hasConfiguredRegion(identifier) else {
      throw .invalidRegion(
        "identifier: beaconmon.toml has no region \"\(identifier)\"; specify uuid, or latitude, longitude and radius, to define one")
    }
    if !session.regions.contains(identifier) {
      try add(identifier, to: session)
    } else if !session.configuredRegions.contains(identifier) {
      monitoring.stopMonitoring([identifier], of: session.owner)
    }
    session.configuredRegions.insert(identifier)
    consent.beginUse(of: session)
  }

  public func stopMonitoring(_ identifier: String, in session: ClientSession) throws(SessionRefusal) {
    guard let index = session.regions.firstIndex(of: identifier) else { throw .notMonitoring(identifier) }
    session.regions.remove(at: index)
    session.user.regions -= 1
    if session.configuredRegions.remove(identifier) == nil { monitoring.stopMonitoring([identifier], of: session.owner) }
  }

  private func add(_ identifier: String, to session: ClientSession) throws(SessionRefusal) {
    try SessionLimits.admitRegion(session, registered: registrations.registrationCount(of: session.user.id))
    session.regions.append(identifier)
    session.user.regions += 1
  }
}

// MARK: Regions that outlive their session

extension SessionService {
  /// Returns the app that owns the session's registrations; throws if the session has none.
  public func app(of session: ClientSession) throws(SessionRefusal) -> AppID {
    guard let app = session.claim.app else { throw .noApp }
    return app
  }

  /// Registers a region for the session's app, and returns its identifier.
  public func register(_ definition: [String: ConfigurationNode], in session: ClientSession) throws(SessionRefusal) -> String {
    let app = try app(of: session)
    let identifier = try region(definition, in: session).identifier
    if case let known = registrations.registeredIdentifiers(of: app, user: session.user.id), !known.contains(identifier) {
      try SessionLimits.admitRegistration(
        known.count, of: app, session.user, registered: registrations.registrationCount(of: session.user.id))
    }
    do throws(RegistrationError) {
      try registrations.register(definition, as: identifier, of: app, for: session.claim)
    } catch {
      throw .notStored(error.reason)
    }
    session.reportedAuthorization = verdict(of: session).authorization
    return identifier
  }

  /// Removes a region of the session's app.
  public func unregister(_ identifier: String, in session: ClientSession) throws(SessionRefusal) {
    let (app, user) = (try app(of: session), session.user.id)
    guard registrations.registeredIdentifiers(of: app, user: user).contains(identifier) else { throw .notRegistered(app, identifier) }
    do throws(RegistrationError) { try registrations.unregister(identifier, of: app, user: user) } catch { throw .notStored(error.reason) }
  }
}
