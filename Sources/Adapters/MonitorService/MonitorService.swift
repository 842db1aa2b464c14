import BeaconAdvertising
import Consent
import DBus
import Events
import Instants
import Locating
import Locations
import MonitorProtocol
import Proximity
import Radios
import Ranging
import Records
import Regions

/// `org.beaconmon.Monitor1` on the bus: the manager, an object for each region of the config and for each adapter, and the sessions.
public final class MonitorService {
  private let connection: DBusConnection
  private let tree: ObjectTree
  private unowned let model: any MonitorModel
  private let sessions: Sessions
  private let recordings: Recordings
  private let callers: Callers
  private let privacy: Privacy
  private var manager: ExportedObject?
  private var regions: [String: RegionObject] = [:]
  private var adapters: [BluetoothAddress: AdapterObject] = [:]
  private var source: SourceFacts

  /// Exports everything that is there; nobody sees it before the connection is up.
  public init(_ connection: DBusConnection, model: any MonitorModel, _ authority: any ConsentAuthority) throws(DBusError) {
    self.connection = connection
    self.model = model
    tree = ObjectTree(connection: connection, managerPath: MonitorNames.root)
    callers = Callers(connection, authority)
    privacy = Privacy(authority, callers, model.registry)
    sessions = Sessions(connection, tree, model: model, callers, authority)
    source = SourceFacts(model)
    recordings = Recordings(connection, model: model)
    tree.announcesPrivateObjects = false
    tree.identify = { [callers] in callers.find($0, completion: $1) }
    tree.isInsider = { [callers] in callers.isInsider($0) }
    manager = try tree.export(MonitorNames.root, [managerInterface, privacy.interface])
    try updateRegions()
    try updateAdapters()
    connection.onDrained = { [unowned self] in
      sessions.drained()
      if !isCongested { onDrained() }
    }
  }

  /// The bus takes less than is sent to it: what can wait should.
  public var isCongested: Bool { connection.outgoingSize > DBusConnection.congestionThreshold }

  /// Called when that is over.
  public var onDrained: () -> Void = {}

  /// Brings the region objects in line with the model's regions.
  public func updateRegions() throws(DBusError) {
    let watches = model.watches
    let identifiers = Set(watches.map(\.region.identifier))
    let changed = identifiers.symmetricDifference(regions.keys)
    defer { sessions.configuredRegionsChanged(changed) }
    for identifier in regions.keys where !identifiers.contains(identifier) { regions[identifier] = nil }
    for watch in watches {
      let identifier = watch.region.identifier
      if let object = regions[identifier] {
        object.redefine(as: watch.region)
      } else {
        regions[identifier] = try RegionObject(tree, watch.region, model: model)
      }
    }
  }

  /// Brings the adapter objects in line with the model's adapters, and tells what is another state.
  public func updateAdapters() throws(DBusError) {
    let present = model.adapters
    let addresses = Set(present.map(\.address))
    for address in adapters.keys where !addresses.contains(address) { adapters[address] = nil }
    for adapter in present {
      if let object = adapters[adapter.address] {
        object.update(adapter)
      } else {
        adapters[adapter.address] = try AdapterObject(tree, adapter, model: model)
      }
    }
  }

  /// Tells everybody who may know: of a region of the config, also the sessions that monitor it; otherwise only its owner, and of a registered one its user. Throws while the bus is away.
  ///
  /// - Parameter details: the event as it is in the journal, if it is.
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

  /// Sends every session the snapshots of the constraints that it ranges.
  public func publish(_ snapshots: [BeaconConstraint: [RangedBeacon]], at time: Instant) {
    sessions.send(snapshots, at: time)
  }

  /// Sends every session that scans what was heard.
  ///
  /// - Parameter kinds: of all advertisements since the scan began.
  public func publish(_ snapshot: ScanSnapshot, kinds: Tally<AdvertisementKind>) {
    sessions.send(snapshot.record(kinds: kinds, wallClock: model.wallClock))
  }

  /// To whoever asked.
  public func publish(_ output: Locator.Output) {
    sessions.locations.take(output)
  }

  /// The sources of locations are others.
  public func locationSourcesChanged() {
    sessions.capabilitiesChanged()
  }

