import BeaconAdvertising
import Beacons
import DBus
import EventLoop
import Instants
import RadioHealth
import Ranging

/// Receives iBeacons and AltBeacons through BlueZ with all its adapters and without any privilege.
/// It never connects to a device and never pairs.
///
/// It follows bluetoothd through restarts and adapters through unplugging. Only a new report is a sighting; the devices that BlueZ
/// remembers are not.
public final class BlueZSource {
  public enum Service: Hashable, Sendable {
    /// The bus is unavailable, with the reason; nil if it has not answered yet.
    case unreachable(DBusError?)
    /// The bus is available, but bluetoothd does not run: the name org.bluez has no owner.
    case absent
    case running
  }

  /// Receives the sightings of one turn of the loop, in the order in which they were received.
  public var onSightings: ([Sighting]) -> Void = { _ in }
  /// Runs when the state or the notes of one adapter change.
  public var onHealthChange: (AdapterHealth) -> Void = { _ in }
  public var onServiceChange: (Service) -> Void = { _ in }
  /// Receives every report, the number of its adapter, and the time; nil if no recording needs reports.
  /// The call precedes the sightings in the report, which is encoded again from the properties that BlueZ signals.
  public var onReport: ((AdvertisingReport, UInt16, Instant) -> Void)? {
    didSet { for adapter in known { wireReports(of: adapter) } }
  }
  /// Returns the number of a new adapter, for its sightings; nil numbers adapters in the order of their appearance.
  public var numberOfAdapter: ((BluetoothAddress) -> UInt16)?
  /// Returns whether an adapter scans and receives; defaults to all adapters.
  public var usesAdapter: (BluetoothAddress) -> Bool = { _ in true } {
    didSet { chooseAdapters() }
  }
  public private(set) var service = Service.unreachable(nil)

  private let loop: Loop
  private let purpose: DiscoveryPurpose
  private let connection: DBusConnection
  private let tree: ObjectTree
  private var watch: NameWatch?
  private var objects: BlueZObjects?
  /// All adapters since the source was created.
  private var known: [BlueZAdapter] = []
  private var sightings: [Sighting] = []
  private lazy var delivery = loop.deferred { [unowned self] in deliver() }

  /// Opens a connection of its own, so that a flood of advertisements delays no other traffic.
  /// It throws if there is no address to try.
  public init(
    _ loop: Loop, for purpose: DiscoveryPurpose = .hearing, bus: BusAddress = .system,
    environment: [String: String] = ChildCommand.ownEnvironment()
  ) throws(DBusError) {
    self.loop = loop
    self.purpose = purpose
    connection = try DBusConnection(loop: loop, address: bus, environment: environment)
    connection.gathersMessages = true
    tree = ObjectTree(connection: connection)
    connection.onStateChange = { [unowned self] in follow($0) }
    watch = connection.watchName(BlueZName.service) { [unowned self] in follow($0) }
  }

  /// The demand on all adapters in use, present and future.
  /// `nothing` cancels all requests to BlueZ, but the source still reports health.
  public var demand = HearingDemand.nothing {
    didSet { chooseAdapters() }
  }

  /// Stops scanning with an adapter for a moment, so that an advertisement can begin.
  /// An adapter without extended advertising cannot begin to advertise while it scans: the kernel must first give it another random
  /// address, which is disallowed during a scan (Core Specification 5.4, Volume 4, Part E, 7.8.4).
  public func yield(adapter address: BluetoothAddress) {
    for adapter in known where adapter.address == address { adapter.yield() }
  }

  /// All adapters since the source was created, in the order of their appearance.
  /// An adapter that is gone keeps its number for its return.
  public var adapters: [AdapterHealth] {
    let now = loop.now
    return known.map { $0.health(at: now) }
  }

  public var counts: AdvertisementCounts {
    known.reduce(into: AdvertisementCounts()) { $0 += $1.counts }
  }

  /// Returns the telemetry of beacons since the last call.
  public func takeTelemetry() -> [BeaconTelemetry] { known.flatMap { $0.takeTelemetry() } }

  /// Counts reports that another source received with an adapter that scans here, from these devices and perhaps others.
  public func noteReports(_ count: Int, of devices: some Collection<UInt64>, by adapter: BluetoothAddress) {
    known.first { $0.address == adapter }?.noteReports(count, of: devices, at: loop.now)
  }

