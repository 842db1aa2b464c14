import DBus
import Instants
import MonitorProtocol
import Records

/// One location that a program has asked for.
struct RequestedLocation: Hashable {
  /// The program's.
  let number: UInt64
  /// As `Session.RequestLocation` takes it.
  let accuracy: RecordValue
  /// On the clock of the loop.
  let deadline: Instant
}

/// The locations that a program has asked for once, until each is answered. A daemon that is away is waited for, no longer than the program would wait for a fix;
/// one that comes back is asked again, for the time that is left.
struct LocationSearchPlan {
  /// A session may wait for so many; others wait here.
  static let most = 4

  private struct Item {
    let search: RequestedLocation
    var isAsked = false
    /// Nobody waits for it any more, but the daemon does.
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

  mutating func answered(_ number: UInt64, _ answer: Result<Record, DBusError>) -> [SessionPlan.Action] {
    guard let item = remove(number) else { return [] }
    return (item.isCancelled ? [] : [.tell(.searched(number, answer))]) + askMore()
  }

  /// Nothing is told of it any more.
  mutating func cancel(_ number: UInt64) -> [SessionPlan.Action] {
    guard let index = items.firstIndex(where: { $0.search.number == number && $0.isAsked }) else {
      _ = remove(number)
      return []
    }
    items[index].isCancelled = true
    // The daemon ends all of a session at once; the answers of others are wanted, and until its own comes this one counts there.
    guard !items.contains(where: { $0.isAsked && !$0.isCancelled }) else { return [] }
    items.removeAll(where: \.isCancelled)
    return [.cancelSearches] + askMore()
  }

  /// When `advance` has something to do.
  var nextDeadline: Instant { items.filter { !$0.isAsked }.map(\.search.deadline).min() ?? .never }

  /// - Parameter reason: why nobody can be asked; nil: the daemon is busy with earlier ones.
  mutating func advance(to now: Instant, _ reason: DBusError?) -> [SessionPlan.Action] {
    let late = items.filter { !$0.isAsked && $0.search.deadline <= now }.map(\.search.number)
    return late.flatMap { number in
      _ = remove(number)
      let error = reason ?? .monitor("LocationUnknown", "its time was up before it could be asked for")
      return [SessionPlan.Action.tell(.searched(number, .failure(error)))]
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
