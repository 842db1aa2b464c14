internal import Instants
internal import MonitorClient
internal import Records
import Synchronization

// MARK: Where the device is

extension ServiceSession {
  /// Changes what is wanted; the service hears of it where that makes a difference.
  func want(_ change: (inout LocationWish) -> Void) {
    state.withLock { state in
      let before = state.wish.options
      change(&state.wish)
      let options = state.wish.options
      if let options {
        // What was refused is asked for again.
        perform { $0.startLocating(options) }
      } else if before != nil {
        (state.current, state.isStationary) = (nil, false)
        perform { $0.stop(.locating) }
      }
    }
  }

  /// - Parameter location: nil takes it back.
  func setManualLocation(_ location: Location?) {
    state.withLock { state in
      state.manualLocation = location
      perform { $0.setManualLocation(location?.manualRecord) }
    }
  }

  /// What is known to whoever begins to listen.
  func currentNews() -> [News] {
    state.withLock { state in (state.current.map { [$0] } ?? []) + (state.isStationary ? [.stationary(true)] : []) }
  }

  /// - Parameter completion: called once, on the session's thread, unless the search is cancelled.
  /// - Returns: its number.
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
      $0.search(number, .metres(accuracy.metres), timeout: span)
    } otherwise: { [weak self] in
      self.map { $0.finish(number, .failure($0.unreachable)) }
    }
    return number
  }

  /// - Returns: false when it is over.
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
