internal import Beacons
internal import Consent
internal import DBus
internal import Events
import FoundationEssentials
internal import Instants
internal import Locations
internal import MonitorClient
internal import MonitorProtocol
internal import Records

extension SessionEvent {
  /// Creates the program's form of a session's event; nil for stopped requests and for events without such a form.
  init?(_ event: RemoteSessionEvent, of session: ServiceSession) {
    switch event {
    case .available(let gap):
      self = .service(.available(after: gap.map { ServiceGap(from: Date($0.from), to: Date($0.to), cause: .serviceLost) }))
    case .away(let error): self = .service(.away(LocationError(.network, error.message)))
    case .authorization(let authorization, let reason): self = .authorization(AuthorizationStatus(authorization), reason: reason)
    case .ranged(let constraint, let snapshot): self = .ranged(RangingUpdate(BeaconIdentityCondition(constraint), snapshot))
    case .began(.ranging), .began(.locating), .began(.heading), .began(.guiding), .began(.appointment): return nil
    // `ServiceSession.receive` handles these itself.
    case .capabilities, .missing, .searched: return nil
    case .located(let report):
      guard let location = Location(report) else { return nil }
      self = .located(location)
    case .locationUnknown(let reason): self = .locationUnknown(LocationError(.locationUnknown, reason))
    case .stationary(let isStationary): self = .stationary(isStationary)
    case .refused(.locating, let error): self = .locatingFailed(LocationError(locating: error))
    case .refused(.heading, let error):
      self = .headingRefused(LocationError(refusal: error, .headingFailure))
    case .heading(.heading(let update)): self = .heading(Heading(update))
    case .heading(.failed(let error)): self = .headingFailed(LocationError(.headingFailure, error.message))
    case .heading(.calibration(let status)): self = .headingCalibration(HeadingCalibration(status))
    case .guidance(let event):
      guard let token = session.read(\.guidance) else { return nil }
      self = .guidance(token, GuidanceChange(event))
    case .refused(.guiding, let error):
      guard let token = session.read(\.guidance) else { return nil }
      self = .guidanceRefused(token, LocationError(guiding: error))
    case .appointment(let key, let event):
      guard let appointment = session.appointment(key), let advice = AppointmentEvent(appointment, event) else { return nil }
      self = .appointment(advice)
    case .refused(.appointment(let key), let error):
      guard let appointment = session.appointment(key) else { return nil }
      self = .appointmentFailed(appointment, LocationError(refusal: error, .appointmentFailure))
    case .began(.monitoring(let identifier)):
      guard let region = session.region(identifier) else { return nil }
      self = .monitoringBegan(region)
    case .refused(.ranging(let constraint), let error):
      self = .rangingFailed(
        BeaconIdentityCondition(constraint), LocationError(refusal: error, .rangingFailure))
    case .refused(.monitoring(let identifier), let error):
      guard let region = session.region(identifier) else { return nil }
      self = .monitoringFailed(region, LocationError(refusal: error, .regionMonitoringFailure, denied: .regionMonitoringDenied))
    case .registered(let identifier):
      guard let region = session.read(\.registrations)[identifier] else { return nil }
      self = .registered(region)
    case .registrationRefused(let identifier, let error):
      self = .monitoringFailed(
        session.read(\.registrations)[identifier],
        LocationError(refusal: error, .regionMonitoringFailure, denied: .regionMonitoringDenied))
    case .state(let identifier, let report):
      guard let region = session.region(identifier) else { return nil }
      self = .state(
        region, RegionState(report.state), beacon: report.beacon.map { BeaconIdentityCondition($0) }, Location(of: report),
        report.since.map { Date($0) } ?? Date())
    case .event(let event):
      guard let region = event.region.flatMap(session.region) else { return nil }
      self = .event(RegionEvent(region, event))
    case .expectedBeacon(let event):
      guard let event = BeaconEvent(event) else { return nil }
      self = .expectedBeacon(event)
    case .expectedBeaconsRefused(let error): self = .expectedBeaconsRefused(LocationError(.denied, error.message))
    }
  }
}

