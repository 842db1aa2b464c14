import BeaconAdvertising
import Beacons
import Events
import Instants
import RadioHealth
import Records
import Status

/// The output of `beaconmon status` for a person.
public struct StatusText: Sendable {
  let style: TerminalStyle
  let units: Units
  let time: TimeFormat
  private let width: Int?

  /// - Parameter width: columns of the window; nil for lines of any width.
  public init(style: TerminalStyle, units: Units = .ofEnvironment, time: TimeFormat = .utc, width: Int? = nil) {
    self.style = style
    self.units = units
    self.time = time
    self.width = width
  }

  /// - Parameter hub: the notifier's connection to a hub; nil if there is no hub, or it is unknown.
  public func text(_ status: MonitorStatus, hub: HubStatus? = nil) -> String {
    (allFacts(status, hub: hub) + [""] + table(status.regions ?? [])).joined(separator: "\n")
  }

  /// Returns everything but the regions; an element has several lines if its text is longer than a line.
  func allFacts(_ status: MonitorStatus, hub: HubStatus? = nil) -> [String] {
    let beacons = (status.advertisements ?? []).map { fact("advertises", advertisement($0)) }
    let missing = (status.missingCapabilities ?? []).map { fact("missing", $0.text.printable) }
    let consent = status.locationServices.note.map { [fact("consent", $0)] } ?? []
    let adapters = (status.adapters ?? []).flatMap { lines($0) }
    let venues = (status.venues ?? []).flatMap { lines($0) } + appointments(status.appointments ?? [])
    let expected = self.beacons(status.beacons ?? [], note: status.beaconNote)
    return facts(status, hub?.rollout) + missing + adapters + beacons + expected + venues + locations(status)
      + headings(status.headingSources)
      + addresses(status.geocoding) + consent
      + journal(status.journal) + registrations(status.registrations) + lines(hub) + heard(status.source)
  }

  /// Returns the source of sightings and its state: `auto: bluez, scanning`.
  public static func source(_ source: SourceStatus) -> String {
    let choice = source.choice.map { ": \($0)" } ?? ""
    let state =
      switch source.state {
      case .scanning: "scanning"
      case .paused where source.hasEnded == true: "ended"
      // The note below gives the reason.
      case .paused where source.note != nil: "paused"
      case .paused: "about to scan"
      case .idle: "idle: no region or session needs beacons"
      case .gone: "unavailable"
      case .nothing: "not scanning for beacons"
      case nil: "unknown"
      }
    return "\(source.name ?? "no source")\(choice), \(state)"
  }

  /// Returns the obstacle that keeps the daemon from receiving beacons; nil if there is none.
  public static func hearingObstacle(_ status: MonitorStatus) -> HearingObstacle? {
    guard let faults = status.hearingFaults else { return nil }
    let text =
      ["beaconmond cannot receive beacons (source \(source(status.source)))"] + (faults.isEmpty ? ["see \"beaconmon status\""] : faults)
    return HearingObstacle(text: text.joined(separator: ": ").printable, isExplained: !faults.isEmpty)
  }

  private func facts(_ status: MonitorStatus, _ rollout: HubStatus.Rollout?) -> [String] {
    var lines = [fact("beaconmond", status.version ?? style.dash)]
    if let refused = status.refusedReload {
      lines.append(fact("config", "reload refused at \(second(refused.time)); keeping the previous configuration"))
      lines.append(fact("", refused.reason ?? style.dash))
    }
    lines += configuration(status.configuration, rollout)
    lines.append(fact("source", Self.source(status.source)))
    if let reason = status.source.reason { lines.append(fact("why", reason)) }
    if let note = status.source.note { lines.append(fact("", note)) }
    if let since = status.source.pausedSince { lines.append(fact("since", second(since))) }
    return lines
  }

