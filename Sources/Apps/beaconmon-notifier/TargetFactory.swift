import DBus
import DeliveryScheduling
import EventActions
import EventLoop
import Failures
import FleetMessages
import Glibc
import Instants
import LocalTargets
import Logging
import MQTT
import MonitorClient
import MonitorProtocol
import Notification
import ProgramSupport
import Publishing
import Records
import Webhook

/// Creates working targets from their configuration.
final class TargetFactory: DeliveryTargetFactory {
  /// The name of this device in the messages of its deliveries, at brokers, and in Home Assistant.
  static let device = DeviceIdentity.id ?? TopicTree.level(for: DeviceIdentity.hostName)

  private let loop: Loop
  private let log: Logger
  private let slots: CommandSlots
  let desktop: Desktop
  /// The offers of venues; nil for a notifier that wakes no apps.
  var offers: VenueOffers?
  private let actionSocket: String?
  private let secrets = Secrets()
  private let isTest: Bool
  /// The suffix of a personal notifier, such as `-u1000`; empty for that of the system.
  private let scope: String

  /// - Parameters:
  ///   - isPersonal: whether the notifier belongs to a user, beside that of the system.
  ///   - actionSocket: the socket of the service that runs commands; nil runs them as children.
  ///   - isTest: whether the targets serve a single event, beside the notifier that runs as a service.
  init(
    _ loop: Loop, desktopBus: BusAddress, actionSocket: String?, parallelCommands: Int, isPersonal: Bool, isTest: Bool = false, log: Logger
  ) {
    self.loop = loop
    self.log = log
    self.actionSocket = actionSocket
    self.isTest = isTest
    scope = isPersonal ? "-u\(getuid())" : ""
    slots = CommandSlots(count: parallelCommands)
    desktop = Desktop(loop, address: desktopBus)
  }

  var parallelCommands: Int {
    get { slots.count }
    set { slots.count = newValue }
  }

  func make(
    _ target: Target, keeping current: (any DeliveryTarget)?, announcements: @escaping () -> Announcement
  ) throws(Failure) -> any DeliveryTarget {
    do throws(SecretError) {
      if let current = current as? MQTTTarget, case .mqtt(let settings) = target.means,
        try identity(settings, of: target) == current.identity
      {
        return current
      }
      if let current = current as? HubTarget, case .hub(let settings) = target.means, try identity(settings) == current.identity {
        return current
      }
      return try destination(target, announcements: announcements)
    } catch {
      throw Failure(.config, "target \(target.label): \(error)")
    }
  }

  /// Makes the delivery target; throws for a secret that cannot be read.
  func destination(
    _ target: Target, announcements: @escaping () -> Announcement = { .none }
  ) throws(SecretError) -> any DeliveryTarget {
    switch target.means {
    case .command(let arguments, let timeout):
      return CommandTarget(loop, target.label, timeout: timeout, by: runner(of: target.name, arguments, timeout: timeout), slots, log: log)
    case .notification(let title, let body): return NotificationTarget(on: desktop, title: title, body: body)
    case .application(VenueOffers.appID):
      if let offers { return offers }
      return LogTarget(loop, .empty, log: log)
    case .application(let id): return ApplicationTarget(id, on: desktop) { $0.dbusValue }
    case .log(let template): return LogTarget(loop, template, log: log)
    case .webhook(let settings): return WebhookTarget(loop, to: try endpoint(settings))
    case .mqtt(let settings):
      let identity = try identity(settings, of: target)
      return MQTTTarget(target.label, loop, identity, isTest: isTest, log: log, announcements: announcements)
    case .hub(let settings): return HubTarget(target.label, loop, try identity(settings), version: Program.version, log: log)
    }
  }

  private func identity(_ settings: HubSettings) throws(SecretError) -> HubTarget.Identity {
    let broker = Broker(
      host: settings.host, port: settings.port, encryption: .tls(certificates: settings.certificates),
      identity: Broker.Identity(certificate: settings.certificate, key: try secrets.path(of: settings.key)),
      client: "")
    return HubTarget.Identity(broker, settings.address)
  }

  private func runner(of name: String, _ arguments: [String], timeout: Span) -> any CommandRunner {
    if let actionSocket { return ActionSocketRunner(loop, path: actionSocket, action: name, timeout: timeout) }
    return ChildCommandRunner(loop, arguments, timeout: timeout)
  }

  private func endpoint(_ settings: WebhookSettings) throws(SecretError) -> Endpoint {
    var endpoint = Endpoint(url: try secrets.text(settings.url), certificates: settings.certificates, timeout: settings.timeout)
    for header in settings.headers { endpoint.headers.append((header.name, try secrets.text(header.value))) }
    if let place = settings.secret {
      guard let key = SigningKey(try secrets.secret(at: place)) else {
        throw SecretError("\(place): contains no signing key; write whsec_ and 24 to 64 octets in base64")
      }
      endpoint.key = key
    }
    return endpoint
  }

  private func identity(_ settings: BrokerSettings, of target: Target) throws(SecretError) -> MQTTTarget.Identity {
    let topics = TopicTree(base: settings.topic ?? "beaconmon/\(Self.device)\(scope)")
    let home = settings.discovery.map {
      HomeAssistant(
        prefix: $0, topics: topics, device: Self.device + scope, deviceName: "beaconmon \(DeviceIdentity.hostName)\(scope)",
        version: Program.version)
    }
    // Earlier versions gave the notifier of a user the topics and the entities of the system's.
    let former = DiscoveryPlace(
      prefix: settings.discovery ?? "homeassistant", base: settings.topic ?? "beaconmon/\(Self.device)", device: Self.device)
    return MQTTTarget.Identity(try broker(settings, of: target), topics, home, formerPlace: former)
  }

  private func broker(_ settings: BrokerSettings, of target: Target) throws(SecretError) -> Broker {
    // A broker ends the connection of an earlier client with the same id, so each target of each notifier has its own.
    let client = "beaconmon-\(Self.device)\(scope)-\(TopicTree.level(for: target.name))\(isTest ? "-test" : "")"
    return Broker(
      host: settings.host, port: settings.port, encryption: settings.isEncrypted ? .tls(certificates: settings.certificates) : .none,
      username: settings.username, password: try settings.password.map { (place) throws(SecretError) in try secrets.secret(at: place) },
      client: client)
  }
}
