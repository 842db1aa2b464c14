import DBus

/// How much of everything there may be. More is a mistake in the client, and must not become the daemon's problem.
enum SessionLimits {
  static let sessionsPerClient = 16
  static let constraintsPerSession = 16
  /// As many as an app may have on a phone (Core Location, "Monitoring the user's proximity to geographic regions").
  static let regionsPerSession = 20
}

extension DBusError {
  static func tooManySessions(ofClient most: Int) -> DBusError {
    .monitor("LimitsExceeded", "this connection has \(most) sessions already; close one or use it for several constraints")
  }

  static func tooManyConstraints(inSession most: Int) -> DBusError {
    .monitor("LimitsExceeded", "this session ranges \(most) constraints already; stop one or range a wider one")
  }

  static func tooManyRegions(inSession most: Int) -> DBusError {
    .monitor("LimitsExceeded", "this session monitors \(most) regions already; stop one or monitor a wider one")
  }
}
