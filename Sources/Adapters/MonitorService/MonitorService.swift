import BeaconAdvertising
import Beacons
import ClientSessions
import Consent
import ConsentService
import DBus
import Departures
import Events
import Geocoding
import Instants
import Locations
import Logging
import MonitorProtocol
import Monitoring
import Orientation
import Positioning
import Proximity
import RadioHealth
import Ranging
import Records
import Regions
import Status
import VenueEditing
import VisitStatistics

/// `org.beaconmon.Monitor1` on the bus: the manager, the sessions, and one object per configured region and adapter.
public final class MonitorService: MonitoringBus {
  let connection: DBusConnection
  private let tree: ObjectTree
  unowned let monitoring: MonitoringService
  unowned let positioning: PositioningService
  unowned let orientation: HeadingService
  unowned let departures: DepartureService
  unowned let visits: VisitStatistics
  unowned let status: any DaemonStatus
  unowned let authority: ConsentService
  let sessions: Sessions
  let recordings: Recordings
  let callers: Callers
  private let privacy: Privacy
  private let venues: VenueInterface
  private(set) var manager: ExportedObject?
  private var regions: [String: RegionObject] = [:]
  private var adapters: [BluetoothAddress: AdapterObject] = [:]
  var source: SourceFacts
  /// The required capabilities that were last reported as missing.
  var reportedMissing: [MissingCapability] = []

  /// Exports all objects, which become visible when the connection is up.
  ///
  /// - Parameter recorder: starts the recordings that clients request.
  public init(
    _ connection: DBusConnection, monitoring: MonitoringService, positioning: PositioningService, orientation: HeadingService,
    departures: DepartureService, sessions service: SessionService, authority: ConsentService,
    visits: VisitStatistics, venueEditor: VenueEditor, status: any DaemonStatus, recorder: any RecordingStarter, log: Logger
  ) throws(DBusError) {
    self.connection = connection
    self.monitoring = monitoring
    self.positioning = positioning
    self.orientation = orientation
    self.departures = departures
    self.visits = visits
    self.status = status
    self.authority = authority
    tree = ObjectTree(connection: connection, managerPath: MonitorNames.root)
    callers = Callers(connection, authority)
    privacy = Privacy(authority, callers, monitoring)
    venues = VenueInterface(monitoring, authority, callers, venueEditor)
    sessions = Sessions(
      connection, tree, service, monitoring: monitoring, callers: callers, log: log)
    source = SourceFacts(monitoring)
    recordings = Recordings(connection, monitoring, recorder)
    tree.announcesPrivateObjects = false
    tree.identify = { [callers] in callers.find($0, completion: $1) }
    tree.isInsider = { [callers] in callers.isInsider($0) }
    manager = try tree.export(MonitorNames.root, [managerInterface, privacy.interface, venues.interface])
    try updateRegions()
    try updateAdapters()
    connection.onDrained = { [unowned self] in
      sessions.drained()
      if !isCongested { onDrained() }
    }
  }

  /// True while the bus accepts less than the daemon sends, so that messages without urgency should wait.
  public var isCongested: Bool { connection.outgoingSize > DBusConnection.congestionThreshold }

  /// Runs when the congestion has ended.
  public var onDrained: () -> Void = {}

  /// Reports to all clients that the venues in use have changed.
  public func venuesChanged() {
    // A client that connects later reads the present venues.
    do throws(DBusError) { try manager?.emit(MonitorNames.venue, "VenuesChanged") } catch {}
  }

  /// Brings the region objects in line with the configured regions.
  public func updateRegions() throws(DBusError) {
    let watches = monitoring.watches
    let identifiers = Set(watches.map(\.region.identifier))
    let changed = identifiers.symmetricDifference(regions.keys)
    defer { sessions.configuredRegionsChanged(changed) }
    for identifier in regions.keys where !identifiers.contains(identifier) { regions[identifier] = nil }
    for watch in watches {
      let identifier = watch.region.identifier
      if let object = regions[identifier] {
        object.redefine(as: watch.region)
      } else {
        regions[identifier] = try RegionObject(tree, watch.region, monitoring: monitoring)
      }
    }
  }

  /// Brings the adapter objects in line with the adapters of the source, and announces changed properties.
  public func updateAdapters() throws(DBusError) {
    let present = monitoring.source.adapters
    let addresses = Set(present.map(\.address))
    for address in adapters.keys where !addresses.contains(address) { adapters[address] = nil }
    for adapter in present {
      if let object = adapters[adapter.address] {
        object.update(adapter)
      } else {
        adapters[adapter.address] = try AdapterObject(tree, adapter, monitoring: monitoring)
      }
    }
  }

  /// Sends an event to the clients that may receive it. Throws while the bus is disconnected.
  ///
  /// An event of a configured region goes to all insiders and to the sessions that monitor the region. An event of another region
  /// goes only to its owner, and one of a registered region to the sessions of its user that follow.
  ///
  /// - Parameter details: the event as recorded in the journal, if it is recorded.
  public func publish(_ event: RegionEvent, details: Event) throws(DBusError) {
    let transition = event.transition
    guard transition.region.owner.user == nil else { return try sessions.sendRegistered(event, details: details) }
    guard transition.region.owner == .config else { return try sessions.send(event, details: details) }
    regions[transition.region.identifier]?.stateChanged()
    try manager?.emit(
      MonitorNames.manager, "RegionEvent",
      [
        .uint64(event.sequence), .string(transition.kind.rawValue),
        .objectPath(MonitorNames.path(ofRegion: transition.region.identifier)), details.dbusValue,
      ])
    try sessions.sendConfigured(event, details: details)
  }

  /// Sends an event that is at no region to all insiders, with the path `/` in place of a region.
  public func publish(_ event: Event) throws(DBusError) {
    try manager?.emit(
      MonitorNames.manager, "RegionEvent",
      [.uint64(event.sequence), .string(event.kind?.rawValue ?? ""), .objectPath("/"), event.dbusValue])
  }

  /// Sends every session the snapshots of the constraints that it ranges.
  public func publish(_ snapshots: [BeaconConstraint: [RangedBeacon]], at time: Instant) {
    sessions.send(snapshots, at: time)
  }

  /// Sends every scanning session the beacons in range.
  ///
  /// - Parameter kinds: the counts of all advertisements since the scan began.
  public func publish(_ snapshot: ScanSnapshot, kinds: Tally<AdvertisementKind>) {
    sessions.send(snapshot.report(kinds: kinds, wallClock: monitoring.wallClock))
  }
}
