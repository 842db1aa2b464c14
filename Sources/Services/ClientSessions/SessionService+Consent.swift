import Consent
import ConsentService
import Instants
import LocationArbitration
import Locations

// MARK: Authorization of a session

extension SessionService {
  /// Returns the present decision about the session's user.
  public func verdict(of session: ClientSession) -> ConsentPolicy.Verdict { consent.verdict(of: session) }

  /// Calls `completion` with the decision when there is one.
  ///
  /// If the decision is open, a person is asked, unless too many calls of the session or its user wait already.
  public func authorize(
    _ use: Use, _ session: ClientSession, completion: @escaping SessionAnswer<ConsentPolicy.Verdict>
  ) {
    let verdict = verdict(of: session)
    guard verdict.isOpen(for: use) else { return completion(.success(verdict)) }
    do throws(SessionRefusal) { try SessionLimits.admitWaitingCall(session) } catch { return completion(.failure(error)) }
    let user = session.user
    session.waitingCalls += 1
    user.waitingCalls += 1
    consent.request(use, for: session.claim) { [weak session] verdict in
      session?.waitingCalls -= 1
      user.waitingCalls -= 1
      completion(.success(verdict))
    }
  }

  /// Calls `completion` with success when the session may use the location, and otherwise with the refusal.
  ///
  /// A session that ended while a person decided gets the refusal `ended`.
  public func permit(_ use: Use, _ session: ClientSession, completion: @escaping SessionAnswer<Void>) {
    authorize(use, session) { [weak self] result in
      completion(
        result.flatMap { verdict in
          guard self?.isOpen(session) == true else { return .failure(.ended(session.name)) }
          return verdict.authorization.covers(use) ? .success(()) : .failure(.unauthorized(verdict))
        })
    }
  }

  /// Throws unless the session's user may use the location, without asking a person.
  public func requireAuthorization(_ use: Use, of session: ClientSession) throws(SessionRefusal) {
    let verdict = verdict(of: session)
    guard verdict.authorization.covers(use) else { throw .unauthorized(verdict) }
  }

  /// Takes over changed decisions: sessions that are no longer allowed stop receiving data.
  public func consentChanged() {
    for session in sessions.values {
      let verdict = verdict(of: session)
      // A call of the session may have taken the decision before.
      if verdict.authorization.covers(.whenInUse) { appointments.allow(session) }
      guard verdict.authorization != session.reportedAuthorization else { continue }
      session.reportedAuthorization = verdict.authorization
      if !verdict.authorization.covers(.whenInUse) {
        let refusal = SessionRefusal.unauthorized(verdict)
        stop(session)
        locations.withdraw(session, refusal)
        headings.forget(session)
        appointments.withdraw(session)
        guidance.withdraw(session, refusal)
      } else {
        locations.allow(session)
      }
      session.send(.authorizationChanged(verdict))
      locations.reportManual(session)
    }
  }
}

extension SessionConsent {
  func verdict(of session: ClientSession) -> ConsentPolicy.Verdict { verdict(for: session.claim.person) }

  /// Records that the client receives data from now on.
  func beginUse(of session: ClientSession) {
    session.reportedAuthorization = verdict(of: session).authorization
    if !session.isInUse { begin(session.claim) }
    session.isInUse = true
  }

  func endUse(of session: ClientSession) {
    if session.isInUse { end(session.claim) }
    session.isInUse = false
  }
}

// MARK: Location

extension SessionService {
  /// Starts location updates, or changes their options.
  ///
  /// Without consent or a source, a session whose user states a location receives that one.
  ///
  /// - Parameter locale: the language of the names of places; nil for that of the daemon.
  public func startUpdatingLocation(
    _ request: LocationRequest, locale: String?, in session: ClientSession, answer: @escaping SessionAnswer<Void>
  ) {
    locate(session, answer) { locations, refusal in locations.start(request, locale: locale, in: session, refusal, answer: answer) }
  }

  /// Searches for one location, which is the answer when the search ends.
  ///
  /// Without consent or a source, the answer is the location that the session's user states.
  ///
  /// - Parameter locale: the language of the names of places; nil for that of the session's earlier requests.
  public func requestLocation(
    _ accuracy: DesiredAccuracy, timeout: Span, locale: String?, in session: ClientSession,
    answer: @escaping SessionAnswer<LocationReport>
  ) {
    locate(session, answer) { locations, refusal in
      locations.search(accuracy, timeout: timeout, locale: locale, in: session, refusal, answer: answer)
    }
  }

  /// Calls `body` when there is a decision, with the refusal of a session that may not learn the location of the device.
  private func locate<Value>(
    _ session: ClientSession, _ answer: @escaping SessionAnswer<Value>,
    _ body: @escaping (LocationSubscriptions, _ refusal: SessionRefusal?) -> Void
  ) {
    do throws(SessionRefusal) { try requireCapabilities(of: session) } catch { return answer(.failure(error)) }
    permit(.whenInUse, session) { [locations] result in
      switch result {
      case .success: body(locations, nil)
      case .failure(.unauthorized(let verdict)): body(locations, .unauthorized(verdict))
      case .failure(let refusal): answer(.failure(refusal))
      }
    }
  }
}
