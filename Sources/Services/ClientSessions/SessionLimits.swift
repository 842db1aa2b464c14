import Beacons
import Consent

/// Limits on the requests of clients. A client that exceeds them is faulty, and must not harm the daemon.
public enum SessionLimits {
  static let sessionsPerConnection = 16
  static let sessionsPerUser = 1024
  static let constraintsPerUser = 1024
  static let waitingCallsPerSession = 16
  static let waitingCallsPerUser = 1024
  /// Maximum number of searches for a location that a session waits for.
  static let searchesPerSession = 4
  /// Maximum number of regions of a session, the same as for an app on a phone.
  ///
  /// Source: Core Location, "Monitoring the user's proximity to geographic regions".
  static let regionsPerSession = 20
  static let registrationsPerApp = 20
  /// Maximum number of regions of a user's sessions and apps together.
  public static let regionsPerUser = 256
}

extension SessionLimits {
  /// - Parameter count: the number of sessions of the connection.
  static func admitSession(_ count: Int, of user: SessionUser) throws(SessionRefusal) {
    guard count < sessionsPerConnection else {
      throw .limitsExceeded(
        "this connection already has \(sessionsPerConnection) sessions; close one, or use one for several constraints")
    }
    guard user.sessions < sessionsPerUser else {
      throw .limitsExceeded("\(user.name) has \(sessionsPerUser) sessions over all connections, the maximum; close one")
    }
  }

  static func admitConstraint(_ session: ClientSession) throws(SessionRefusal) {
    guard session.constraints.count < BeaconConstraint.mostPerSession else {
      throw .limitsExceeded("this session already ranges \(BeaconConstraint.mostPerSession) constraints; stop one, or range a wider one")
    }
    guard session.user.constraints < constraintsPerUser else {
      throw .limitsExceeded(
        "\(session.user.name) ranges \(constraintsPerUser) constraints over all sessions, the maximum; stop one, or range a wider one")
    }
  }

  static func admitWaitingCall(_ session: ClientSession) throws(SessionRefusal) {
    guard session.waitingCalls < waitingCallsPerSession else {
      throw .limitsExceeded("\(waitingCallsPerSession) calls of this session already wait for a decision; wait for an answer")
    }
    guard session.user.waitingCalls < waitingCallsPerUser else {
      throw .limitsExceeded(
        "\(waitingCallsPerUser) calls of \(session.user.name) over all sessions already wait for a decision; wait for an answer")
    }
  }

  /// - Parameter count: the number of searches that the session waits for.
  static func admitSearch(_ count: Int) throws(SessionRefusal) {
    guard count < searchesPerSession else {
      throw .limitsExceeded("this session already waits for \(searchesPerSession) locations; wait for an answer")
    }
  }

  /// - Parameter registered: the number of regions that the apps of the session's user have registered.
  static func admitRegion(_ session: ClientSession, registered: Int) throws(SessionRefusal) {
    guard session.regions.count < regionsPerSession else {
      throw .limitsExceeded("this session already monitors \(regionsPerSession) regions; stop one, or monitor a wider one")
    }
    try admitRegion(session.user, registered: registered)
  }

  /// - Parameters:
  ///   - count: the number of regions that the app has registered.
  ///   - registered: the number of regions that all apps of the user have registered.
  static func admitRegistration(_ count: Int, of app: AppID, _ user: SessionUser, registered: Int) throws(SessionRefusal) {
    guard count < registrationsPerApp else {
      throw .limitsExceeded("\(app) has already registered \(registrationsPerApp) regions; unregister one, or register a wider one")
    }
    try admitRegion(user, registered: registered)
  }

  private static func admitRegion(_ user: SessionUser, registered: Int) throws(SessionRefusal) {
    guard user.regions + registered < regionsPerUser else {
      throw .limitsExceeded(
        "\(user.name) has \(regionsPerUser) regions over all sessions and apps, the maximum; stop one, or monitor a wider one")
    }
  }
}
