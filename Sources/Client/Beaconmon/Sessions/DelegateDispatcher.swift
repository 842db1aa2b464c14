import FoundationEssentials
import Synchronization

/// Delivers events to a manager's delegate, or keeps them until there is one.
///
/// However slow the main actor is, only one job and one bounded queue wait for it.
final class DelegateDispatcher: SessionEventReader {
  private struct State {
    var queue = SessionEventQueue()
    var isScheduled = false
    weak var manager: LocationManager?
  }

  private let state = Mutex(State())
  private let session: ServiceSession
  private let delivery: Delivery

  init(_ session: ServiceSession, _ delivery: Delivery) {
    self.session = session
    self.delivery = delivery
    // The lock delays events that arrive in the meantime.
    state.withLock { state in
      for event in session.add(self) {
        // The initial status `connecting` is not an event for a delegate.
        if case .service(.connecting) = event { continue }
        state.queue.append(event, at: Date())
      }
    }
  }

  deinit {
    session.remove(ObjectIdentifier(self))
  }

  var manager: LocationManager? {
    get { state.withLock { $0.manager } }
    set { state.withLock { $0.manager = newValue } }
  }

  func take(_ event: SessionEvent) {
    state.withLock { $0.queue.append(event, at: Date()) }
    schedule()
  }

  /// Schedules delivery of the waiting events.
  func schedule() {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = state.isScheduled || !state.queue.isEmpty }
      return !state.isScheduled && !state.queue.isEmpty
    }
    if isFirst { delivery.schedule { [weak self] in self?.deliver() } }
  }

  /// Takes the first waiting event; nil if none waits or there is no delegate.
  ///
  /// - Parameter isAvailable: true if the manager has a delegate.
  private func next(_ isAvailable: Bool) -> SessionEvent? {
    state.withLock { state in
      let event = isAvailable ? state.queue.popFirst(at: Date()) : nil
      if event == nil { state.isScheduled = false }
      return event
    }
  }

  @MainActor private func deliver() {
    let manager = manager
    while let event = next(manager?.delegate != nil) { manager?.reportDelegate(event) }
  }
}

extension LocationManager {
  /// Calls the delegate, unless the event concerns a stopped request: no call follows a stop.
  @MainActor fileprivate func reportDelegate(_ event: SessionEvent) {
    guard let delegate else { return }
    switch event {
    case .service(let status):
      delegate.locationManager(self, didChange: status)
      // After the gap, the present states of the regions replace the dropped events.
      if case .available(let gap?) = status, gap.cause == .notTaken { session.requestStates() }
    case .authorization: delegate.locationManagerDidChangeAuthorization(self)
    case .ranged(let update):
      guard rangedBeaconConstraints.contains(update.constraint) else { return }
      delegate.locationManager(self, didRange: update.beacons, satisfying: update.constraint)
    case .rangingFailed(let constraint, let error):
      guard rangedBeaconConstraints.contains(constraint) else { return }
      delegate.locationManager(self, didFailRangingFor: constraint, error: error)
    case .monitoringBegan(let region):
      if monitors(region) { delegate.locationManager(self, didStartMonitoringFor: region) }
    case .monitoringFailed(let region, let error):
      delegate.locationManager(self, monitoringDidFailFor: region, withError: error)
    case .registered(let region): delegate.locationManager(self, didRegister: region)
    case .located(let location):
      if isUpdatingLocation { delegate.locationManager(self, didUpdateLocations: [location]) }
    case .found(let location): delegate.locationManager(self, didUpdateLocations: [location])
    case .stationary(let isStationary):
      if isUpdatingLocation { delegate.locationManager(self, didChangeStationary: isStationary) }
    case .locationUnknown(let error), .locatingFailed(let error):
      if isUpdatingLocation { delegate.locationManager(self, didFailWithError: error) }
    case .heading(let heading):
      if isUpdatingHeading { delegate.locationManager(self, didUpdateHeading: heading) }
    case .headingFailed(let error), .headingRefused(let error):
      if isUpdatingHeading { delegate.locationManager(self, didFailWithError: error) }
    case .headingCalibration(let calibration):
      guard isUpdatingHeading, !calibration.isNeeded || delegate.locationManagerShouldDisplayHeadingCalibration(self) else { return }
      delegate.locationManager(self, didUpdateHeadingCalibration: calibration)
    // Guidance and appointments have no delegate: their sequences take these.
    case .guidance, .guidanceRefused, .appointment, .appointmentFailed: break
    case .expectedBeacon(let event):
      if isMonitoringExpectedBeacons { delegate.locationManager(self, didReceive: event) }
    case .expectedBeaconsRefused(let error):
      if isMonitoringExpectedBeacons { delegate.locationManager(self, expectedBeaconsDidFailWithError: error) }
    case .searchFailed(let error): delegate.locationManager(self, didFailWithError: error)
    case .state(let region, let state, _, _, _):
      if monitors(region) { delegate.locationManager(self, didDetermineState: state, for: region) }
    case .event(let event):
      guard monitors(event.region) else { return }
      switch event.kind {
      case .entered: delegate.locationManager(self, didEnterRegion: event.region)
      case .exited: delegate.locationManager(self, didExitRegion: event.region)
      case .crossed: return delegate.locationManager(self, didCrossRegion: event.region)
      case .stateChanged: break
      }
      delegate.locationManager(self, didDetermineState: event.state, for: event.region)
    }
  }

  private var isUpdatingLocation: Bool { session.read { $0.options.isUpdating || $0.options.isMonitoringChanges } }

  private var isUpdatingHeading: Bool { session.read { $0.headingSettings.isUpdating } }

  private var isMonitoringExpectedBeacons: Bool { session.read(\.beaconEvents.isMonitoring) }

  private func monitors(_ region: any Region) -> Bool { session.region(region.identifier) != nil }
}
