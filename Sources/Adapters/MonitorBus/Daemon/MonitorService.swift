import BeaconAdvertising
import DBus
import Instants
import Proximity
import Ranging
import Regions

/// `org.beaconmon.Monitor1` on the bus: the manager, a region object for each region of the config, and the sessions.
public final class MonitorService {
  private let connection: DBusConnection
  private let tree: ObjectTree
  private unowned let model: any MonitorModel
  private let sessions: Sessions
  private let recordings: Recordings
  private var manager: ExportedObject?
  private var regions: [String: RegionObject] = [:]

  /// Exports everything that is there; nobody sees it before the connection is up.
  public init(_ connection: DBusConnection, model: any MonitorModel) throws(DBusError) {
    self.connection = connection
    self.model = model
    tree = ObjectTree(connection: connection, managerPath: MonitorNames.root)
    sessions = Sessions(connection, tree, model: model)
    recordings = Recordings(connection, model: model)
    manager = try tree.export(MonitorNames.root, [managerInterface])
    try updateRegions()
  }

  /// The bus takes less than is sent to it: what can wait should.
  public var isCongested: Bool { connection.outgoingSize > DBusConnection.congestionThreshold }

  /// Called when that is over.
  public var onDrained: () -> Void {
    get { connection.onDrained }
    set { connection.onDrained = newValue }
  }

  /// Brings the region objects in line with the model's regions.
  public func updateRegions() throws(DBusError) {
    let watches = model.watches
    let identifiers = Set(watches.map(\.region.identifier))
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

  /// Tells everybody who may know. Throws while the bus is away.
  public func publish(_ event: RegionEvent) throws(DBusError) {
    let transition = event.transition
    regions[transition.region.identifier]?.stateChanged()
    let details = event.record(wallClock: model.wallClock, adapterName: model.adapterName).dbusValue
    try manager?.emit(
      MonitorNames.manager, "RegionEvent",
      [
        .uint64(event.sequence), .string(transition.kind.rawValue),
        .objectPath(MonitorNames.path(ofRegion: transition.region.identifier)), details,
      ])
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

  /// The source's state or note is another one.
  public func sourceChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Source", "SourceState", "SourceNote"])
  }

  /// The beacons that the machine is itself are others, or it is otherwise with them.
  public func advertisementsChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Advertisements"])
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
        recordings.method,
      ],
      properties: [
        DBusProperty("Version", "s", change: .constant) { .string(model.version) },
        DBusProperty("Source", "s") { .string(model.source) },
        DBusProperty("SourceState", "s") { .string(model.sourceState.rawValue) },
        DBusProperty("SourceNote", "s") { model.sourceNote.map { .string($0) } },
        DBusProperty("Adapters", "aa{sv}", change: .silent) { .array(of: "a{sv}", model.adapters.map(\.dbusValue)) },
        DBusProperty("Advertisements", "aa{sv}") { .array(of: "a{sv}", model.advertisements.map(\.dbusValue)) },
        DBusProperty("Statistics", "a{sv}", change: .silent) { model.statistics.dbusValue },
      ],
      signals: [
        DBusSignal(
          "RegionEvent",
          [DBusArgument("sequence", "t"), DBusArgument("event", "s"), DBusArgument("region", "o"), DBusArgument("details", "a{sv}")])
      ])
  }
}