  /// One of them stands otherwise.
  public func locationHealthChanged() {
    sessions.locations.tellDenied()
  }

  /// The source's state, reason or note may be another one; nobody is told of those that are the same.
  public func sourceChanged() {
    let now = SourceFacts(model)
    let names = now.changes(from: source)
    source = now
    if !names.isEmpty { manager?.propertiesChanged(MonitorNames.manager, names) }
  }

  /// Another journal is in use, or it is durable now or not any more.
  public func journalChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Journal", "Durable", "JournalNote", "DamagedEvents"])
  }

  /// A reload was refused, or one succeeded after that.
  public func refusedReloadChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["RefusedReload"])
  }

  /// Something else was decided, or the switch was turned.
  public func consentChanged() {
    sessions.consentChanged()
    manager?.propertiesChanged(MonitorNames.privacy, ["LocationServicesEnabled", "ConsentNote"])
  }

  /// The beacons that the machine is itself are others, or it is otherwise with them.
  public func advertisementsChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Advertisements"])
  }

  private var sourceProperties: [DBusProperty] {
    let model = model
    return [
      DBusProperty("RefusedReload", "a{sv}") { model.refusedReloadRecord?.dbusValue },
      DBusProperty("Source", "s", change: .constant) { .string(model.source) },
      DBusProperty("SourceChoice", "s", change: .constant) { model.sourceChoice.map { .string($0) } },
      DBusProperty("SourceReason", "s") { model.sourceReason.map { .string($0) } },
      DBusProperty("SourceState", "s") { .string(model.sourceState.rawValue) },
      DBusProperty("SourceNote", "s") { model.sourceNote.map { .string($0) } },
      DBusProperty("Advertisements", "aa{sv}") { .array(of: "a{sv}", model.advertisements.map(\.dbusValue)) },
      DBusProperty("Statistics", "a{sv}", change: .silent) { model.statistics.dbusValue },
    ]
  }

  private var locationProperties: [DBusProperty] {
    let locations = model.locations
    return [
      DBusProperty("Location", "a{sv}", change: .silent) { locations.location.map { $0.record(at: locations.now).dbusValue } },
      DBusProperty("LocationSources", "aa{sv}", change: .silent) { .array(of: "a{sv}", locations.sources.map(\.dbusValue)) },
      DBusProperty("LocationSwitches", "aa{sv}", change: .silent) { .array(of: "a{sv}", locations.switches.map(\.dbusValue)) },
    ]
  }

  private var registrations: DBusProperty {
    let registry = model.registry
    return DBusProperty("Registrations", "a{sv}", change: .silent) { registry.registrationCounts.dbusValue }
  }

  private var managerInterface: DBusInterface {
    let model = model
    let sessions = sessions
    return DBusInterface(
      MonitorNames.manager,
      methods: [
        DBusMethod("CreateSession", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("session", "o")]) {
          (call) throws(DBusError) in
          [.objectPath(try sessions.create(for: call.sender, options: call.arguments[0]))]
        },
        model.journal.eventsSince.forInsiders,
        recordings.method.forInsiders,
      ],
      properties: [
        DBusProperty("Version", "s", change: .constant) { .string(model.version) }
      ] + ([registrations] + sourceProperties + model.journal.properties + locationProperties).map(\.forInsiders),
      signals: [
        DBusSignal(
          "RegionEvent",
          [DBusArgument("sequence", "t"), DBusArgument("event", "s"), DBusArgument("region", "o"), DBusArgument("details", "a{sv}")])
      ])
  }
}

/// What the manager tells of the source and what can change.
private struct SourceFacts {
  let state: SourceState
  let reason: String?
  let note: String?

  init(_ model: any MonitorModel) {
    (state, reason, note) = (model.sourceState, model.sourceReason, model.sourceNote)
  }

  /// The properties to tell of after `old`: state and note explain each other and come together.
  func changes(from old: SourceFacts) -> [String] {
    (reason == old.reason ? [] : ["SourceReason"]) + ((state, note) == (old.state, old.note) ? [] : ["SourceState", "SourceNote"])
  }
}
