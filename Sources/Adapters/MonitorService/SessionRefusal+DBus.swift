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
      .monitor(verdict.basis == .switchedOff ? .locationServicesDisabled : .notAuthorized, text)
    case .missingCapabilities: .monitor(.missingCapability, text)
    case .limitsExceeded: .monitor(.limitsExceeded, text)
    case .noBeaconSource: .monitor(.noBeaconSource, text)
    case .notRanging: .monitor(.notRanging, text)
    case .invalidRegion: .monitor(.invalidRegion, text)
    case .notMonitoring: .monitor(.notMonitoring, text)
    case .noApp: .monitor(.noAppID, text)
    case .notRegistered: .monitor(.notRegistered, text)
    case .noLocationSource: .monitor(.noLocationSource, text)
    case .notUpdatingLocation: .monitor(.notUpdatingLocation, text)
    case .locationUnknown: .monitor(.locationUnknown, text)
    case .searchCancelled: .monitor(.cancelled, text)
    case .noHeadingSource: .monitor(.noHeadingSource, text)
    case .notUpdatingHeading: .monitor(.notUpdatingHeading, text)
    case .guidance(let refusal): .monitor(MonitorError(refusal.reason), text)
    case .notGuiding: .monitor(.notGuiding, text)
    case .invalidAppointment: .monitor(.invalidOptions, text)
    case .ambiguousPlace: .monitor(.ambiguousPlace, text)
    case .noSuchPlace: .monitor(.noSuchPlace, text)
    case .noSuchAppointment: .monitor(.noSuchAppointment, text)
    }
  }
}

extension MonitorError {
  public init(_ reason: GuidanceRefusal.Reason) {
    self =
      switch reason {
      case .invalidOptions: .invalidOptions
      case .noSuchVenue: .noSuchVenue
      case .noSuchLevel: .noSuchLevel
      case .noSuchPlace: .noSuchPlace
      case .ambiguousPlace: .ambiguousPlace
      case .noRoute: .noRoute
      case .noLocationSource: .noLocationSource
      case .locationUnknown: .locationUnknown
      case .limitsExceeded: .limitsExceeded
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
