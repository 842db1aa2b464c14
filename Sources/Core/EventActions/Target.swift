import DeliveryScheduling
import Instants

/// A destination for events, as the configuration describes it.
public struct Target: Hashable, Sendable {
  public enum Means: Hashable, Sendable {
    /// Runs a program: an argument vector of at least one element, never a shell's text. It is terminated after `timeout`.
    case command([String], timeout: Span)
    /// Shows a desktop notification.
    case notification(title: Template, body: Template)
    /// Writes a line to the log.
    case log(Template)
    /// Sends an HTTP request.
    case webhook(WebhookSettings)
    /// Publishes on an MQTT broker.
    case mqtt(BrokerSettings)
    /// Publishes for the hub of a fleet. Only the table `[notifier.hub]` has this case.
    case hub(HubSettings)
    /// Wakes the application with this id at a region that it registered. The configuration cannot contain this case.
    case application(String)
  }

  /// The name of the target and of its queue, under which waiting deliveries are found after a restart.
  public let name: String
  /// The name in the log.
  public let label: String
  public let means: Means
  public let policy: DeliveryPolicy

  public static let defaultTimeout = Span.seconds(30)

  /// Creates a target that the configuration names.
  public init(name: String, _ means: Means, _ policy: DeliveryPolicy? = nil) {
    self.init(name: name, label: name, means, policy)
  }

  /// Creates a target that is part of an action.
  /// Its name is its description, so that it keeps its queue when other parts of the file change.
  ///
  /// - Parameter taken: the names of other targets.
  public init(inline means: Means, _ policy: DeliveryPolicy? = nil, besides taken: Set<String>) {
    let description = means.description
    let names = [description] + (2...max(2, taken.count + 2)).map { "\(description) #\($0)" }
    self.init(name: names.first { !taken.contains($0) } ?? description, label: means.label, means, policy)
  }

  /// Creates the target of the hub of a fleet.
  public init(hub: HubSettings) {
    self.init(name: HubSettings.queue, label: HubSettings.name, .hub(hub), nil)
  }

  /// Creates a target for an app that has registered regions.
  public init(application: String) {
    self.init(name: Self.applications + application, label: application, .application(application), nil)
  }

  /// Returns the id of the application with this target name; `nil` for a target of the configuration.
  public static func application(named name: String) -> String? {
    name.hasPrefix(applications) ? String(name.dropFirst(applications.count)) : nil
  }

  private static let applications = "application "

  private init(name: String, label: String, _ means: Means, _ policy: DeliveryPolicy?) {
    self.name = name
    self.label = label
    self.means = means
    self.policy = policy ?? means.defaultPolicy
  }
}

extension Target.Means {
  /// Whether the target holds the states of regions, and so needs every change.
  public var keepsStates: Bool {
    if case .mqtt = self { true } else { false }
  }

  /// Whether the target receives every event of the config's journal, whichever actions there are.
  public var takesEveryEvent: Bool {
    if case .hub = self { true } else { false }
  }

  /// Whether the target may be on another machine and has secrets that may change.
  public var isRemote: Bool {
    switch self {
    case .webhook, .mqtt, .hub: true
    case .command, .notification, .log, .application: false
    }
  }

  /// The kind of target in metrics.
  public var kind: String {
    switch self {
    case .command: "command"
    case .notification: "notification"
    case .log: "log"
    case .webhook: "webhook"
    case .mqtt: "mqtt"
    case .hub: "hub"
    case .application: "app"
    }
  }

  /// The host and the port to which the target connects; nil for a target on this machine.
  public var endpoint: (host: String, port: Int)? {
    switch self {
    case .mqtt(let broker): (broker.host, broker.port)
    case .hub(let hub): (hub.host, hub.port)
    case .webhook(let webhook): webhook.endpoint
    case .command, .notification, .log, .application: nil
    }
  }

  /// The default policy.
  /// A notification reports the present, so old events are dropped. A hub counts events, so none is given up.
  public var defaultPolicy: DeliveryPolicy {
    switch self {
    case .notification: DeliveryPolicy(maximumAge: .seconds(600))
    case .hub: DeliveryPolicy(giveUp: DeliveryPolicy.noGiveUp, perMinute: HubSettings.eventsPerMinute)
    default: DeliveryPolicy()
    }
  }

  /// A short name without secrets.
  fileprivate var label: String {
    switch self {
    case .command(let arguments, _): arguments.first ?? ""
    case .notification: "notification"
    case .log: "log"
    case .webhook(let webhook): "webhook\(webhook.host.map { " \($0)" } ?? "")"
    case .mqtt(let broker): "mqtt \(broker.host):\(broker.port)"
    case .hub(let hub): "hub \(hub.host):\(hub.port)"
    case .application(let id): id
    }
  }

  /// The label and the properties that distinguish the target from others of its kind.
  fileprivate var description: String {
    switch self {
    case .command(let arguments, _): "command \(arguments.joined(separator: " "))"
    case .notification(let title, let body): "notification \(title): \(body)"
    case .log(let template): "log \(template)"
    case .webhook, .mqtt, .hub, .application: label
    }
  }
}

/// The settings of an MQTT broker that receives events.
public struct BrokerSettings: Hashable, Sendable {
  public let host: String
  public let port: Int
  public let isEncrypted: Bool
  /// The path of a file of certificate authorities that replaces the system's.
  public let certificates: String?
  public let username: String?
  public let password: SecretPlace?
  /// The topic below which everything is published; `nil` for `beaconmon/` and the device's id.
  public let topic: String?
  /// The prefix of Home Assistant's discovery; `nil` for no discovery.
  public let discovery: String?
  /// The readings of beacons; `nil` for none.
  public let beacons: BeaconPublishing?
  /// Whether the location of the device is published.
  public let publishesLocation: Bool

  public init(
    host: String, port: Int? = nil, isEncrypted: Bool = false, certificates: String? = nil, username: String? = nil,
    password: SecretPlace? = nil, topic: String? = nil, discovery: String? = nil, beacons: BeaconPublishing? = nil,
    publishesLocation: Bool = false
  ) {
    self.host = host
    self.port = port ?? (isEncrypted ? 8883 : 1883)
    self.isEncrypted = isEncrypted
    self.certificates = certificates
    self.username = username
    self.password = password
    self.topic = topic
    self.discovery = discovery
    self.beacons = beacons
    self.publishesLocation = publishesLocation
  }
}
