import DBus
import Instants
import Locations
import MonitorProtocol

/// One location that a program has requested.
struct RequestedLocation: Hashable {
  /// The number that the program assigned.
  let number: UInt64
  /// One sigma in metres; zero requests the best available accuracy.
  let accuracy: Double
  /// The timeout on the clock of the loop.
  let deadline: Instant
}

/// The pending location requests of a program.
///
/// While the daemon is unavailable, a request waits until its deadline. When the daemon returns, the plan repeats the request with
/// the remaining time.
struct LocationSearchPlan {
  /// Maximum number of pending requests of a session; others wait in this plan.
  static let most = 4

  private struct Item {
    let search: RequestedLocation
    var isAsked = false
    /// True if the program has cancelled the request but the daemon still searches.
    var isCancelled = false
  }

  private var items: [Item] = []

  mutating func want(_ search: RequestedLocation, isOpen: Bool) -> [SessionPlan.Action] {
    items.append(Item(search: search))
    return isOpen ? askMore() : []
  }

  mutating func opened() -> [SessionPlan.Action] { askMore() }

  mutating func lost() {
    items.removeAll(where: \.isCancelled)
    for index in items.indices { items[index].isAsked = false }
  }

  mutating func answered(_ number: UInt64, _ answer: Result<LocationReport, DBusError>) -> [SessionPlan.Action] {
    guard let item = remove(number) else { return [] }
    return (item.isCancelled ? [] : [.report(.searched(number, answer))]) + askMore()
  }

  /// Cancels a request, which delivers no answer any more.
  mutating func cancel(_ number: UInt64) -> [SessionPlan.Action] {
    guard let index = items.firstIndex(where: { $0.search.number == number && $0.isAsked }) else {
      _ = remove(number)
      return []
    }
    items[index].isCancelled = true
    // The daemon cancels all requests of a session at once, so this waits until the others have their answers. Until its own answer, the
    // request counts against the daemon's limit.
    guard !items.contains(where: { $0.isAsked && !$0.isCancelled }) else { return [] }
    items.removeAll(where: \.isCancelled)
    return [.cancelSearches] + askMore()
  }

  /// The time of the next call of `advance`; `.never` if no deadline is open.
  var nextDeadline: Instant { items.filter { !$0.isAsked }.map(\.search.deadline).min() ?? .never }

  /// Fails the requests whose deadline has passed before they reached the daemon.
  ///
  /// - Parameter reason: the reason why the daemon is unavailable; nil if it is busy with earlier requests.
  mutating func advance(to now: Instant, _ reason: DBusError?) -> [SessionPlan.Action] {
    let late = items.filter { !$0.isAsked && $0.search.deadline <= now }.map(\.search.number)
    return late.flatMap { number in
      _ = remove(number)
      let error = reason ?? .monitor(.locationUnknown, "the timeout passed before the request could be sent")
      return [SessionPlan.Action.report(.searched(number, .failure(error)))]
    }
  }

  private mutating func remove(_ number: UInt64) -> Item? {
    items.firstIndex { $0.search.number == number }.map { items.remove(at: $0) }
  }

  private mutating func askMore() -> [SessionPlan.Action] {
    var actions: [SessionPlan.Action] = []
    for index in items.indices where !items[index].isAsked && items.count(where: \.isAsked) < Self.most {
      items[index].isAsked = true
      actions.append(.search(items[index].search))
    }
    return actions
  }
}
