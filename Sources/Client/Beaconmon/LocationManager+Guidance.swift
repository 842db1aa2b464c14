internal import DBus
internal import MonitorClient
internal import Records
internal import RouteReports

// MARK: Guidance

extension LocationManager {
  /// Leads to a destination during iteration: states, routes and sentences to speak.
  ///
  /// A manager has one guidance at a time: a second iteration ends the first one with `replaced`. A slow task gets only the latest state,
  /// but every instruction. The sequence finishes after `ended`, and throws when the service refuses the request. While the service is
  /// unavailable the sequence reports `failed` and waits.
  public func guidanceUpdates(_ request: RouteRequest) -> UpdateSequence<GuidanceChange, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let token = session.reserveGuidance()
        let subscription = Subscription(session, onEnd: { $0.endGuidance(token) }) { event in
          switch event {
          case .guidance(token, _), .guidanceRefused(token, _), .service(.away): true
          default: false
          }
        }
        session.startGuidance(token, request)
        return subscription
      },
      decode: { event in
        switch event {
        case .guidance(_, let change): .success(change)
        case .guidanceRefused(_, let error): .failure(error)
        case .service(.away(let error)): .success(.failed(error))
        default: nil
        }
      },
      isLast: { if case .ended = $0 { true } else { false } })
  }

  /// Returns the best route, from the start of the request or from the position of the device.
  ///
  /// Throws `routeFailure` with the reason if there is no such place or no route, and `denied` without consent.
  ///
  /// - Parameters:
  ///   - request: the destination and the start.
  ///   - timeout: the longest time to wait for the position, 0.1 s to 10 min.
  public func route(_ request: RouteRequest, timeout: Duration = .seconds(30)) async throws(LocationError) -> Route {
    let options = request.options(timeout: timeout)
    let (purpose, appID) = (session.purpose, appID)
    do throws(DBusError) {
      let report = try await ServiceQuery.ask(session.bus) { client, completion in
        client.route(options, purpose: purpose, appID: appID, completion)
      }
      return Route(report)
    } catch {
      throw LocationError(guiding: error)
    }
  }
}