  /// Returns the files of a configuration with drop-ins, its rollout, and the advice about it.
  ///
  /// - Parameter received: the rollout that the device has received last; nil if it is unknown.
  private func configuration(_ configuration: MonitorStatus.Configuration?, _ received: HubStatus.Rollout?) -> [String] {
    guard let configuration, let files = configuration.files?.compactMap(\.path), let main = files.first else { return [] }
    let folder = main.lastIndex(of: "/").map { main[...$0] } ?? ""
    let dropIns = files.dropFirst().map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }
    let lines = dropIns.isEmpty ? [] : [fact("files", ([main] + dropIns).joined(separator: ", "))]
    let notes = [configuration.note, configuration.rolloutNote.map { "a rollout is not in use: \($0)" }].compactMap(\.self)
    return lines + self.rollout(configuration.rollout, received) + notes.map { fact("", $0) }
  }

  /// Returns `revision 7, confirmed`; a revision that is not in use has a line of its own, `revision 8 rolled back: …`.
  private func rollout(_ revision: Int64?, _ received: HubStatus.Rollout?) -> [String] {
    let state = received.map { $0.words(since: second($0.since)) }
    if let revision, revision == received?.revision, let state { return [fact("rollout", "revision \(revision), \(state)")] }
    let texts = [revision.map { "revision \($0)" }, state.map { "revision \(received?.revision ?? 0) \($0)" }].compactMap(\.self)
    return texts.enumerated().map { fact($0.offset == 0 ? "rollout" : "", $0.element) }
  }

  /// Returns a name and its value, on as many lines as needed.
  func fact(_ name: String, _ text: String) -> String {
    let indent = 11
    return style.emphasise(name.padded(indent), .faint)
      + text.printable.wrapped(width, indent: indent, taken: indent).joined(separator: "\n")
  }

  /// Returns `3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11, last event 42, durable`, with faults on lines below.
  private func journal(_ journal: JournalStatus) -> [String] {
    guard let name = journal.name else { return [] }
    let last = journal.lastSequence.map { $0 == 0 ? "no event yet" : "last event \($0)" }
    let keeping = journal.isDurable.map { $0 ? "durable" : "in memory only" }
    let damaged = journal.damagedEvents.flatMap { $0 == 0 ? nil : "\($0) damaged or lost" }
    return [fact("journal", [name, last, keeping, damaged].compactMap(\.self).joined(separator: ", "))]
      + (journal.note.map { [fact("", $0)] } ?? [])
  }

  /// Returns `3 regions of 2 apps, 1 idle`; nothing if no app has registered a region.
  private func registrations(_ counts: RegistrationCounts?) -> [String] {
    guard let counts, let regions = counts.regions, regions > 0 else { return [] }
    let (apps, idle) = (counts.apps ?? 0, counts.idle ?? 0)
    let text = "\(Count.text(regions, "region")) of \(Count.text(apps, "app"))"
    return [fact("registered", text + (idle > 0 ? ", \(idle) idle: not permitted" : ""))]
  }

  /// Returns an adapter's line, with faults on lines below.
  /// `B0:EC:AC:00:00:00 hci0, scanning since 2026-11-21 08:51:02Z, 12.3 reports/s, RSSI +3.0 dB`; for an adapter that does not scan,
  /// `last report 2026-11-21 08:51:02Z` replaces the rate.
  private func lines(_ adapter: AdapterStatus) -> [String] {
    let name = [adapter.address?.description, adapter.name].compactMap(\.self).joined(separator: " ")
    let state = (adapter.state?.rawValue ?? style.dash) + (adapter.since.map { " since \(second($0))" } ?? "")
    let rate =
      adapter.state == .scanning
      ? adapter.reportsPerSecond.flatMap { Decimal.text($0, decimals: 1) }.map { "\($0) reports/s" }
      : adapter.lastReport.map { "last report \(second($0))" }
    let line = fact("adapter", [name, state, rate, adapter.rssiOffset.flatMap(offset)].compactMap(\.self).joined(separator: ", "))
    return [line] + (adapter.note.map { [fact("", $0)] } ?? [])
  }

  /// Returns the venue's receivers, each on a line, with warnings below; nothing for a venue without either.
  /// `gallery, 00:1A:7D:DA:71:13 has learned -4.2 dB and 12 beacons in 321 s of walking, since 2026-11-21 08:51:02Z`
  private func lines(_ venue: VenueStatus) -> [String] {
    let name = venue.venue ?? style.dash
    let receivers = (venue.receivers ?? []).flatMap { receiver in
      let level = receiver.offset.flatMap { offset in Decimal.text(offset, decimals: 1).map { "\(offset > 0 ? "+" : "")\($0) dB" } }
      let beacons = receiver.beacons ?? 0
      let learned = [level, Count.text(beacons, "beacon")].compactMap(\.self).joined(separator: " and ")
      let walk = receiver.seconds.map { " in \($0) s of walking" } ?? ""
      let line = fact(
        "venue",
        "\(name), \(receiver.adapter ?? style.dash) has learned \(learned)\(walk)" + (receiver.since.map { ", since \(second($0))" } ?? ""))
      return [line] + ([receiver.note, suggestion(receiver)].compactMap(\.self).map { fact("", $0) })
    }
    guard let note = venue.note else { return receivers }
    return (receivers.isEmpty ? [fact("venue", name)] : receivers) + [fact("", note)]
  }

  /// Returns the number of learned offsets to accept or refuse, or of refused ones; nil if there are none.
  private func suggestion(_ receiver: VenueStatus.Receiver) -> String? {
    let count = receiver.suggestionCount
    if count > 0 { return "\(Count.text(count, "offset")) to accept or refuse; see \"beaconmon venue learned\"" }
    return receiver.refused.map { Count.text($0, "learned offset is", plural: "learned offsets are") + " refused" }
  }

  /// Returns `RSSI +3.0 dB`; nil for an offset that is rounded to zero.
  private func offset(_ decibels: Double) -> String? {
    guard Decimal.rounded(decibels, decimals: 1) != 0, let text = Decimal.text(decibels, decimals: 1) else { return nil }
    return "RSSI \(decibels < 0 ? "" : "+")\(text) dB"
  }

  /// Returns the line of an own beacon: `8ec7…4d/1/5, -59 dBm at 1 m, advertising, B0:EC:AC:00:00:00, since 08:51:02`.
  private func advertisement(_ beacon: AdvertisedBeacon) -> String {
    let identity = [beacon.uuid?.description, beacon.major.map { String($0) }, beacon.minor.map { String($0) }]
      .compactMap(\.self).joined(separator: "/")
    let power = beacon.measuredPower.map { "\($0) dBm at 1 m" }
    let since = beacon.since.map { "since \(second($0))" }
    return [identity, power, beacon.state?.rawValue, beacon.adapter?.description, since, beacon.note].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// Returns `1949 advertisements, 1949 iBeacons, 3 malformed, 12 packets lost`.
  /// AltBeacons follow the iBeacons if there are any.
  /// Events that were broken as a whole are among the malformed.
  private func heard(_ source: SourceStatus) -> [String] {
    guard source.state != .nothing, let statistics = source.statistics else { return [] }
    let counts = [
      "\(statistics.advertisements ?? 0) advertisements", "\(statistics.iBeacons ?? 0) iBeacons",
      statistics.altBeacons.map { "\($0) AltBeacons" }, "\(statistics.malformed?.total ?? 0) malformed",
      statistics.lostPackets.map { "\($0) packets lost" },
    ]
    return [fact("heard", counts.compactMap(\.self).joined(separator: ", "))]
  }

  /// Returns the state of each region, with advice on lines below; `beaconmon monitor` begins with it too.
  public func table(_ regions: [RegionStatus]) -> [String] {
    guard !regions.isEmpty else { return "no regions; add some to the config".wrapped(width) }
    let mark = Self.markTitle(regions)
    var table = TextTable(
      style: style,
      [
        .init(title: "region", leastWidth: 12), .init(title: "state") { $0 == RegionState.inside.rawValue ? .green : nil },
        .init(title: "since", dropOrder: 2),
        .init(title: mark, dropOrder: 1), .init(title: "last seen", dropOrder: 0),
      ])
    for region in regions {
      let report = region.report
      table.rows.append([
        (region.identifier ?? style.dash).printable, report.state?.rawValue ?? style.dash, second(report.since), self.mark(report),
        second(report.lastSeen ?? report.fixTime),
      ])
      table.notes.append(notes(region))
    }
    return table.lines(width)
  }

  /// Returns the title of the column with the last beacon or the distance to a boundary.
  static func markTitle(_ regions: [RegionStatus]) -> String {
    let circles = regions.count { $0.radius != nil }
    return circles == 0 ? "beacon" : circles == regions.count ? "boundary" : "beacon or boundary"
  }

  /// Returns the sentences about a region.
  func notes(_ region: RegionStatus) -> [String] {
    [region.report.note, flapping(region), learning(region)].compactMap { $0?.printable }
  }

  /// Returns major and minor of the last beacon, or the distance to the boundary and the device's side of it.
  func mark(_ report: RegionReport) -> String {
    if let metres = report.boundaryDistance { return units.boundary(metres, accuracy: report.location?.horizontalAccuracy) }
    return report.beacon.map { "\($0.major)/\($0.minor)" } ?? style.dash
  }

  /// Returns the note on flaps; nil for a region without flaps, or with so few that no change is needed.
  private func flapping(_ region: RegionStatus) -> String? {
    guard let flaps = region.flaps, let advice = region.advice else { return nil }
    return "needlessly left and entered again \(flaps) times since yesterday; use \(advice)"
  }

  private func learning(_ region: RegionStatus) -> String? {
    region.learnedExitDelay.map { "has learned an exit delay of \($0.text)" }
  }

  func second(_ instant: Instant?) -> String { instant.map(time.second) ?? style.dash }
}
