import Consent
import DBus
import Records

/// What a program wants to be registered or not, until the daemon has been told. From then on it is the daemon's to keep: whoever asked again would bring back
/// what somebody has removed meanwhile.
///
/// For each region one call at a time is on its way, so that the last wish is the one that is carried out, however long people think about the first.
struct RegistrationPlan {
  private struct Item {
    enum Step: Hashable {
      case waiting
      case asked
      /// Asked, and wanted otherwise since.
      case outdated
      case refused(byConsent: Bool)
    }

    let identifier: String
    /// As `Session.RegisterRegion` takes it; nil: it is to be unregistered.
    var region: Record?
    var step = Step.waiting
  }

  /// In the order in which they were wanted first.
  private var items: [Item] = []

  /// - Parameters:
  ///   - region: nil: it is not wanted any more.
  ///   - isOpen: whether there is a session.
  mutating func want(_ identifier: String, _ region: Record?, isOpen: Bool) -> [SessionPlan.Action] {
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
    return items.indices.filter { items[$0].step == .refused(byConsent: true) }.map { ask($0) }
  }

  mutating func answered(_ identifier: String, _ error: DBusError?) -> [SessionPlan.Action] {
    guard let index = items.firstIndex(where: { $0.identifier == identifier }) else { return [] }
    if items[index].step == .outdated { return [ask(index)] }
    let isToBeRegistered = items[index].region != nil
    // What is not there need not be removed.
    if let error, isToBeRegistered || !error.isNotRegistered {
      items[index].step = .refused(byConsent: error.isLackOfConsent)
      return [.tell(.registrationRefused(identifier, error))]
    }
    items.remove(at: index)
    return isToBeRegistered ? [.tell(.registered(identifier))] : []
  }

  private mutating func ask(_ index: Int) -> SessionPlan.Action {
    items[index].step = .asked
    let identifier = items[index].identifier
    return items[index].region.map { .register(identifier, $0) } ?? .unregister(identifier)
  }
}
