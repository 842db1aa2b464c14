import BeaconAdvertising
import Beacons
import Events
import Instants
import Locations
import RadioHealth
import Records
import Status

extension MetricSet {
  /// The maximum number of regions with samples of their own. A config may have thousands.
  public static let mostRegions = 1000

  /// Adds the metrics of the daemon.
  public mutating func add(_ status: MonitorStatus, _ figures: MonitorFigures) {
    add(status.source)
    add(status.adapters ?? [])
    add("beaconmon_beacons", .gauge, "Number of beacons that the engine knows at present.", Double(figures.beacons))
    add(status.regions ?? [])
    add("beaconmon_events_total", .counter, "Number of events since the start by kind, of all regions.") { family in
      for kind in Event.Kind.allCases where kind != .damaged && !kind.isOfFleet {
        family.add(Double(figures.events[kind] ?? 0), ["kind": kind.rawValue])
      }
    }
    add(
      "beaconmon_unsent_events_total", .counter, "Number of events that are in the journal only, because the bus did not take them.",
      Double(figures.unsentEvents))
    add(status.journal, figures)
    add(status.location)
    add(status.locationSources ?? [])
    add("beaconmon_sessions", .gauge, "Number of sessions of clients.", Double(figures.sessions))
    add("beaconmon_clients", .gauge, "Number of connections that have sessions.", Double(figures.clients))
    add("beaconmon_bus_queue_bytes", .gauge, "Bytes that wait for the bus.", Double(figures.busQueue))
    add("beaconmon_location_services_enabled", .gauge, "Whether sessions receive locations and events.", status.locationServices.isEnabled)
    add("beaconmon_registered_regions", .gauge, "Number of regions that apps have registered.", status.registrations?.regions)
    add("beaconmon_registered_apps", .gauge, "Number of apps that have registered regions.", status.registrations?.apps)
    add("beaconmon_clock_synchronised", .gauge, "Whether the wall clock is synchronised.", figures.isClockSynchronised)
  }

  /// Adds a summary of the health and the number of problems by kind.
  public mutating func add(_ health: HealthReport) {
    add("beaconmon_health", .gauge, "1 for the state of the program, which is ok, degraded or failed, and 0 for the others.") { family in
      for state in HealthReport.State.allCases { family.add(state == health.state ? 1 : 0, ["state": state.rawValue]) }
    }
    add("beaconmon_problems", .gauge, "Number of problems by kind; \"beaconmon status --health\" has their texts.") { family in
      for (kind, count) in health.problemCounts { family.add(Double(count), ["kind": kind.rawValue]) }
    }
  }
}

// MARK: Beacons

extension MetricSet {
  static let sourceCounters = CounterNames(
    prefix: "beaconmon_source", subject: "the source of beacons",
    names: [
      "advertisements": .init(name: "advertisements", help: "Number of advertisements that were received, of all devices."),
      "iBeacons": .init(name: "ibeacons", help: "Number of advertisements of iBeacons."),
      "altBeacons": .init(name: "altbeacons", help: "Number of advertisements of AltBeacons."),
      "kinds": .init(name: "advertisements_by_kind", help: "Number of advertisements by kind."),
      "malformed": .init(
        name: "malformed", help: "Number of advertisements and packets that cannot be decoded, by reason.", label: "reason"),
      "joinedFragments": .init(name: "joined_fragments", help: "Number of fragments of advertisements that were joined."),
      "droppedFragments": .init(name: "dropped_fragments", help: "Number of fragments of advertisements without the rest."),
      "heldTimes": .init(name: "held_times", help: "Number of packets whose time was corrected because it was before an earlier one."),
      "lostPackets": .init(name: "lost_packets", help: "Number of packets that the kernel dropped."),
    ])

  private mutating func add(_ source: SourceStatus) {
    add("beaconmon_source_state", .gauge, "1 for the state of the source of beacons, and 0 for the others.") { family in
      guard let now = source.state else { return }
      for state in SourceState.allCases { family.add(state == now ? 1 : 0, ["state": state.rawValue]) }
    }
    guard let statistics = source.statistics else { return }
    // Counts that are zero have no key on the bus, but a counter that appears late has no rate.
    var record = Record()
    for field in AdvertisementStatistics.fields {
      record.append(field.key, statistics.record[field.key] ?? (field.signature == UInt64.recordSignature ? .count(0) : nil))
    }
    addCounters(of: [(record, [:])], keys: AdvertisementStatistics.fields.map(\.key), Self.sourceCounters)
  }

  private mutating func add(_ adapters: [AdapterStatus]) {
    func family(
      _ name: String, _ help: String, _ value: (AdapterStatus) -> Double?
    ) {
      add(name, .gauge, help) { family in
        for adapter in adapters { family.add(value(adapter), ["adapter": adapter.address?.description ?? ""]) }
      }
    }
    family("beaconmon_adapter_scanning", "Whether the adapter scans and receives.") { $0.state.map { $0 == .scanning ? 1 : 0 } }
    family("beaconmon_adapter_reports_per_second", "Reports of all devices a second that the adapter receives.") { $0.reportsPerSecond }
    family("beaconmon_adapter_last_report_timestamp_seconds", "Time of the latest report since the Unix epoch.") {
      $0.lastReport?.unixSeconds
    }
    add("beaconmon_adapter_state", .gauge, "1 with the present state of the adapter.") { family in
      for adapter in adapters {
        family.add(adapter.state.map { _ in 1 }, ["adapter": adapter.address?.description ?? "", "state": adapter.state?.rawValue ?? ""])
      }
    }
  }
}

