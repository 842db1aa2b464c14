import Consent
import Guidance
import Instants
import RouteReports
import Wayfinding

/// The sessions that are guided, and the calls that wait for a route.
public final class GuidanceSubscriptions {
  private unowned let consent: any SessionConsent
  private unowned let guidance: any SessionGuidance
  /// The guided sessions by number.
  private var sessions: [UInt32: ClientSession] = [:]
  /// The calls that wait for a route, by the order of their arrival.
  private var calls: [(number: UInt64, session: ClientSession, answer: SessionAnswer<RouteReport>)] = []
  private var lastCall: UInt64 = 0

  init(_ consent: any SessionConsent, _ guidance: any SessionGuidance) {
    (self.consent, self.guidance) = (consent, guidance)
  }

  /// Throws if guidance to a destination cannot begin, whatever the position is.
  public func check(_ request: GuidanceRequest) throws(SessionRefusal) {
    do throws(GuidanceRefusal) { try guidance.check(request) } catch { throw .guidance(error) }
  }

  /// Starts the guidance of a session that is permitted, or replaces it. The first signals may come during the call.
  public func start(_ request: GuidanceRequest, in session: ClientSession) {
    consent.beginUse(of: session)
    session.channel?.drop(.guidance)
    sessions[session.number] = session
    do throws(GuidanceRefusal) { try guidance.start(session.number, request) } catch {
      // The venue or the sources have changed since the answer.
      end(session)
      session.send(.guidanceEnded(error.end))
    }
  }

  public func stop(_ session: ClientSession) throws(SessionRefusal) {
    guard sessions[session.number] != nil else { throw .notGuiding }
    end(session)
  }

  /// Ends the guidance and the waiting calls of a session that has ended.
  func forget(_ session: ClientSession, _ refusal: SessionRefusal) {
    end(session)
    cancelCalls(of: session, refusal)
  }

  /// Ends the guidance and the waiting calls of a session that lost consent, and reports the end of the guidance.
  func withdraw(_ session: ClientSession, _ refusal: SessionRefusal) {
    guidance.end(session.number, GuidanceEnd(.notAuthorized, refusal.text))
    cancelCalls(of: session, refusal)
  }

  private func end(_ session: ClientSession) {
    guard sessions.removeValue(forKey: session.number) != nil else { return }
    guidance.end(session.number)
    session.channel?.drop(.guidance)
  }

  private func cancelCalls(of session: ClientSession, _ refusal: SessionRefusal) {
    let ended = calls.filter { $0.session === session }
    calls.removeAll { $0.session === session }
    guidance.cancelQueries(of: session.number)
    for call in ended { call.answer(.failure(refusal)) }
  }

  /// Answers with a route, as soon as the position is known.
  func route(_ query: RouteQuery, timeout: Span, in session: ClientSession, answer: @escaping SessionAnswer<RouteReport>) {
    lastCall += 1
    let number = lastCall
    calls.append((number, session, answer))
    guidance.route(query, for: session.number, timeout: timeout) { [weak self] result in
      guard let self, let index = calls.firstIndex(where: { $0.number == number }) else { return }
      calls.remove(at: index).answer(result.mapError { .guidance($0) })
    }
  }

  /// Takes an output for a session that this object has started.
  public func take(_ output: GuidanceService.Output) {
    switch output {
    case .update(let number, let report): sessions[number]?.send(.guidanceUpdated(report))
    case .route(let number, let route): sessions[number]?.send(.guidanceRouteChanged(route))
    case .instruction(let number, let instruction): sessions[number]?.send(.guidanceInstruction(instruction))
    case .failed(let number, let failure): sessions[number]?.send(.guidanceFailed(failure))
    case .ended(let number, let end):
      guard let session = sessions.removeValue(forKey: number) else { return }
      session.channel?.drop(.guidance)
      session.send(.guidanceEnded(end))
    }
  }
}

// MARK: Routes

extension SessionService {
  /// Answers with a route from a stated start, or from the present position as soon as it is known.
  public func route(_ query: RouteQuery, timeout: Span, in session: ClientSession, answer: @escaping SessionAnswer<RouteReport>) {
    // Without the position of the device, the answer is only about the venue, which is public.
    if query.start != nil { return guidance.route(query, timeout: timeout, in: session, answer: answer) }
    do throws(SessionRefusal) {
      try requireCapabilities(of: session)
      try guidance.check(GuidanceRequest(query.destination))
    } catch {
      return answer(.failure(error))
    }
    permit(.whenInUse, session) { [guidance, consent] result in
      switch result {
      case .success:
        consent.beginUse(of: session)
        guidance.route(query, timeout: timeout, in: session, answer: answer)
      case .failure(let refusal): answer(.failure(refusal))
      }
    }
  }
}
