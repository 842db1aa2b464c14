import BeaconAdvertising
import Beacons
import ConsentService
import DBus
import Events
import Instants
import Locations
import Metrics
import Monitoring
import Orientation
import Positioning
import RadioHealth
import Regions
import Status

// MARK: The present state, for metrics and for the health

extension MonitorService {
  /// The values that the health depends on: all but the regions, venues and registrations.
  public var healthStatus: MonitorStatus {
    var report = MonitorStatus()
    (report.version, report.refusedReload, report.advertisements) = (status.version, status.refusedReload, status.advertisements)
    (report.configuration, report.missingCapabilities) = (status.configuration, missingCapabilities)
    let source = monitoring.source
    report.source = SourceStatus(
      name: source.name, choice: source.choice, state: monitoring.sourceState, note: monitoring.sourceNote,
      hasEnded: source.hasEnded ? true : nil)
    (report.source.reason, report.source.statistics) = (source.reason, source.counts.statistics)
    report.source.pausedSince = monitoring.sourcePausedSince
    let journal = monitoring.journal
    (report.journal.name, report.journal.lastSequence, report.journal.isDurable) = (journal.name, journal.lastSequence, journal.isDurable)
    (report.journal.note, report.journal.damagedEvents) = (journal.note, journal.damagedEventCount)
    (report.locationServices.isEnabled, report.locationServices.note) = (authority.isEnabled, authority.note)
    report.locationSources = positioning.sources
    report.headingSources = orientation.status
    report.adapters = source.adapters.map { health in
      var adapter = AdapterStatus()
      (adapter.address, adapter.name, adapter.state, adapter.note) = (health.address, health.name, health.state, health.note)
      adapter.since = monitoring.wallClock(health.since)
      (adapter.reportsPerSecond, adapter.lastReport) = (health.reportsPerSecond, health.lastReport.map(monitoring.wallClock))
      adapter.rssiOffset = monitoring.rssiOffset(of: health.number)
      return adapter
    }
    return report
  }

  /// The capabilities that the config requires and the device lacks at present; nil if there are none.
  var missingCapabilities: [MissingCapability]? {
    let missing = monitoring.missing(of: status.required)
    return missing.isEmpty ? nil : missing
  }

  /// The values that metrics show. Regions have their states only.
  public var metricsStatus: MonitorStatus {
    var report = healthStatus
    report.registrations = monitoring.registrationCounts
    report.location = positioning.location.map { $0.report(at: positioning.now) }
    let now = monitoring.now
    report.regions = monitoring.watches.map { watch in
      var region = RegionStatus()
      (region.identifier, region.kind, region.report.state) = (watch.region.identifier, watch.region.kind, watch.state)
      region.report.since = monitoring.isClockKnown ? monitoring.wallClock(watch.since) : nil
      region.flaps = UInt64(watch.flapping(at: now).count)
      return region
    }
    return report
  }

  /// The figures that the status does not have.
  public var figures: MonitorFigures {
    var figures = MonitorFigures()
    (figures.beacons, figures.events, figures.unsentEvents) = (monitoring.beaconCount, monitoring.eventCounts, monitoring.unsentEventCount)
    (figures.sessions, figures.clients) = (sessions.objects.count, sessions.clients.count)
    let journal = monitoring.journal
    (figures.journalSize, figures.journalFailures) = (journal.fileSize, journal.failureCount)
    figures.oldestEvent = journal.oldestEventTime
    figures.busQueue = connection.outgoingSize
    figures.isClockSynchronised = monitoring.source.isClockSynchronised
    return figures
  }
}
