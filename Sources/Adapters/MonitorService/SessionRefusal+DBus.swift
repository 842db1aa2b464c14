import ClientSessions
import Consent
import DBus
import MonitorProtocol
import Wayfinding

extension SessionRefusal {
  var dbusError: DBusError {
    switch self {
    case .ended, .closed: .unknownObject(text)
    case .notStored: .failed(text)
    case .unauthorized(let verdict):
      .monitor(verdict.basis == .switchedOff ? MonitorNames.locationServicesDisabled : MonitorNames.notAuthorized, text)
    case .missingCapabilities: .monitor("MissingCapability", text)
    case .limitsExceeded: .monitor("LimitsExceeded", text)
    case .noBeaconSource: .monitor("NoBeaconSource", text)
    case .notRanging: .monitor("NotRanging", text)
    case .invalidRegion: .monitor("InvalidRegion", text)
    case .notMonitoring: .monitor("NotMonitoring", text)
    case .noApp: .monitor("NoAppId", text)
    case .notRegistered: .monitor("NotRegistered", text)
    case .noLocationSource: .monitor("NoLocationSource", text)
    case .notUpdatingLocation: .monitor("NotUpdatingLocation", text)
    case .locationUnknown: .monitor("LocationUnknown", text)
    case .searchCancelled: .monitor("Cancelled", text)
    case .noHeadingSource: .monitor("NoHeadingSource", text)
    case .notUpdatingHeading: .monitor("NotUpdatingHeading", text)
    case .guidance(let refusal): .monitor(refusal.reason.rawValue, text)
    case .notGuiding: .monitor("NotGuiding", text)
    case .invalidAppointment: .monitor("InvalidOptions", text)
    case .ambiguousPlace: .monitor("AmbiguousPlace", text)
    case .noSuchPlace: .monitor("NoSuchPlace", text)
    case .noSuchAppointment: .monitor("NoSuchAppointment", text)
    }
  }
}

/// Calls the service of sessions, whose refusal becomes an error of the bus.
func refusing<Value>(_ body: @autoclosure () throws(SessionRefusal) -> Value) throws(DBusError) -> Value {
  do throws(SessionRefusal) { return try body() } catch { throw error.dbusError }
}

extension MethodCall {
  /// Answers with the result of the service of sessions.
  func complete<Value>(_ result: Result<Value, SessionRefusal>, _ values: (Value) -> [DBusValue]) {
    switch result {
    case .success(let value): reply(values(value))
    case .failure(let refusal): fail(refusal.dbusError)
    }
  }
}
