import FoundationEssentials

/// What a session has to say, in the words of the program.
enum News: Sendable {
  case service(ServiceStatus)
  case authorization(AuthorizationStatus, reason: String)
  case ranged(RangingUpdate)
  case rangingFailed(BeaconIdentityConstraint, LocationError)
  case monitoringBegan(any Region)
  case monitoringFailed((any Region)?, LocationError)
  case registered(any Region)
  /// Told because it is new, or because it was requested.
  case state(any Region, RegionState, beacon: BeaconIdentityCondition?, Location?, Date)
  case event(RegionEvent)
  case located(Location)
  case stationary(Bool)
  /// The sources go on trying.
  case locationUnknown(LocationError)
  /// It waits for consent, or for a source.
  case locatingFailed(LocationError)
  /// The answer to the delegate's own request.
  case found(Location)
  case searchFailed(LocationError)
}
