import BrokerPublishing
import DBus
import DeliveryScheduling
import DeliveryTargets
import EventActions
import EventLoop
import Failures
import FleetMessages
import FleetReporting
import Glibc
import Instants
import LocalTargets
import Logging
import MonitorClient
import MonitorProtocol
import Notification
import ProgramSupport
import ProgramVersion
import Publishing
import Records

/// Creates working targets from their configuration.
final class TargetFactory: DeliveryTargetFactory {
  /// The name of this device in the messages of its deliveries, at brokers, and in Home Assistant.
  static let device = DeviceIdentity.id ?? TopicTree.level(for: DeviceIdentity.hostName)

  private let loop: Loop
  private let log: Logger
  private let maker: TargetMaker
  let desktop: Desktop
  /// The offers of venues; nil for a notifier that wakes no apps.
  var offers: VenueOffers?
  private let actionSocket: String?

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
    // The suffix of a personal notifier, such as `-u1000`.
    let scope = isPersonal ? "-u\(getuid())" : ""
    let owner = TargetMaker.Owner(
      id: Self.device + scope, name: "beaconmon \(DeviceIdentity.hostName)\(scope)", topic: "beaconmon/\(Self.device)\(scope)",
      version: ProgramVersion.current
    ) { settings in
      // Earlier versions gave the notifier of a user the topics and the entities of the system's.
      DiscoveryPlace(
        prefix: settings.discovery ?? "homeassistant", base: settings.topic ?? "beaconmon/\(Self.device)", device: Self.device)
    }
    maker = TargetMaker(loop, for: owner, parallelCommands: parallelCommands, isTest: isTest, log: log)
    desktop = Desktop(loop, address: desktopBus)
  }

  var parallelCommands: Int {
    get { maker.parallelCommands }
    set { maker.parallelCommands = newValue }
  }

  func prepare(_ target: Target, announcements: @escaping () -> Announcement) throws(Failure) -> PreparedTarget {
    do throws(SecretError) { return try prepared(target, announcements: announcements) } catch {
      throw Failure(.config, "target \(target.label): \(error)")
    }
  }

  /// Prepares the delivery target; throws for a secret that cannot be read.
  func prepared(_ target: Target, announcements: @escaping () -> Announcement = { .none }) throws(SecretError) -> PreparedTarget {
    switch target.means {
    case .command(let arguments, let timeout):
      return PreparedTarget { [self] in
        maker.command(target, by: runner(of: target.name, arguments, timeout: timeout), timeout: timeout)
      }
    case .notification(let title, let body):
      return PreparedTarget { [desktop] in NotificationTarget(on: desktop, title: title, body: body) }
    case .application(VenueOffers.appID): return PreparedTarget { [offers, maker] in offers ?? maker.log(.empty) }
    case .application(let id): return PreparedTarget { [desktop] in ApplicationTarget(id, on: desktop) { $0.dbusValue } }
    case .log(let template): return PreparedTarget { [maker] in maker.log(template) }
    case .webhook(let settings): return try maker.webhook(settings)
    case .mqtt(let settings): return try maker.broker(settings, of: target, announcements: announcements)
    case .hub(let settings):
      let identity = try identity(settings)
      return PreparedTarget(connection: identity) { [self] in
        HubTarget(target.label, loop, maker.connector, identity, version: ProgramVersion.current, log: log)
      }
    }
  }

  private func identity(_ settings: HubSettings) throws(SecretError) -> HubTarget.Identity {
    let broker = Broker(
      host: settings.host, port: settings.port, encryption: .tls(certificates: settings.certificates),
      identity: Broker.Identity(certificate: settings.certificate, key: try maker.secrets.path(of: settings.key)),
      client: "")
    return HubTarget.Identity(broker, settings.address)
  }

  private func runner(of name: String, _ arguments: [String], timeout: Span) -> any CommandRunner {
    if let actionSocket { return ActionSocketRunner(loop, path: actionSocket, action: name, timeout: timeout) }
    return ChildCommandRunner(loop, arguments, timeout: timeout)
  }
}
