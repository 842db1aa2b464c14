import Consent
import DBus
import MonitorProtocol

/// Limits on the requests of clients. A client that exceeds them is faulty, and must not harm the daemon.
enum SessionLimits {
  static let sessionsPerClient = 16
  static let sessionsPerUser = 1024
  static let constraintsPerSession = 16
  static let constraintsPerUser = 1024
  static let waitingCallsPerSession = 16
  static let waitingCallsPerUser = 1024
  /// Maximum number of regions of a session, the same as for an app on a phone.
  ///
  /// Source: Core Location, "Monitoring the user's proximity to geographic regions".
  static let regionsPerSession = 20
  static let registrationsPerApp = 20
  /// Maximum number of regions of a user's sessions and apps together.
  static let regionsPerUser = 256
}

extension SessionLimits {
  static func admitSession(_ client: SessionClient) throws(DBusError) {
    guard client.sessions.count < sessionsPerClient else {
      throw tooManySessions
    }
    guard client.user.sessions < sessionsPerUser else {
      throw exceeded("\(client.user.name) has \(sessionsPerUser) sessions over all connections, the maximum; close one")
    }
  }

  static func admitConstraint(_ session: Session) throws(DBusError) {
    guard session.constraints.count < constraintsPerSession else {
      throw exceeded("this session already ranges \(constraintsPerSession) constraints; stop one, or range a wider one")
    }
    guard session.user.constraints < constraintsPerUser else {
      throw exceeded(
        "\(session.user.name) ranges \(constraintsPerUser) constraints over all sessions, the maximum; stop one, or range a wider one")
    }
  }

  static func admitWaitingCall(_ session: Session) throws(DBusError) {
    guard session.waitingCalls < waitingCallsPerSession else {
      throw exceeded("\(waitingCallsPerSession) calls of this session already wait for a decision; wait for an answer")
    }
    guard session.user.waitingCalls < waitingCallsPerUser else {
      throw exceeded(
        "\(waitingCallsPerUser) calls of \(session.user.name) over all sessions already wait for a decision; wait for an answer")
    }
  }

  static func admitRegion(_ session: Session, registered: Int) throws(DBusError) {
    guard session.regions.count < regionsPerSession else {
      throw exceeded("this session already monitors \(regionsPerSession) regions; stop one, or monitor a wider one")
    }
    try admitRegion(session.user, registered: registered)
  }

  static func admitRegistration(_ count: Int, of app: AppID, _ user: SessionUser, registered: Int) throws(DBusError) {
    guard count < registrationsPerApp else {
      throw exceeded("\(app) has already registered \(registrationsPerApp) regions; unregister one, or register a wider one")
    }
    try admitRegion(user, registered: registered)
  }

  private static func admitRegion(_ user: SessionUser, registered: Int) throws(DBusError) {
    guard user.regions + registered < regionsPerUser else {
      throw exceeded(
        "\(user.name) has \(regionsPerUser) regions over all sessions and apps, the maximum; stop one, or monitor a wider one")
    }
  }

  static var tooManySessions: DBusError {
    exceeded("this connection already has \(sessionsPerClient) sessions; close one, or use one for several constraints")
  }

  private static func exceeded(_ message: String) -> DBusError { .monitor("LimitsExceeded", message) }
}
