import Instants
import RadioHealth
import Ranging

extension BlueZAdapter {
  func health(at now: Instant) -> AdapterHealth {
    AdapterHealth(
      address: address, number: number, name: link?.name, state: state, since: now, reportsPerSecond: rate.perSecond(at: now),
      lastReport: lastReport, notes: notes(at: now)
    ).following(reported)
  }

  private var state: AdapterHealth.State {
    let state = plan.state
    return watch.isSilent && (state == .scanning || state == .paused) ? .silent : state
  }

  /// The time for which bluetoothd may refuse to scan after it was killed. The kernel ends its last scan after 10 s.
  private static let usualRefusal = Span.seconds(30)

  private func notes(at now: Instant) -> [String] {
    var notes: [String] = []
    if plan.isWanted, let trouble = plan.trouble {
      let isLost = plan.busySince.map { now - $0 > Self.usualRefusal } ?? false
      let remedy = isLost ? "; end the scan that bluetoothd has lost with \"systemctl restart bluetooth\"" : ""
      notes.append("BlueZ refuses to scan: \(trouble)\(remedy)")
    }
    if plan.isWanted, let lack = monitorLack { notes.append("some controllers report a beacon only once in 10 s: \(lack)") }
    return notes
  }

  private var monitorLack: String? {
    guard let facts = plan.facts, facts.isPowered else { return nil }
    if case .refused(let error) = plan.monitor { return "BlueZ rejected the advertisement monitor: \(error)" }
    return facts.hasMonitors ? nil : "BlueZ has no advertisement monitor; start bluetoothd with --experimental"
  }

  func reportHealth(at now: Instant) {
    let health = health(at: now)
    guard health.isWorthReporting(after: reported) else { return }
    reported = health
    onHealthChange()
  }
}
