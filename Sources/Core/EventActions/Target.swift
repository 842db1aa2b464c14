import Deliveries
import Instants

/// Somewhere that events go, as the configuration describes it.
public struct Target: Hashable, Sendable {
  public enum Means: Hashable, Sendable {
    /// Runs a program: an argument vector of at least one element, never a shell's text. It is ended after `timeout`.
    case command([String], timeout: Span)
    /// Shows a desktop notification.
    case notification(title: Template, body: Template)
    /// Writes a line to the log.
    case log(Template)
    /// Sends an HTTP request.
    case webhook(WebhookSettings)
    /// Publishes on an MQTT broker.
    case mqtt(BrokerSettings)
    /// Wakes the application of this id, at a region that it has registered. No configuration has it.
    case application(String)
  }

  /// Names its queue: what waits is found under it again.
  public let name: String
  /// What a person calls it, in the log.
  public let label: String
  public let means: Means
  public let policy: DeliveryPolicy

  public static let defaultTimeout = Span.seconds(30)

  /// One that the configuration names.
  public init(name: String, _ means: Means, _ policy: DeliveryPolicy? = nil) {
    self.init(name: name, label: name, means, policy)
  }

  /// One that an action brings itself, named after what it is, so that it keeps its queue when the file around it changes.
  ///
  /// - Parameter taken: the names that others have.
  public init(inline means: Means, _ policy: DeliveryPolicy? = nil, besides taken: Set<String>) {
    let description = means.description
    let names = [description] + (2...max(2, taken.count + 2)).map { "\(description) #\($0)" }
    self.init(name: names.first { !taken.contains($0) } ?? description, label: means.label, means, policy)
  }

  /// One of an app that has registered regions.
  public init(application: String) {
    self.init(name: Self.applications + application, label: application, .application(application), nil)
  }

  /// The id of the application that a name belongs to; nil for a target of the configuration.
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
  /// Whether it holds the states of regions, and so wants to know of every change.
  public var keepsStates: Bool {
    if case .mqtt = self { true } else { false }
  }

  /// Whether it is on another machine, perhaps, and has secrets that may change under it.
  public var isRemote: Bool {
    switch self {
    case .webhook, .mqtt: true
    case .command, .notification, .log, .application: false
    }
  }

  /// A notification says what happens now.
  public var defaultPolicy: DeliveryPolicy {
    if case .notification = self { DeliveryPolicy(maximumAge: .seconds(600)) } else { DeliveryPolicy() }
  }

  /// Short, and without anything secret.
  fileprivate var label: String {
    switch self {
    case .command(let arguments, _): arguments.first ?? ""
    case .notification: "notification"
    case .log: "log"
    case .webhook(let webhook): "webhook\(webhook.host.map { " \($0)" } ?? "")"
    case .mqtt(let broker): "mqtt \(broker.host):\(broker.port)"
    case .application(let id): id
    }
  }

  /// The label, and what tells it from another of its kind.
  fileprivate var description: String {
    switch self {
    case .command(let arguments, _): "command \(arguments.joined(separator: " "))"
    case .notification(let title, let body): "notification \(title): \(body)"
    case .log(let template): "log \(template)"
    case .webhook, .mqtt, .application: label
    }
  }
}
