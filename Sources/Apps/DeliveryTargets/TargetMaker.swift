import BrokerPublishing
import DeliveryScheduling
import EventActions
import EventLoop
import Instants
import LocalTargets
import Logging
import MQTT
import Notification
import Publishing
import Webhook

/// Makes the targets that need no session of a user: commands, log lines, webhooks and brokers.
///
/// The notifier and the hub of a fleet share it, so that a target has the same keys, secrets and retries in both.
public final class TargetMaker {
  /// The program that delivers, as brokers know it.
  public struct Owner {
    /// The id that distinguishes it from others at a broker, without a slash.
    public var id: String
    /// The name in Home Assistant.
    public var name: String
    /// The topic above its messages, for a broker without `topic`.
    public var topic: String
    public var version: String
    /// The place of the entities that an earlier version announced without recording the place.
    public var formerPlace: (BrokerSettings) -> DiscoveryPlace

    public init(id: String, name: String, topic: String, version: String, formerPlace: @escaping (BrokerSettings) -> DiscoveryPlace) {
      (self.id, self.name, self.topic, self.version, self.formerPlace) = (id, name, topic, version, formerPlace)
    }
  }

  public let secrets = Secrets()
  public let connector: any BrokerConnector
  private let loop: Loop
  private let owner: Owner
  private let isTest: Bool
  private let slots: CommandSlots
  private let log: Logger

  /// - Parameter isTest: whether the targets serve a single event, beside the program that runs as a service.
  public init(_ loop: Loop, for owner: Owner, parallelCommands: Int, isTest: Bool = false, log: Logger) {
    (self.loop, self.owner, self.isTest, self.log) = (loop, owner, isTest, log)
    slots = CommandSlots(count: parallelCommands)
    connector = MosquittoConnector(loop)
  }

  public var parallelCommands: Int {
    get { slots.count }
    set { slots.count = newValue }
  }

  public func command(_ target: Target, by runner: any CommandRunner, timeout: Span) -> any DeliveryTarget {
    CommandTarget(loop, target.label, timeout: timeout, by: runner, slots, log: log)
  }

  public func log(_ template: Template) -> any DeliveryTarget { LogTarget(loop, template, log: log) }

  public func webhook(_ settings: WebhookSettings) throws(SecretError) -> PreparedTarget {
    var endpoint = Endpoint(url: try secrets.text(settings.url), certificates: settings.certificates, timeout: settings.timeout)
    for header in settings.headers { endpoint.headers.append((header.name, try secrets.text(header.value))) }
    if let place = settings.secret {
      guard let key = SigningKey(try secrets.secret(at: place)) else {
        throw SecretError("\(place): contains no signing key; write whsec_ and 24 to 64 octets in base64")
      }
      endpoint.key = key
    }
    return PreparedTarget { [loop, endpoint] in WebhookTarget(loop, to: endpoint) }
  }

  /// - Parameters:
  ///   - isCurrent: whether the program is online from the beginning
  ///   - announcements: returns the messages that the broker receives with every connection
  public func broker(
    _ settings: BrokerSettings, of target: Target, isCurrent: Bool = false, announcements: @escaping () -> Announcement
  ) throws(SecretError) -> PreparedTarget {
    let identity = try identity(settings, of: target)
    return PreparedTarget(connection: identity) { [self] in
      let broker = MQTTTarget(target.label, loop, connector, identity, isTest: isTest, log: log, announcements: announcements)
      broker.isCurrent = isCurrent
      return broker
    }
  }

  /// Returns the identity of the working target of a broker, which includes its secrets.
  private func identity(_ settings: BrokerSettings, of target: Target) throws(SecretError) -> MQTTTarget.Identity {
    let topics = TopicTree(base: settings.topic ?? owner.topic)
    let home = settings.discovery.map {
      HomeAssistant(prefix: $0, topics: topics, device: owner.id, deviceName: owner.name, version: owner.version)
    }
    // A broker ends the connection of an earlier client with the same id, so each target of each program has its own.
    let client = "beaconmon-\(owner.id)-\(TopicTree.level(for: target.name))\(isTest ? "-test" : "")"
    let broker = Broker(
      host: settings.host, port: settings.port, encryption: settings.isEncrypted ? .tls(certificates: settings.certificates) : .none,
      username: settings.username, password: try settings.password.map { (place) throws(SecretError) in try secrets.secret(at: place) },
      client: client)
    return MQTTTarget.Identity(broker, topics, home, formerPlace: owner.formerPlace(settings))
  }
}
