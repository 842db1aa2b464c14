import Beacons
import Consent
import Events
import Guidance
import Locations
import Orientation
import RouteReports

/// The client of a session, to which its signals go.
public protocol SessionChannel: AnyObject {
  /// Sends a signal to the client.
  ///
  /// A client that reads slowly may miss locations and other repeated signals, but gets the latest of each.
  func send(_ signal: SessionSignal)
  /// Drops the signals of a stream that are not sent yet: none may arrive after the answer to the call that stopped it.
  func drop(_ stream: SessionStream)
  /// Drops the signals of all streams that are not sent yet.
  func dropAll()
}

/// A message to the client of a session.
public enum SessionSignal: Equatable {
  case locationUpdated(Location)
  /// A search has found a better location and continues.
  case locationRefined(Location)
  /// The location is unknown, for the present `unknownReason` of the sources.
  case locationUnknown
  case stationaryChanged(Bool)
  case headingUpdated(HeadingUpdate)
  case headingFailed(HeadingFailure)
  case calibrationNeeded(CalibrationStatus)
  case guidanceUpdated(GuidanceReport)
  case guidanceRouteChanged(RouteReport)
  case guidanceInstruction(InstructionReport)
  case guidanceFailed(GuidanceFailure)
  case guidanceEnded(GuidanceEnd)
  /// Advice for an appointment, and the identifier of the appointment.
  case appointmentEvent(Event, String)
  case authorizationChanged(ConsentPolicy.Verdict)
  case capabilitiesChanged([String])
  case missingCapabilitiesChanged([MissingCapability])
}

/// The signals that a session receives from the start of a request until its stop.
public enum SessionStream: Hashable, Sendable {
  case ranging(BeaconConstraint)
  case scanning
  /// The updates of the location, without the refinements of searches.
  case location
  case heading
  case guidance
}

/// Takes the result of a call, once.
public typealias SessionAnswer<Value> = (Result<Value, SessionRefusal>) -> Void
