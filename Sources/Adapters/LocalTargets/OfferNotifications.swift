import DBus
import Notification
import Venues

/// Shows offers as desktop notifications with actions, and launches what the user chooses.
///
/// Desktop Notifications Specification 1.2; the token is of version 1.2 as well.
public final class OfferNotifications: OfferDesktop {
  public var onAnswer: (String, OfferAnswer) -> Void = { _, _ in }
  public var onReturn: () -> Void = {}

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// The maximum number of characters of an offer's text. A notification is not a page.
  private static let mostText = 300
  private static let (open, mute) = ("open", "mute")

  private let desktop: Desktop
  private let launcher: AppLauncher
  /// The venues of the notifications that are shown, by their ids.
  private var venues: [UInt32: String] = [:]
  /// The token of the notification that was answered last.
  private var token: (id: UInt32, text: String)?

  public init(on desktop: Desktop, _ launcher: AppLauncher) {
    self.desktop = desktop
    self.launcher = launcher
    desktop.onSignal = (MatchRule(sender: Self.name, interface: Self.name), { [weak self] in self?.receive($0) })
    // Another service counts its notifications from the start.
    desktop.onOwnerChange = (
      Self.name,
      { [weak self] in
        self?.venues = [:]
        self?.token = nil
      }
    )
  }

  public func isInstalled(_ launch: VenueLaunch) -> Bool { launcher.isInstalled(launch) }

  public func launch(_ launch: VenueLaunch, venue: String, token: String?, completion: @escaping (String?) -> Void) {
    launcher.launch(launch, venue: venue, token: token, completion: completion)
  }

  public func show(_ offer: OfferReport, completion: @escaping (OfferDisplay) -> Void) {
    desktop.call(to: Self.name, Self.path, Self.name, "GetCapabilities") { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values): show(offer, hasActions: values.first?.strings?.contains("actions") == true, completion)
      case .failure(let error): fail(error, completion)
      }
    }
  }

  private func show(_ offer: OfferReport, hasActions: Bool, _ completion: @escaping (OfferDisplay) -> Void) {
    var body = String((offer.text ?? "").prefix(Self.mostText))
    if !hasActions, let page = offer.page { body += body.isEmpty ? page : "\n\(page)" }
    let actions = hasActions ? ["default", "Open", Self.open, "Open", Self.mute, "Not again"] : []
    let letTheServerDecide = DBusValue.int32(-1)
    desktop.call(
      to: Self.name, Self.path, Self.name, "Notify",
      [
        .string("beaconmon"), .uint32(0), .string("find-location-symbolic"), .string(offer.title ?? offer.name ?? ""),
        .string(Desktop.escaped(body)), .strings(actions), .options(["category": .string("presence")]), letTheServerDecide,
      ]
    ) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        if let id = values.first?.integer(UInt32.self), let venue = offer.venue { venues[id] = venue }
        completion(.shown(hasActions: hasActions))
      case .failure(let error): fail(error, completion)
      }
    }
  }

  private func fail(_ error: DBusError, _ completion: (OfferDisplay) -> Void) {
    guard NotificationTarget.isAbsence(error) else { return completion(.refused("\(error)")) }
    desktop.awaitNotifications { [weak self] in self?.onReturn() }
    completion(.absent("\(error)"))
  }

  public func withdraw(_ venue: String) {
    for id in venues.keys where venues[id] == venue {
      venues[id] = nil
      desktop.call(to: Self.name, Self.path, Self.name, "CloseNotification", [.uint32(id)]) { _ in /* It may be closed already. */ }
    }
  }

  private func receive(_ signal: DBusMessage) {
    guard let id = signal.arguments.first?.integer(UInt32.self), let venue = venues[id] else { return }
    switch signal.member {
    case "ActivationToken": token = signal.arguments.last?.string.map { (id: id, text: $0) }
    case "ActionInvoked":
      let key = signal.arguments.last?.string
      let given = token?.id == id ? token?.text : nil
      token = nil
      venues[id] = nil
      onAnswer(venue, key == Self.mute ? .mute : .open(token: given))
    case "NotificationClosed": venues[id] = nil
    default: break
    }
  }
}
