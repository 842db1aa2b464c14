import BeaconAdvertising
import DBus
import EventLoop
import Instants

/// Makes this machine one or several beacons, through BlueZ and without any privilege.
///
/// It follows bluetoothd through restarts and adapters through unplugging, loss of power and rfkill. After each, it resumes every
/// transmission as soon as possible.
public final class BlueZAdvertiser {
  /// Runs when one of `statuses` has changed.
  public var onChange: (AdvertisingStatus) -> Void = { _ in }
  /// Receives the obstacle when BlueZ refuses a transmission, for the first time or again.
  public var onRefusal: (AdvertisingObstacle) -> Void = { _ in }

  private let connection: DBusConnection
  private let tree: ObjectTree
  private var watch: NameWatch?
  private var objects: BlueZObjects?
  /// Whether it is known if bluetoothd runs.
  private var isKnown = false
  private var adapters: [AdvertisingAdapter] = []
  private var all: [Advertising] = []
  private var lastNumber = 0
  private let isAnyAdapterPlugged: () -> Bool

  /// Opens a connection of its own; throws if there is no address to try.
  ///
  /// - Parameter isAnyAdapterPlugged: whether the kernel has an adapter; asked while bluetoothd does not run.
  public init(
    _ loop: Loop, bus: BusAddress = .system, environment: [String: String] = ChildCommand.ownEnvironment(),
    isAnyAdapterPlugged: @escaping () -> Bool = { KernelAdapters.isAnyPlugged() }
  ) throws(DBusError) {
    self.isAnyAdapterPlugged = isAnyAdapterPlugged
    connection = try DBusConnection(loop: loop, address: bus, environment: environment)
    tree = ObjectTree(connection: connection)
    connection.onStateChange = { [unowned self] state in
      switch state {
      case .disconnected: isKnown = true
      // With no owner before and after a loss of the bus, the watch reports no change; a new watch reports the bus's answer.
      case .connected where isKnown:
        isKnown = false
        watchService()
      case .connecting, .connected: break
      }
      report()
    }
    watchService()
  }

  private func watchService() {
    watch = connection.watchName(BlueZName.service) { [unowned self] in follow($0) }
  }

  /// The status of each transmission, in the order of `transmissions`.
  public var statuses: [AdvertisingStatus] { all.map(\.status) }

  /// The transmissions to send from now on; those that were already sent continue without interruption.
  /// A transmission that is listed twice is sent twice.
  public var transmissions: [BeaconTransmission] {
    get { all.map(\.transmission) }
    set {
      var kept = all
      all = newValue.map { transmission in
        guard let index = kept.firstIndex(where: { $0.transmission == transmission }) else { return add(transmission) }
        return kept.remove(at: index)
      }
      report()
    }
  }

  private func add(_ transmission: BeaconTransmission) -> Advertising {
    lastNumber += 1
    let advertising = Advertising(connection, tree, path: "/org/beaconmon/BlueZ/advertisement\(lastNumber)", transmission)
    advertising.onChange = { [unowned self, unowned advertising] in onChange(advertising.status) }
    advertising.onRefusal = { [unowned self] in onRefusal($0) }
    return advertising
  }

  // MARK: - bluetoothd

  private func follow(_ owner: String?) {
    isKnown = true
    guard owner != objects?.service else { return report() }
    // A new bluetoothd does not know the requests to the previous one.
    if objects != nil { release() }
    guard let owner else { return report() }
    let followed = [BlueZName.adapter, BlueZName.advertisingManager]
    objects = BlueZObjects(connection, service: owner, following: followed) { [unowned self] in receive($0) }
    report()
  }

  private func release() {
    objects = nil
    adapters = []
    report()
  }

  private func receive(_ change: BlueZObjects.Change) {
    let before = adapters
    switch change {
    case .added(let path, let interfaces, _):
      if let adapter = AdvertisingAdapter(path: path, interfaces: interfaces) {
        adapters.removeAll { $0.path == path }
        adapters.append(adapter)
      } else if interfaces[BlueZName.advertisingManager] != nil {
        self.change(path) { $0.update(interfaces) }
      }
    case .removed(let path, let interfaces):
      if interfaces.contains(BlueZName.adapter) {
        adapters.removeAll { $0.path == path }
      } else if interfaces.contains(BlueZName.advertisingManager) {
        self.change(path) { $0.hasManager = false }
      }
    case .changed(let path, let interface, let properties): self.change(path) { $0.update(properties, of: interface) }
    }
    if adapters != before { report() }
  }

  private func change(_ path: String, _ body: (inout AdvertisingAdapter) -> Void) {
    for index in adapters.indices where adapters[index].path == path { body(&adapters[index]) }
  }

  private var reachability: AdvertisingPlan.Reachability {
    if connection.uniqueName == nil {
      if case .disconnected(let reason) = connection.state { return .unreachable(reason) }
      return .unreachable(nil)
    }
    if objects != nil { return .adapters(adapters) }
    return isKnown ? .absent(isAnyAdapterPlugged: isAnyAdapterPlugged()) : .unreachable(nil)
  }

  private func report() {
    let (reachability, service) = (reachability, objects?.service)
    for advertising in all { advertising.update(reachability, service: service) }
  }
}

/// The Bluetooth adapters that the kernel has, as sysfs shows them (Documentation/ABI/stable/sysfs-class-bluetooth).
///
/// Needs no privilege and no Bluetooth socket, so that it also works in a service that may have neither.
public enum KernelAdapters {
  /// Returns whether at least one adapter is plugged in.
  ///
  /// bluetoothd cannot run without one: its unit is skipped where the folder is missing.
  ///
  /// - Parameter root: the folder of the class; its entries are adapters such as `hci0` and connections such as `hci0:11`.
  public static func isAnyPlugged(root: String = "/sys/class/bluetooth") -> Bool {
    Folder.names(in: root).contains { $0.hasPrefix("hci") && $0.dropFirst(3).utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
