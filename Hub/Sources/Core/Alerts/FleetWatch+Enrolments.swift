import Events
import Instants

extension FleetWatch {
  /// The time before the end of a certificate at which its alert begins.
  public static let certificateNotice = Span.seconds(30 * 86_400)
  /// The maximum number of devices that a text names.
  private static let mostNamed = 8

  /// Adds for each site whether devices have never sent anything although they were expected.
  ///
  /// A site has one alert, because its devices are often enrolled together.
  func neverHeard(_ seen: FleetObservation, since listening: Instant, _ states: inout [AlertKey: WatchedState]) {
    for (site, devices) in Dictionary(grouping: seen.devices, by: \.site) {
      let presence = record[.site(site)]
      let new = devices.filter { !$0.hasSent }.sorted { $0.name < $1.name }
      let found = new.map { device in
        state(
          device.heard, seen.now, since: max(listening, presence?.since ?? listening),
          isWatchable: presence.map { seen.now - $0.heard < gap } ?? true
        ) { _ in Problem(site: site, device: device.name, since: device.heard, text: "") }
      }
      let absent = found.compactMap { (state) -> Problem? in if case .bad(let problem) = state { problem } else { nil } }
      states[AlertKey(.neverConnected, site)] =
        if absent.isEmpty { found.contains(.unknown) ? .unknown : .good(at: seen.now) } else { .bad(Self.summary(absent, at: site)) }
    }
  }

  private static func summary(_ absent: [Problem], at site: String) -> Problem {
    let since = absent.lazy.map(\.since).min() ?? absent[0].since
    let names = absent.compactMap(\.device)
    guard names.count > 1 else {
      let text = "\(site).\(names.first ?? "") has never sent anything, and was expected at \(since.minute)"
      return Problem(site: site, device: names.first, since: since, text: text)
    }
    let more = names.count > mostNamed ? " and \(names.count - mostNamed) more" : ""
    let listed = names.prefix(mostNamed).joined(separator: ", ") + more
    let text = "\(names.count) devices of \(site) have never sent anything, and were expected: \(listed)"
    return Problem(site: site, since: since, text: text)
  }

  func state(of certificate: FleetObservation.Certificate, _ now: Instant) -> WatchedState {
    guard certificate.ends - now < Self.certificateNotice else { return .good(at: now) }
    let state = certificate.ends > now ? "ends" : "has ended"
    let text =
      "the certificate \(certificate.path) on \(certificate.machine) \(state) at \(certificate.ends.minute); make a new one with "
      + "\"beaconmon-hub admin issue\", and look at those of the broker's nodes"
    return .bad(Problem(since: now, text: text))
  }

  func certificate(of device: FleetObservation.Device, _ now: Instant) -> WatchedState {
    guard let end = device.certificateEnds else { return .unknown }
    guard end - now < Self.certificateNotice else { return .good(at: now) }
    let state = end > now ? "ends" : "has ended"
    let text = "the certificate of \(device.fullName) \(state) at \(end.minute); enrol the device again, and install the new one"
    return .bad(Problem(site: device.site, device: device.name, since: now, text: text))
  }
}
