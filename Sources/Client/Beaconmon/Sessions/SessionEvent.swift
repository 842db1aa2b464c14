import FoundationEssentials

/// An event of a session, in types of the public API.
enum SessionEvent: Sendable {
  case service(ServiceStatus)
  case authorization(AuthorizationStatus, reason: String)
  case ranged(RangingUpdate)
  case rangingFailed(BeaconIdentityConstraint, LocationError)
  case monitoringBegan(any Region)
  case monitoringFailed((any Region)?, LocationError)
  case registered(any Region)
  /// A state that has changed or was requested.
  case state(any Region, RegionState, beacon: BeaconIdentityCondition?, Location?, Date)
  case event(RegionEvent)
  case expectedBeacon(BeaconEvent)
  /// The user of the program may not receive events of expected beacons.
  case expectedBeaconsRefused(LocationError)
  case located(Location)
  case stationary(Bool)
  /// No source knows the location; the sources keep trying.
  case locationUnknown(LocationError)
  /// Locating waits for consent or for a source.
  case locatingFailed(LocationError)
  case heading(Heading)
  /// No direction at present; the service keeps trying.
  case headingFailed(LocationError)
  /// Headings wait for consent or for a source.
  case headingRefused(LocationError)
  case headingCalibration(HeadingCalibration)
  /// A change of the guidance of this number.
  case guidance(UInt64, GuidanceChange)
  /// The guidance of this number is refused.
  case guidanceRefused(UInt64, LocationError)
  case appointment(AppointmentEvent)
  case appointmentFailed(Appointment, LocationError)
  /// The answer to the manager's own request.
  case found(Location)
  case searchFailed(LocationError)
}

/// A receiver of a session's events. Calls come on the session's thread, in order, and must not block it.
protocol SessionEventReader: AnyObject, Sendable {
  func take(_ event: SessionEvent)
}