// MARK: Regions

extension MetricSet {
  private mutating func add(_ regions: [RegionStatus]) {
    add("beaconmon_regions", .gauge, "Number of regions of the config by state.") { family in
      for state in RegionState.allCases { family.add(Double(regions.count { $0.report.state == state }), ["state": state.rawValue]) }
    }
    let listed = regions.prefix(Self.mostRegions)
    add(
      "beaconmon_regions_unlisted", .gauge, "Number of regions after the first \(Self.mostRegions), which have no samples of their own.",
      Double(regions.count - listed.count))
    func family(_ name: String, _ help: String, _ value: (RegionStatus) -> Double?) {
      add(name, .gauge, help) { family in for region in listed { family.add(value(region), ["region": region.identifier ?? ""]) } }
    }
    family("beaconmon_region_inside", "Whether the device is inside; absent while it is unknown.") { region in
      switch region.report.state {
      case .inside: 1
      case .outside: 0
      case .unknown, nil: nil
      }
    }
    family("beaconmon_region_change_timestamp_seconds", "Time of the latest change of state since the Unix epoch.") {
      $0.report.since?.unixSeconds
    }
    family("beaconmon_region_flaps", "Number of needless exits and enters since yesterday.") { $0.flaps.map { Double($0) } }
  }
}

// MARK: The journal and the location

extension MetricSet {
  private mutating func add(_ journal: JournalStatus, _ figures: MonitorFigures) {
    add("beaconmon_journal_durable", .gauge, "Whether events survive the end of the daemon.", journal.isDurable)
    add("beaconmon_journal_last_sequence", .gauge, "Sequence of the latest event in the journal; 0 before the first.", journal.lastSequence)
    add("beaconmon_journal_damaged_events", .gauge, "Number of events that are known to be damaged or lost.", journal.damagedEvents)
    add(
      "beaconmon_journal_failures_total", .counter, "Number of times the file of the journal began to fail.",
      Double(figures.journalFailures))
    add("beaconmon_journal_size_bytes", .gauge, "Size of the journal's files.", figures.journalSize)
    add(
      "beaconmon_journal_oldest_event_timestamp_seconds", .gauge, "Time of the oldest event in the journal since the Unix epoch.",
      figures.oldestEvent)
  }

  private mutating func add(_ location: LocationReport?) {
    add("beaconmon_location_fix_age_seconds", .gauge, "Age of the location of this device; absent without a location.", location?.age)
    add("beaconmon_location_accuracy_meters", .gauge, "Horizontal accuracy of the location, one sigma.", location?.horizontalAccuracy)
  }

  static let locationCounters = CounterNames(
    prefix: "beaconmon_location", subject: "a location source",
    names: [
      "fixes": .init(name: "fixes", help: "Number of fixes by source."),
      "refused": .init(name: "refused_readings", help: "Number of readings without effect by source and reason.", label: "reason"),
    ])
  static let lineCounters = CounterNames(
    prefix: "beaconmon_location_lines", subject: "the lines of a location source",
    names: [
      "used": .init(name: "used", help: "Number of lines with a value of interest by source."),
      "unused": .init(name: "unused", help: "Number of valid lines without a value of interest by source."),
      "malformed": .init(name: "malformed", help: "Number of lines that cannot be decoded by source and reason.", label: "reason"),
      "untimed": .init(name: "untimed", help: "Number of fixes of a recorded walk without a time by source."),
      "limited": .init(name: "limited", help: "Number of pauses because a source sends more than a receiver does."),
    ])

  private mutating func add(_ sources: [LocationSourceStatus]) {
    add("beaconmon_location_source_on", .gauge, "Whether the daemon has switched the source on.") { family in
      for source in sources { family.add(source.isOn.map { $0 ? 1 : 0 }, ["source": source.source ?? ""]) }
    }
    add("beaconmon_location_source_state", .gauge, "1 with the present state of the source.") { family in
      for source in sources {
        family.add(source.state.map { _ in 1 }, ["source": source.source ?? "", "state": source.state?.rawValue ?? ""])
      }
    }
    let counters = LocationSourceStatus.fields.map(\.key).filter { $0 != "lines" && $0 != "heading" }
    addCounters(of: sources.map { ($0.record, ["source": $0.source ?? ""]) }, keys: counters, Self.locationCounters)
    addCounters(
      of: sources.compactMap { source in source.lines.map { ($0.record, ["source": source.source ?? ""]) } },
      keys: LineStatistics.fields.map(\.key), Self.lineCounters)
  }
}
