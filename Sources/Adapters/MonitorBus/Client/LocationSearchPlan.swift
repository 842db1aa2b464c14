import DBus
import Instants
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

  private var items: [(search: RequestedLocation, isAsked: Bool)] = []

  mutating func want(_ search: RequestedLocation, isOpen: Bool) -> [SessionPlan.Action] {
    items.append((search, false))
    return isOpen ? askMore() : []
  }

  mutating func opened() -> [SessionPlan.Action] { askMore() }

  mutating func lost() {
    for index in items.indices { items[index].isAsked = false }
  }

  mutating func answered(_ number: UInt64, _ answer: Result<Record, DBusError>) -> [SessionPlan.Action] {
    guard remove(number) != nil else { return [] }
    return [.tell(.searched(number, answer))] + askMore()
  }

  /// Nothing is told of it any more.
  mutating func cancel(_ number: UInt64) -> [SessionPlan.Action] {
    guard remove(number)?.isAsked == true else { return [] }
    // The daemon ends all of a session at once; the answers of others are wanted.
    return items.contains { $0.isAsked } ? askMore() : [.cancelSearches] + askMore()
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

  private mutating func remove(_ number: UInt64) -> (search: RequestedLocation, isAsked: Bool)? {
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
