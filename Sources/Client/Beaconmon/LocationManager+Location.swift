internal import Geodesy
import Synchronization

// MARK: Where the device is

extension LocationManager {
  /// How exactly `startUpdatingLocation`, `locationUpdates` and requests want to know. Another one takes effect at once.
  public var desiredAccuracy: LocationAccuracy {
    get { session.read(\.wish.accuracy) }
    set { session.want { $0.accuracy = newValue } }
  }

  /// Metres from the last location that was told until the next one is; one that is at least twice as accurate is told all the same. Nil, or nothing above zero:
  /// all are. Another one takes effect at once.
  public var distanceFilter: Double? {
    get { session.read(\.wish.distanceFilter) }
    set { session.want { $0.distanceFilter = newValue } }
  }

  /// Tells the delegate where the device is, at once where that is known, and then of each location that passes the distance filter.
  public func startUpdatingLocation() {
    session.want { $0.isUpdating = true }
    // What is on already says nothing new for it.
    for news in session.currentNews() { mailbox.take(news) }
  }

  /// Ends also what `requestLocation` waits for.
  public func stopUpdatingLocation() {
    session.want { $0.isUpdating = false }
    cancelRequest()
  }

  /// Tells the delegate of moves of half a kilometre, at most every five minutes, by sources that cost little.
  public func startMonitoringSignificantLocationChanges() {
    session.want { $0.isMonitoringChanges = true }
    for news in session.currentNews() { mailbox.take(news) }
  }

  public func stopMonitoringSignificantLocationChanges() { session.want { $0.isMonitoringChanges = false } }

  /// One location for the delegate: the first that is as accurate as desired, or as any source can be, or the best when the time is up. One request at a time; another
  /// one goes on with the first. It fails with `timeout` when nothing was found, also because the service was away, and with `network` where there is no bus.
  ///
  /// - Parameter timeout: 0.1 s to 10 min.
  public func requestLocation(timeout: Duration = .seconds(30)) {
    let isFirst = request.withLock { request in
      defer { request = request ?? 0 }
      return request == nil
    }
    guard isFirst else { return }
    let number = session.search(desiredAccuracy, timeout: timeout) { [weak self] result in
      self?.request.withLock { $0 = nil }
      switch result {
      case .success(let location): self?.mailbox.take(.found(location))
      case .failure(let error): self?.mailbox.take(.searchFailed(error))
      }
    }
    let isOver = request.withLock { request in
      request = request.map { _ in number }
      return request == nil
    }
    // It was answered meanwhile, or stopped.
    if isOver { session.cancelSearch(number) }
  }

  /// The same as `requestLocation` for a task; any number at a time.
  ///
  /// - Parameter timeout: 0.1 s to 10 min.
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

  /// The last one that this manager was told; its `age` says how old it is.
  public var location: Location? { session.read(\.location) }

  /// Where the user says that the device is. Told to this manager alone, and only where consent, a source or a fix is missing.
  public var manualLocation: Location? {
    get { session.read(\.manualLocation) }
    set { session.setManualLocation(newValue) }
  }

  /// What the device can do; nil until the service was reached.
  public var capabilities: Set<Capability>? { session.read(\.capabilities) }

  /// The largest radius that a `CircularRegion` can have, metres: half way around the earth.
  public static let maximumRegionMonitoringDistance = Circle.mostRadius

  /// Where the device is, while it is iterated, as `desiredAccuracy` and `distanceFilter` say; what is known comes at once. Throws when the service refuses; waits while
  /// it is away. Of locations a slow task gets the latest. Core Location's CLLocationUpdate.liveUpdates.
  public var locationUpdates: UpdateSequence<LocationUpdate, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let subscription = Subscription(session, knowing: session.currentNews(), onEnd: { $0.want { $0.sequences -= 1 } }) { news in
          switch news {
          case .located, .stationary, .locationUnknown, .locatingFailed, .service(.available(_?)): true
          default: false
          }
        }
        session.want { $0.sequences += 1 }
        return subscription
      },
      decode: { news in
        switch news {
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
