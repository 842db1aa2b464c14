import Consent
import DBus

/// The registrations and removals that a program requested, until the daemon has answered.
///
/// After its answer, the daemon keeps the region. A repeated request would restore a region that another program or a user has
/// removed in the meantime. Only one call is pending for each region, so that the last request takes effect, however long the
/// decision about the first one takes.
struct RegistrationPlan {
  private struct Item {
    enum Step: Hashable {
      case waiting
      case asked
      /// A call is pending, and the request has changed since.
      case outdated
      case refused(SessionPlan.Refusal)
    }

    let identifier: String
    /// Nil to unregister the region.
    var region: RequestedRegion?
    var step = Step.waiting
  }

  /// The requests, in the order of the first request for each region.
  private var items: [Item] = []

  /// - Parameters:
  ///   - region: the region; nil to unregister it.
  ///   - isOpen: true if there is a session.
  mutating func want(_ identifier: String, _ region: RequestedRegion?, isOpen: Bool) -> [SessionPlan.Action] {
    guard let index = items.firstIndex(where: { $0.identifier == identifier }) else {
      items.append(Item(identifier: identifier, region: region))
      return isOpen ? [ask(items.count - 1)] : []
    }
    items[index].region = region
    switch items[index].step {
    case .waiting, .refused: return isOpen ? [ask(index)] : []
    case .asked, .outdated:
      items[index].step = .outdated
      return []
    }
  }

  mutating func opened() -> [SessionPlan.Action] { items.indices.map { ask($0) } }

  mutating func lost() {
    for index in items.indices { items[index].step = .waiting }
  }

  mutating func authorizationChanged(_ authorization: Authorization) -> [SessionPlan.Action] {
    guard authorization.covers(.always) else { return [] }
    return items.indices.filter { items[$0].step == .refused(.consent) }.map { ask($0) }
  }

  /// Repeats the calls that were refused for a missing capability.
  mutating func requirementsMet() -> [SessionPlan.Action] {
    items.indices.filter { items[$0].step == .refused(.capability) }.map { ask($0) }
  }

  mutating func answered(_ identifier: String, _ error: DBusError?) -> [SessionPlan.Action] {
    guard let index = items.firstIndex(where: { $0.identifier == identifier }) else { return [] }
    if items[index].step == .outdated { return [ask(index)] }
    let isToBeRegistered = items[index].region != nil
    // A region that is not registered needs no removal.
    if let error, isToBeRegistered || !error.isNotRegistered {
      items[index].step = .refused(SessionPlan.Refusal(error))
      return [.report(.registrationRefused(identifier, error))]
    }
    items.remove(at: index)
    return isToBeRegistered ? [.report(.registered(identifier))] : []
  }

  private mutating func ask(_ index: Int) -> SessionPlan.Action {
    items[index].step = .asked
    let identifier = items[index].identifier
    return items[index].region.map { .register($0) } ?? .unregister(identifier)
  }
}
