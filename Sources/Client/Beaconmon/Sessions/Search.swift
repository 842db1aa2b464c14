import Synchronization

/// A location search that ends with the task that waits for it.
final class Search: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result<Location, LocationError>, Never>?
    var number: UInt64?
    var isCancelled = false
  }

  private static let cancelled = LocationError(.network, "the task was cancelled")

  private let state = Mutex(State())
  private let session: ServiceSession

  private init(_ session: ServiceSession) {
    self.session = session
  }

  static func run(_ session: ServiceSession, _ accuracy: LocationAccuracy, _ timeout: Duration) async throws(LocationError) -> Location {
    let search = Search(session)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { search.begin(accuracy, timeout, $0) }
    } onCancel: {
      search.cancel()
    }
    return try result.get()
  }

  private func begin(
    _ accuracy: LocationAccuracy, _ timeout: Duration, _ continuation: CheckedContinuation<Result<Location, LocationError>, Never>
  ) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { return continuation.resume(returning: .failure(Self.cancelled)) }
    // The completion retains this search until the answer.
    let number = session.search(accuracy, timeout: timeout) { self.end($0) }
    let isLate = state.withLock { state in
      state.number = number
      return state.isCancelled
    }
    if isLate { session.cancelSearch(number) }
  }

  private func cancel() {
    let number = state.withLock { state in
      state.isCancelled = true
      return state.number
    }
    if let number { session.cancelSearch(number) }
    end(.failure(Self.cancelled))
  }

  private func end(_ result: Result<Location, LocationError>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: result)
  }
}
