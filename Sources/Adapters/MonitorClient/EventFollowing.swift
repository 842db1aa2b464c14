import DBus
import Events

/// What carries out an `EventReplay`: it asks where events are kept, and hands them on. Until it is answered it asks again: while a replay waits for an
/// answer, no event that comes does so.
protocol EventFollowing: AnyObject {
  var handler: ([Event]) -> Void { get }
  var onCaughtUp: () -> Void { get }
  var onTrouble: (DBusError) -> Void { get }
  /// Of whoever is asked, so that an answer of an earlier one is not taken for this one's.
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
      case .fail: fail(.failed("beaconmond's answer does not lead on from the place that was asked for; its log may say why"))
      }
    }
  }

  func catchUp() {
    retry.reset()
    onCaughtUp()
  }

  /// Says so once, and asks again later.
  func fail(_ error: DBusError) {
    let isNew = !retry.isInTrouble
    retry.failed()
    if isNew { onTrouble(error) }
  }

  /// What takes the answer of the one that is asked now.
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
