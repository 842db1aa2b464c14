import Instants
import LocationArbitration
import Locations

extension Location.Source {
  /// A location that a user entered.
  public static let manual = Location.Source("manual", isSteady: false)
}

extension LocationSubscriptions {
  /// Takes an output for a listener that this object has started.
  public func take(_ output: Locator.Output) {
    switch output {
    case .update(let listener, let location):
      subscriptions[listener]?.reportedDenied = false
      guard let subscription = subscriptions[listener] else { return }
      places.prepareAddress(of: location, locale: subscription.session.locale, wanted: subscription.wanted)
      subscription.session.send(.locationUpdated(location))
    case .progress(let listener, let location):
      subscriptions[listener]?.session.send(.locationRefined(location))
    case .unknown(let listener):
      if let session = subscriptions[listener]?.session { reportUnknown(to: session) }
    case .stationary(let listener, let isStationary):
      subscriptions[listener]?.session.send(.stationaryChanged(isStationary))
    case .found(let listener, let location):
      guard let subscription = subscriptions[listener], subscription.answer != nil else { return }
      if let location { return answerWithAddress(listener, location, subscription) }
      subscriptions[listener] = nil
      answerUnknown(subscription)
    }
  }

  /// Answers a search with its location, after a moment in which the address may arrive.
  ///
  /// Until then the search can be cancelled or refused.
  private func answerWithAddress(_ listener: Locator.Listener, _ location: Location, _ subscription: Subscription) {
    places.lookUpAddress(of: location, locale: subscription.session.locale, wanted: subscription.wanted) { [weak self] in
      guard let self, let answer = subscriptions.removeValue(forKey: listener)?.answer else { return }
      answer(.success(report(of: location, for: subscription.session, wanted: subscription.wanted)))
    }
  }

  /// Answers a search that found nothing, with the location that the session's user states if there is one.
  private func answerUnknown(_ subscription: Subscription) {
    let session = subscription.session
    subscription.answer?(
      session.manualLocation.map { .success(report(of: $0, for: session)) } ?? .failure(.locationUnknown(positioning.unknownReason)))
  }

  /// Reports an unknown location to every waiting client at once if all sources are denied.
  ///
  /// Call when a source's health has changed.
  public func reportDenied() {
    guard positioning.location == nil, case let sources = positioning.sources, !sources.isEmpty,
      sources.allSatisfy({ $0.state == .denied })
    else { return }
    for listener in subscriptions.keys.sorted() {
      // The first signal may end the sessions of a client that does not read.
      guard let subscription = subscriptions[listener], !subscription.reportedDenied else { continue }
      if subscription.answer != nil {
        remove(listener)
        answerUnknown(subscription)
      } else {
        subscriptions[listener]?.reportedDenied = true
        reportUnknown(to: subscription.session)
      }
    }
  }

  private func reportUnknown(to session: ClientSession) {
    session.send(session.manualLocation.map { .locationUpdated($0) } ?? .locationUnknown)
  }

  /// The time on the clock of `Location.received`, for a location that a user states.
  public var now: Instant { positioning.now }

  /// The reason why the location is unknown.
  public var unknownReason: String { positioning.unknownReason }

  /// Returns a location for a session, with its present age and the names in the language of the session.
  ///
  /// - Parameter wanted: the accuracy in metres that the client requests; nil for that of the session's updates.
  public func report(of location: Location, for session: ClientSession, wanted: Double? = nil) -> LocationReport {
    // A program without consent could otherwise discover the owner's places by stating locations.
    let hidesOwnPlaces = location.source == .manual
    return places.report(
      location, at: positioning.now, locale: session.locale, hidesOwnPlaces: hidesOwnPlaces, wanted: wanted ?? session.wantedAccuracy)
  }
}
