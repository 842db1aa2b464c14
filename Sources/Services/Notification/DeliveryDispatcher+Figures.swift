import EventActions
import FleetReporting
import Instants
import Metrics

extension DeliveryDispatcher {
  /// The figures of each target of the configuration, and of all apps together. Reads the outbox.
  var figures: [NotifierFigures.Target] {
    let waiting = batcher.waitingCounts
    var figures: [NotifierFigures.Target] = []
    for target in settings.targets {
      // Two targets can have the same label, but two samples of a metric cannot.
      let label = target.label
      let number = figures.count { $0.name == label || $0.name.hasPrefix("\(label) #") }
      var figure = NotifierFigures.Target(name: number == 0 ? label : "\(label) #\(number + 1)", kind: target.means.kind)
      figure.results = counts(of: target.name).results
      add(target, waiting, to: &figure)
      if let hub = destinations[target.name] as? any FleetTarget, let trouble = hub.trouble {
        figure.trouble = hub.isConnected ? trouble : "not connected: \(trouble)"
      }
      figures.append(figure)
    }
    guard wakesApplications else { return figures }
    var apps = NotifierFigures.Target(name: "apps", kind: "app")
    apps.results = applicationCounts.results
    for (name, _) in waiting {
      if let id = Target.application(named: name) { add(Target(application: id), waiting, to: &apps) }
    }
    return figures + [apps]
  }

  private func add(_ target: Target, _ waiting: [(target: String, count: Int)], to figure: inout NotifierFigures.Target) {
    guard let count = waiting.first(where: { $0.target == target.name })?.count, count > 0 else { return }
    figure.waiting += count
    if let waited = batcher.longestWait(of: target) { figure.oldest = max(figure.oldest ?? .zero, waited) }
  }
}

extension DeliveryCounts {
  fileprivate var results: [(name: String, count: Int)] {
    [("delivered", delivered), ("failed", failed), ("given_up", givenUp), ("skipped", skipped)]
  }
}
