import BeaconAdvertising
import Beacons
import Consent
import DBus
import Departures
import Glibc
import Geocoding
import MonitorProtocol
import Monitoring
import Orientation
import Positioning
import Records
import Status
import VisitStatistics

// MARK: The interface of the manager

extension MonitorService {
  private var sourceProperties: [DBusProperty] {
    let (monitoring, status) = (monitoring, status)
    return [
      DBusProperty(MonitorStatus.key(\.refusedReload)) { status.refusedReload },
      DBusProperty(MonitorStatus.key(\.configuration)) { status.configuration },
      DBusProperty(SourceStatus.key(\.name), change: .constant) { monitoring.source.name },
      DBusProperty(SourceStatus.key(\.choice), change: .constant) { monitoring.source.choice },
      DBusProperty(SourceStatus.key(\.reason)) { monitoring.source.reason },
      DBusProperty(SourceStatus.key(\.state)) { monitoring.sourceState },
      DBusProperty(SourceStatus.key(\.note)) { monitoring.sourceNote },
      DBusProperty(SourceStatus.key(\.pausedSince)) { monitoring.sourcePausedSince },
      DBusProperty(SourceStatus.key(\.hasEnded)) { monitoring.source.hasEnded ? true : nil },
      DBusProperty(MonitorStatus.key(\.advertisements)) { status.advertisements },
      DBusProperty(MonitorStatus.key(\.missingCapabilities)) { [unowned self] in missingCapabilities },
      DBusProperty(SourceStatus.key(\.statistics), change: .silent) { monitoring.source.counts.statistics },
    ]
  }

  private var locationProperties: [DBusProperty] {
    let (locations, monitoring, orientation) = (positioning, monitoring, orientation)
    return [
      DBusProperty(MonitorStatus.key(\.headingSources), change: .silent) { orientation.status },
      DBusProperty(MonitorStatus.key(\.location), change: .silent) {
        locations.location.map { monitoring.report($0, at: locations.now, locale: nil) }
      },
      DBusProperty(MonitorStatus.key(\.locationSources), change: .silent) { locations.sources },
      DBusProperty(MonitorStatus.key(\.locationSwitches), change: .silent) { locations.switches },
      DBusProperty(MonitorStatus.key(\.venues), change: .silent) { [unowned monitoring] in monitoring.venueReports },
      DBusProperty(MonitorStatus.key(\.beacons), change: .silent) { [unowned monitoring] in monitoring.beaconReports },
      DBusProperty(MonitorStatus.key(\.beaconNote), change: .silent) { [unowned monitoring] in monitoring.beaconNote },
      DBusProperty(MonitorStatus.key(\.appointments), change: .silent) { [unowned departures] in departures.status },
      DBusProperty(MonitorStatus.key(\.geocoding), change: .silent) { [unowned monitoring] in monitoring.geocoding?.status },
    ]
  }

  private var registrations: DBusProperty {
    let monitoring = monitoring
    return DBusProperty(MonitorStatus.key(\.registrations), change: .silent) { monitoring.registrationCounts }
  }

  /// Reads the configuration again, for the user of the daemon and for root.
  private var reload: DBusMethod {
    DBusMethod("Reload") { [unowned self] (call) throws(DBusError) in
      guard let user = callers.person(call.sender)?.number, user == 0 || user == geteuid() else {
        throw .monitor(.notAuthorized, "only the user of the daemon and root may reload its configuration")
      }
      guard let refused = status.reload() else { return [] }
      throw .monitor(.invalidConfiguration, refused.reason ?? "the configuration is invalid")
    }
  }

  var managerInterface: DBusInterface {
    let (monitoring, visits, status) = (monitoring, visits, status)
    let sessions = sessions
    return DBusInterface(
      MonitorNames.manager,
      methods: [
        DBusMethod("CreateSession", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("session", "o")]) {
          (call) throws(DBusError) in
          [.objectPath(try sessions.create(for: call.sender, options: call.arguments[0]))]
        },
        monitoring.journal.eventsSince.forInsiders,
        visits.dailyVisits.forInsiders,
        recordings.method.forInsiders,
        reload.forInsiders,
      ],
      properties: [
        DBusProperty(MonitorStatus.key(\.version), change: .constant) { status.version }
      ] + ([registrations] + sourceProperties + monitoring.journal.properties + locationProperties).map(\.forInsiders),
      signals: [
        DBusSignal(
          "RegionEvent",
          [DBusArgument("sequence", "t"), DBusArgument("event", "s"), DBusArgument("region", "o"), DBusArgument("details", "a{sv}")])
      ])
  }
}
