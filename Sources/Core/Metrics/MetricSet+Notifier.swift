import Instants
import Status

extension MetricSet {
  /// Adds the metrics of the notifier.
  public mutating func add(_ notifier: NotifierFigures) {
    add("beaconmon_notifier_daemon_available", .gauge, "Whether the notifier sees beaconmond on the bus.", notifier.isMonitorThere)
    add("beaconmon_outbox_durable", .gauge, "Whether waiting deliveries survive a restart.", notifier.isOutboxDurable)
    add("beaconmon_outbox_failing", .gauge, "Whether the disk of the outbox fails.", notifier.isOutboxFailing)
    add("beaconmon_outbox_deliveries", .gauge, "Number of waiting deliveries by target.") { family in
      for target in notifier.targets { family.add(Double(target.waiting), ["target": target.name, "kind": target.kind]) }
    }
    add("beaconmon_outbox_oldest_seconds", .gauge, "Time that the oldest delivery has waited by target; 0 if none waits.") { family in
      for target in notifier.targets { family.add(target.oldest?.seconds ?? 0, ["target": target.name, "kind": target.kind]) }
    }
    add("beaconmon_deliveries_total", .counter, "Number of attempts to deliver by target and result.") { family in
      for target in notifier.targets {
        for (result, count) in target.results {
          family.add(Double(count), ["target": target.name, "kind": target.kind, "result": result])
        }
      }
    }
  }
}

extension HealthReport {
  /// The time for which a delivery may wait before the outbox counts as a problem.
  public static let longestWait = Span.seconds(3600)

  /// Judges the figures of a notifier.
  public init(_ notifier: NotifierFigures, refusedReload: String?) {
    self.init()
    if !notifier.isMonitorThere { add(.daemon, .degraded, "beaconmond is not running") }
    if notifier.isOutboxFailing { add(.outbox, .degraded, "the disk of the outbox fails; see the log of the notifier") }
    for target in notifier.targets {
      if let trouble = target.trouble { add(.outbox, .degraded, "\(target.name): \(trouble)") }
      if let oldest = target.oldest, oldest > Self.longestWait {
        add(.outbox, .degraded, "\(target.waiting) deliveries wait for \(target.name), the oldest for \(Int(oldest.seconds) / 3600) h")
      }
    }
    if let refusedReload { add(.configuration, .degraded, "the last reload was refused: \(refusedReload)") }
  }
}