extension RegionEvent {
  fileprivate init(_ region: any Region, _ event: Event) {
    self.region = region
    let kind = Kind(event.kind)
    // The config decides this for the service; the program decides for itself.
    let isSilent = region is ConfiguredRegion && (kind == .entered && !region.notifyOnEntry || kind == .exited && !region.notifyOnExit)
    self.kind = isSilent ? .stateChanged : kind
    state = RegionState(event.state)
    date = event.time.map { Date($0) } ?? Date()
    beacon = event.beacon.map { BeaconIdentityCondition($0) }
    (measurement, boundaryDistance) = (BeaconMeasurement(event), event.boundaryDistance)
    location = Location(of: event)
    reason = EventReason(event.reason)
    (floor, levelName) = (event.floor.flatMap { Int(exactly: $0) }, event.levelName)
  }
}

extension LocationError {
  /// Creates the error for a refused request.
  ///
  /// - Parameters:
  ///   - error: the refusal of the service.
  ///   - code: the code for any reason other than consent and required capabilities.
  ///   - denied: the code for a lack of consent.
  fileprivate init(refusal error: DBusError, _ code: Code, denied: Code = .denied) {
    self.init(error.isLackOfConsent ? denied : error.isMissingCapability ? .missingCapability : code, error.message)
  }

  /// Creates the error for a service that does not report the device's location.
  init(locating error: DBusError) {
    self.init(error, [.noLocationSource: .noLocationSource, .locationUnknown: .timeout])
  }

  /// Creates the error for an answer of the service.
  ///
  /// - Parameters:
  ///   - error: the answer.
  ///   - codes: the codes of errors, beside those of consent and required capabilities.
  init(_ error: DBusError, _ codes: [MonitorError: Code]) {
    self.init(refusal: error, error.monitorError.flatMap { codes[$0] } ?? .network)
  }
}

extension RegionEvent.Kind {
  init(_ kind: Event.Kind?) {
    switch kind {
    case .enter: self = .entered
    case .exit: self = .exited
    case .cross: self = .crossed
    case .dwell, .state, .depart, .hurry, .arrive, .miss, .damaged, nil: self = .stateChanged
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered, .alert, .alertEnded: self = .stateChanged
    }
  }
}

extension RangingUpdate {
  fileprivate init(_ constraint: BeaconIdentityConstraint, _ snapshot: RangingSnapshot) {
    self.constraint = constraint
    date = Date(snapshot.time)
    beacons = snapshot.beacons.compactMap { Beacon(BeaconReport($0)) }
  }
}

extension Beacon {
  /// Creates a beacon; nil if its identity is incomplete.
  init?(_ report: BeaconReport) {
    guard let uuid = report.uuid, let major = report.major, let minor = report.minor else { return nil }
    self.init(
      uuid: UUID(uuid), major: major, minor: minor, proximity: report.proximity.flatMap { Proximity(rawValue: $0.rawValue) } ?? .unknown,
      distance: report.distance, accuracy: report.accuracy,
      distanceMethod: report.distanceMethod.flatMap { DistanceMethod(rawValue: $0.rawValue) }, rssi: report.rssi,
      timestamp: report.lastSeen.map { Date($0) } ?? Date(), place: report.place,
      placeID: report.placeID, batteryVoltage: report.battery, temperature: report.temperature)
  }
}

extension RegionState {
  init(_ state: Events.RegionState?) {
    switch state {
    case .inside: self = .inside
    case .outside: self = .outside
    case .unknown, nil: self = .unknown
    }
  }
}

extension AuthorizationStatus {
  fileprivate init(_ authorization: Authorization) {
    switch authorization {
    case .notDetermined: self = .notDetermined
    case .denied: self = .denied
    case .whenInUse: self = .authorizedWhenInUse
    case .always: self = .authorizedAlways
    }
  }
}

extension Date {
  init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6) }
}