  private func chooseAdapters() {
    for adapter in known { adapter.demand = demand(of: adapter.address) }
  }

  private func demand(of adapter: BluetoothAddress) -> HearingDemand { usesAdapter(adapter) ? demand : .nothing }

  private func deliver() {
    guard !sightings.isEmpty else { return }
    let batch = sightings
    sightings.removeAll(keepingCapacity: true)
    onSightings(batch)
  }

  // MARK: - bluetoothd

  private func follow(_ state: DBusConnection.State) {
    switch (state, service) {
    case (.disconnected(let reason), _): become(.unreachable(reason))
    // With no owner before and after, the old watch reports no change. A new watch reports the bus's answer, and nothing before it.
    case (.connected, .unreachable(.some)): watch = connection.watchName(BlueZName.service) { [unowned self] in follow($0) }
    default: break
    }
  }

  private func follow(_ owner: String?) {
    // The loss of bluetoothd explains the state of its adapters. A lost bus reports its own reason.
    if owner == nil {
      if connection.uniqueName != nil { become(.absent) } else if service == .running { become(.unreachable(nil)) }
    }
    if owner != objects?.service {
      objects = nil
      for adapter in known where adapter.path != nil { adapter.detach() }
      if let owner {
        let followed = [BlueZName.adapter, BlueZName.device]
        objects = BlueZObjects(connection, service: owner, following: followed) { [unowned self] in receive($0) }
      }
    }
    if owner != nil { become(.running) }
  }

  private func become(_ new: Service) {
    guard new != service else { return }
    service = new
    onServiceChange(new)
  }

  private func receive(_ change: BlueZObjects.Change) {
    switch change {
    case .added(let path, let interfaces, let isNew):
      if let facts = AdapterFacts(interfaces: interfaces) {
        attach(path, facts)
      } else if interfaces[BlueZName.monitorManager] != nil {
        adapter(at: path)?.update { $0.updateMonitors(interfaces) }
      } else if let device = interfaces[BlueZName.device], let adapter = adapter(at: path.parentPath) {
        if isNew { adapter.receive(path, device, isNew: true) } else { adapter.recall(path, device) }
      }
    case .removed(let path, let interfaces):
      if interfaces.contains(BlueZName.adapter) {
        adapter(at: path)?.detach()
      } else if interfaces.contains(BlueZName.device) {
        adapter(at: path.parentPath)?.forget(path)
      }
    case .changed(let path, BlueZName.device, let properties): adapter(at: path.parentPath)?.receive(path, properties, isNew: false)
    case .changed(let path, _, let properties): adapter(at: path)?.update { $0.update(properties) }
    }
  }

  // MARK: - Adapters

  private func adapter(at path: String) -> BlueZAdapter? {
    known.first { $0.path == path }
  }

  /// Attaches an adapter object, unless an adapter at this path is already attached.
  private func attach(_ path: String, _ facts: AdapterFacts) {
    guard let objects else { return }
    let adapter = known.first { $0.address == facts.address } ?? add(facts.address)
    if adapter.path == path {
      adapter.update { $0 = facts }
    } else {
      adapter.attach(AdapterLink(connection, tree, purpose, service: objects.service, path: path), facts)
    }
  }

  private func add(_ address: BluetoothAddress) -> BlueZAdapter {
    let number = numberOfAdapter?(address) ?? UInt16(clamping: known.count)
    let adapter = BlueZAdapter(loop, purpose, address: address, number: number)
    adapter.onSighting = { [unowned self] in
      sightings.append($0)
      delivery.trigger()
    }
    wireReports(of: adapter)
    known.append(adapter)
    adapter.demand = demand(of: address)
    adapter.onHealthChange = { [unowned self, unowned adapter] in
      // The engine's clock does not go back, so it would date sightings from before the change to the change.
      deliver()
      onHealthChange(adapter.health(at: loop.now))
    }
    return adapter
  }

  private func wireReports(of adapter: BlueZAdapter) {
    adapter.onReport = onReport.map { onReport in { [number = adapter.number] report, time in onReport(report, number, time) } }
  }
}

extension String {
  /// The parent of a path: `/org/bluez/hci0` for `/org/bluez/hci0/dev_00_11_22_33_44_55`.
  fileprivate var parentPath: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? ""
  }
}
