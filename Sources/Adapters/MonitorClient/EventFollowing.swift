import DBus
import Events

/// The executor of an `EventReplay`: it queries the journal and delivers events.
///
/// It repeats a query until there is an answer, because a replay that waits for an answer delivers no events.
protocol EventFollowing: AnyObject {
  var handler: ([Event]) -> Void { get }
  var onCaughtUp: () -> Void { get }
  var onTrouble: (DBusError) -> Void { get }
  /// The number of the daemon or session that answers, which identifies answers of an earlier one.
  var generation: Int { get }
  var retry: FollowerRetry { get }
  func askJournals()
  func askEvents(_ place: EventPlace)
}

extension EventFollowing {
  func perform(_ actions: [EventReplay.Action]) {
    for action in actions {
      switch action {
      case .askJournals:
        retry.disarm()
        askJournals()
      case .askEvents(let place):
        retry.disarm()
        askEvents(place)
      case .deliver(let events): handler(events)
      case .caughtUp: catchUp()
      case .fail: fail(.failed("beaconmond's answer does not continue from the requested event; see its log"))
      }
    }
  }

  func catchUp() {
    retry.reset()
    onCaughtUp()
  }

  /// Reports the first error of a failure, and retries later.
  func fail(_ error: DBusError) {
    let isNew = !retry.isInTrouble
    retry.failed()
    if isNew { onTrouble(error) }
  }

  /// Returns a completion that ignores answers of an earlier daemon or session.
  ///
  /// - Parameter orElse: takes an error; defaults to `fail`.
  func current<Answer>(
    _ take: @escaping (Answer) -> Void, orElse: ((DBusError) -> Void)? = nil
  ) -> (Result<Answer, DBusError>) -> Void {
    let generation = generation
    return { [weak self] answer in
      guard let self, generation == self.generation else { return }
      switch answer {
      case .success(let answer): take(answer)
      case .failure(let error): (orElse ?? self.fail)(error)
      }
    }
  }
}
