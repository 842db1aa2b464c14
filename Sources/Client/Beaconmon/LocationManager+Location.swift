internal import Geodesy
import Synchronization

// MARK: Location

extension LocationManager {
  /// The accuracy that `startUpdatingLocation`, `locationUpdates` and requests ask for. A change takes effect at once.
  public var desiredAccuracy: LocationAccuracy {
    get { session.read(\.options.accuracy) }
    set { session.want { $0.accuracy = newValue } }
  }

  /// The distance in metres from the last delivered location at which the next one is delivered.
  ///
  /// A location that is at least twice as accurate is always delivered. Nil, or a value that is not above zero, delivers every
  /// location. A change takes effect at once.
  public var distanceFilter: Double? {
    get { session.read(\.options.distanceFilter) }
    set { session.want { $0.distanceFilter = newValue } }
  }

  /// The language of `Location.placemark`, such as `de`, `de_CH.UTF-8` or `de:en`; nil for that of the service.
  ///
  /// A change takes effect with the next location.
  public var language: String? {
    get { session.read(\.options.language) }
    set { session.want { $0.language = newValue } }
  }

  /// Starts delivery of locations to the delegate: a known location at once, and then each that passes the distance filter.
  public func startUpdatingLocation() {
    session.want { $0.isUpdating = true }
    // If updates are on already, the session sends no event for this call.
    for event in session.currentEvents() { dispatcher.take(event) }
  }

  /// Stops updates, and cancels the pending `requestLocation`.
  public func stopUpdatingLocation() {
    session.want { $0.isUpdating = false }
    cancelRequest()
  }

  /// Reports moves of half a kilometre to the delegate, at most every five minutes, from sources that use little power.
  public func startMonitoringSignificantLocationChanges() {
    session.want { $0.isMonitoringChanges = true }
    for event in session.currentEvents() { dispatcher.take(event) }
  }

  public func stopMonitoringSignificantLocationChanges() { session.want { $0.isMonitoringChanges = false } }

  /// Requests one location for the delegate.
  ///
  /// The request delivers the first location that is as accurate as desired, or as any source can be, or the best one at the
  /// timeout. Only one request runs at a time; a second call joins the first. It fails with `timeout` if no location was found,
  /// also because the service was unavailable, and with `network` if there is no bus.
  ///
  /// - Parameter timeout: the maximum duration of the search, 0.1 s to 10 min.
  public func requestLocation(timeout: Duration = .seconds(30)) {
    let isFirst = request.withLock { request in
      defer { request = request ?? 0 }
      return request == nil
    }
    guard isFirst else { return }
    let number = session.search(desiredAccuracy, timeout: timeout) { [weak self] result in
      self?.request.withLock { $0 = nil }
      switch result {
      case .success(let location): self?.dispatcher.take(.found(location))
      case .failure(let error): self?.dispatcher.take(.searchFailed(error))
      }
    }
    let isOver = request.withLock { request in
      request = request.map { _ in number }
      return request == nil
    }
    // The request was answered or stopped in the meantime.
    if isOver { session.cancelSearch(number) }
  }

  /// Returns one location by the rules of `requestLocation`. Any number of tasks can wait at a time.
  ///
  /// - Parameter timeout: the maximum duration of the search, 0.1 s to 10 min.
  public func currentLocation(timeout: Duration = .seconds(30)) async throws(LocationError) -> Location {
    try await Search.run(session, desiredAccuracy, timeout)
  }

  private func cancelRequest() {
    let number = request.withLock { request in
      defer { request = nil }
      return request
    }
    if let number { session.cancelSearch(number) }
  }

  /// The last location that this manager received, however old; see its `age`. Nil if there was none.
  public var location: Location? { session.read(\.location) }

  /// The location that the user states; nil if none is stated.
  ///
  /// Only this manager receives it, and only while consent, a source or a fix is missing.
  public var manualLocation: Location? {
    get { session.read(\.manualLocation) }
    set { session.setManualLocation(newValue) }
  }

  /// The capabilities of the device; nil until the service was reached.
  public var capabilities: Set<Capability>? { session.read(\.capabilities) }

  /// The largest radius of a `CircularRegion`, in metres: half way around the earth.
  public static let maximumRegionMonitoringDistance = Circle.mostRadius

  /// The device's locations during iteration, according to `desiredAccuracy` and `distanceFilter`.
  ///
  /// A known location comes at once, and a slow task gets only the latest. The sequence throws when the service refuses, and
  /// waits while the service is unavailable. Core Location's CLLocationUpdate.liveUpdates.
  public var locationUpdates: UpdateSequence<LocationUpdate, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let subscription = Subscription(session, knowing: session.currentEvents(), onEnd: { $0.want { $0.sequences -= 1 } }) { event in
          switch event {
          case .located, .stationary, .locationUnknown, .locatingFailed, .service(.available(_?)): true
          default: false
          }
        }
        session.want { $0.sequences += 1 }
        return subscription
      },
      decode: { event in
        switch event {
        case .located(let location): .success(.location(location))
        case .stationary(let isStationary): .success(.stationary(isStationary))
        case .locationUnknown(let error): .success(.unknown(error))
        case .locatingFailed(let error): .failure(error)
        case .service(.available(let gap?)): .success(.gap(gap))
        default: nil
        }
      })
  }
}

/// An element of `LocationManager.locationUpdates`. Core Location's CLLocationUpdate.
public enum LocationUpdate: Hashable, Sendable {
  case location(Location)
  /// A change between rest and motion.
  ///
  /// True if, as far as its fixes can show, the device has not moved for two minutes or more. False if it moves again or there
  /// are not fixes to decide by.
  case stationary(Bool)
  /// No source knows the location, for this reason; the sources keep trying.
  case unknown(LocationError)
  /// A time without updates.
  case gap(ServiceGap)

  /// The location of a location update; nil for any other update.
  public var location: Location? {
    if case .location(let location) = self { location } else { nil }
  }
}
