import Beacons
import Consent
import Wayfinding

/// The reason why a request of a session is refused or ends without a result.
public enum SessionRefusal: Error, Hashable {
  /// The session of this name ended before the call was answered, perhaps while a person decided.
  case ended(String)
  /// The session was closed while the call waited.
  case closed
  case unauthorized(ConsentPolicy.Verdict)
  case missingCapabilities([MissingCapability])
  /// The text names the limit.
  case limitsExceeded(String)
  case noBeaconSource
  case notRanging(BeaconConstraint)
  /// The text names each problem of the definition.
  case invalidRegion(String)
  case notMonitoring(String)
  /// The session names no app, which registrations need.
  case noApp
  case notRegistered(AppID, String)
  /// The registration or its removal could not be stored, for this reason.
  case notStored(String)
  case noLocationSource
  case notUpdatingLocation
  /// No source has a fix, for this reason.
  case locationUnknown(String)
  case searchCancelled
  /// No source of headings is present, for this reason.
  case noHeadingSource(String)
  case notUpdatingHeading
  case guidance(GuidanceRefusal)
  case notGuiding
  /// The text names the problem of the appointment.
  case invalidAppointment(String)
  /// Several places have the name of an appointment's place.
  case ambiguousPlace(String, [String])
  case noSuchPlace(String)
  case noSuchAppointment(String)
}

extension SessionRefusal {
  /// The reason, and what to do.
  public var text: String {
    switch self {
    case .ended(let name): "the session \(name) has ended; create another one"
    case .closed: "the session has ended"
    case .unauthorized(let verdict): verdict.reason
    case .missingCapabilities(let missing):
      "this session requires what the device lacks: \(missing.map(\.text).joined(separator: "; ")); MissingCapabilitiesChanged reports changes"
    case .limitsExceeded(let text), .invalidRegion(let text), .notStored(let text), .locationUnknown(let text),
      .invalidAppointment(let text):
      text
    case .noBeaconSource:
      "this device does not scan for beacons, because source is \"none\" in beaconmon.toml; see Capabilities"
    case .notRanging(let constraint): "this session does not range \(constraint)"
    case .notMonitoring(let identifier): "this session does not monitor \"\(identifier)\"; see MonitoredRegions"
    case .noApp:
      "this session has no appId, so no app could be woken; pass the name of your desktop file to CreateSession, such as \"org.example.Guide\""
    case .notRegistered(let app, let identifier): "\(app) has not registered \"\(identifier)\"; see RegisteredRegions"
    case .noLocationSource: "this device has no location source; add one to [location] in beaconmon.toml"
    case .notUpdatingLocation: "this session does not update its location"
    case .searchCancelled: "CancelLocationRequests was called"
    case .noHeadingSource(let obstacle): "\(obstacle); see Capabilities"
    case .notUpdatingHeading: "this session does not update its heading; call StartUpdatingHeading first"
    case .guidance(let refusal): refusal.message
    case .notGuiding: "this session has no guidance; call StartGuidance first"
    case .ambiguousPlace(let name, let places):
      "several places have the name \"\(name.prefix(100))\" (\(places.joined(separator: ", "))); use the id of one, and venue"
    case .noSuchPlace(let name): "no venue has the place \"\(name.prefix(100))\"; Places of the interface Venue lists them"
    case .noSuchAppointment(let identifier):
      "this session has no appointment \"\(identifier.prefix(200))\"; AddAppointment returns identifiers"
    }
  }
}
