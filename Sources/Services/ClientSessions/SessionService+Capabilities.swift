import Beacons

// MARK: Capabilities

extension SessionService {
  /// The capabilities of this device for its sessions.
  public var capabilities: [String] {
    (monitoring.hearsBeacons ? ["beaconRanging", "beaconRegions"] : [])
      + (positioning.hasSources ? ["circularRegions", "location", "significantLocationChanges"] : [])
      + (orientation.isAvailable ? ["heading"] : [])
  }

  /// Returns the capabilities that the session requires and the device lacks at present.
  public func missing(of session: ClientSession) -> [MissingCapability] { monitoring.missing(of: session.required) }

  /// Throws while the device lacks a capability that the session requires.
  public func requireCapabilities(of session: ClientSession) throws(SessionRefusal) {
    let missing = missing(of: session)
    guard missing.isEmpty else { throw .missingCapabilities(missing) }
  }

  /// Announces the capabilities that changed with the sources, and moves sessions to a new source of locations.
  public func sourcesChanged() {
    let capabilities = capabilities
    for session in sessions.values where session.reportedCapabilities != capabilities {
      session.reportedCapabilities = capabilities
      session.send(.capabilitiesChanged(capabilities))
    }
    locations.sourcesChanged()
    missingCapabilitiesChanged()
  }

  /// Reports to each session which of its required capabilities are missing now, if others were before.
  /// Call when hardware may have come or gone.
  public func missingCapabilitiesChanged() {
    for session in sessions.values where !session.required.isEmpty {
      let missing = missing(of: session)
      // The reason may change while the same capability is missing.
      guard missing.map(\.capability) != session.reportedMissing.map(\.capability) else { continue }
      session.reportedMissing = missing
      session.send(.missingCapabilitiesChanged(missing))
    }
  }
}
