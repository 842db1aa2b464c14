internal import Instants
internal import MonitorClient
import Synchronization

// MARK: Location

extension ServiceSession {
  /// Changes the location request, and informs the service if necessary.
  func want(_ change: (inout LocationOptions) -> Void) {
    state.withLock { state in
      let before = state.options.updates
      change(&state.options)
      let (updates, language) = (state.options.updates, state.options.language)
      perform { $0.locale = language }
      if let updates {
        // A refused request is repeated.
        perform { $0.startLocating(updates) }
      } else if before != nil {
        (state.current, state.isStationary) = (nil, false)
        perform { $0.stop(.locating) }
      }
    }
  }

  /// - Parameter location: the location that the user states; nil withdraws it.
  func setManualLocation(_ location: Location?) {
    state.withLock { state in
      state.manualLocation = location
      perform { $0.setManualLocation(location?.stated) }
    }
  }

  /// Returns the present location and rest as events for a new reader.
  func currentEvents() -> [SessionEvent] {
    state.withLock { state in (state.current.map { [$0] } ?? []) + (state.isStationary ? [.stationary(true)] : []) }
  }

  /// Starts a search for one location and returns its number.
  ///
  /// - Parameter completion: called once, on the session's thread, unless the search is cancelled.
  func search(
    _ accuracy: LocationAccuracy, timeout: Duration, completion: @escaping @Sendable (Result<Location, LocationError>) -> Void
  ) -> UInt64 {
    let number = state.withLock { state in
      state.lastSearch += 1
      state.searches[state.lastSearch] = completion
      return state.lastSearch
    }
    guard hasThread else {
      finish(number, .failure(unreachable))
      return number
    }
    let span = min(max(Span(timeout), .milliseconds(100)), .seconds(600))
    perform {
      $0.search(number, accuracy.metres, timeout: span)
    } otherwise: { [weak self] in
      self.map { $0.finish(number, .failure($0.unreachable)) }
    }
    return number
  }

  /// Cancels a search; returns false if it has ended already.
  @discardableResult
  func cancelSearch(_ number: UInt64) -> Bool {
    guard state.withLock({ $0.searches.removeValue(forKey: number) }) != nil else { return false }
    perform { $0.cancelSearch(number) }
    return true
  }

  func finish(_ number: UInt64, _ result: Result<Location, LocationError>) {
    let completion = state.withLock { state in
      if case .success(let location) = result { state.location = location }
      return state.searches.removeValue(forKey: number)
    }
    completion?(result)
  }
}
