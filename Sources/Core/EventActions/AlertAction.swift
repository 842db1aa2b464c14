import Events

/// A rule that sends the alerts of a fleet to targets.
public struct AlertAction: Hashable, Sendable {
  /// The kinds of alerts.
  public let alerts: Set<Event.Alert>
  /// The names of the sites; `nil` for every alert, including those of the hub.
  public let sites: Set<String>?
  /// The names of the targets, each once.
  public let targets: [String]

  public init(alerts: Set<Event.Alert> = Set(Event.Alert.allCases), sites: Set<String>? = nil, targets: [String]) {
    (self.alerts, self.sites, self.targets) = (alerts, sites, targets)
  }

  public func concerns(_ alert: Event.Alert, site: String?) -> Bool {
    guard alerts.contains(alert) else { return false }
    guard let sites else { return true }
    return site.map(sites.contains) ?? false
  }
}

extension [AlertAction] {
  /// Returns the names of all targets that receive an alert, each once.
  public func targets(for alert: Event.Alert, site: String?) -> [String] {
    var seen: Set<String> = []
    return filter { $0.concerns(alert, site: site) }.flatMap(\.targets).filter { seen.insert($0).inserted }
  }
}
