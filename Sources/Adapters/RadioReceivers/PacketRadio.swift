import BeaconAdvertising
import Beacons
import BlueZ
import EventLoop
import HCI
import Instants
import RadioHealth

/// Receives the packets of every used adapter; requires CAP_NET_RAW.
final class PacketRadio {
  var onSightings: ([Sighting]) -> Void = { _ in }
  var onReports: (HeardReports, BluetoothAddress) -> Void = { _, _ in }
  /// Receives every packet; `nil` while no recording needs them.
  var onPacket: ((RawSpan, UInt16, Instant) -> Void)? {
    didSet { for adapter in known { adapter.onPacket = onPacket } }
  }
  /// Runs when the state of an adapter changed, or when adapters cannot be listed.
  var onChange: () -> Void = {}
  /// Returns the number of a new adapter in sightings.
  var numberOfAdapter: (BluetoothAddress) -> UInt16 = { _ in 0 }
  var usesAdapter: (BluetoothAddress) -> Bool = { _ in true }
  /// Whether the adapters scan without bluetoothd.
  var scanThemselves = false {
    didSet {
      guard scanThemselves != oldValue else { return }
      for adapter in known { adapter.scansItself = scanThemselves }
    }
  }
  /// The reason why adapters cannot be listed.
  private(set) var trouble: HCIError?

  /// The time between attempts to open an adapter that is present.
  private static let patience = Span.seconds(2)

  private let loop: Loop
  private let port: PacketPort
  private var watch: AnyObject?
  private var isStarted = false
  /// Whether a refresh is running, during which changes are reported once at the end.
  private var isRefreshing = false
  /// Every used adapter that was ever present.
  private var known: [PacketAdapter] = []
  /// The counts of removed adapters.
  private var past = AdvertisementCounts()
  private lazy var retry = loop.timer { [unowned self] in refresh() }

  /// Throws an error with commands that grant the capability, if it is missing.
  init(_ loop: Loop, _ port: PacketPort) throws(HCIError) {
    self.loop = loop
    self.port = port
    watch = try port.watch { [unowned self] in refresh() }
  }

  var counts: AdvertisementCounts { known.reduce(into: past) { $0 += $1.counts } }

  /// Returns the telemetry of beacons since the last call.
  func takeTelemetry() -> [BeaconTelemetry] { known.flatMap { $0.takeTelemetry() } }

  var adapters: [AdapterHealth] {
    let now = loop.now
    return known.map { $0.health(at: now) }
  }

  func start() {
    isStarted = true
    refresh()
  }

  /// Opens new used adapters, and closes those that were unplugged or are no longer used.
  func refresh() {
    guard isStarted else { return }
    isRefreshing = true
    do throws(HCIError) {
      let present = try port.adapters().filter { !$0.address.isZero && usesAdapter($0.address) }
      for adapter in known where !present.contains(where: { $0.address == adapter.address }) { adapter.detach() }
      for adapter in present { self.adapter(of: adapter.address).attach(adapter, open: port.open) }
      trouble = nil
      let isWhole = present.allSatisfy { adapter(of: $0.address).isAttached }
      retry.arm(at: isWhole ? .never : loop.now + Self.patience)
    } catch {
      trouble = error
      retry.arm(after: Self.patience)
    }
    isRefreshing = false
    onChange()
  }

  private func adapter(of address: BluetoothAddress) -> PacketAdapter {
    if let adapter = known.first(where: { $0.address == address }) { return adapter }
    forgetOne()
    let adapter = PacketAdapter(loop, address: address, number: numberOfAdapter(address))
    adapter.onSightings = { [unowned self] in onSightings($0) }
    adapter.onReports = { [unowned self] in onReports($0, address) }
    adapter.onHealthChange = { [unowned self, unowned adapter] in
      if !adapter.isAttached, retry.due == nil { retry.arm(after: Self.patience) }
      if !isRefreshing { onChange() }
    }
    adapter.onPacket = onPacket
    known.append(adapter)
    adapter.scansItself = scanThemselves
    return adapter
  }

  /// Removes one absent adapter, so that the list stays small.
  private func forgetOne() {
    guard known.count >= AdapterRoster.most, let index = known.firstIndex(where: { !$0.isAttached }) else { return }
    past += known.remove(at: index).counts
  }
}

/// The access to adapters in the kernel, which tests replace.
struct PacketPort {
  var adapters: () throws(HCIError) -> [HCIAdapter]
  /// Returns whether the kernel has an adapter, without a privilege or a Bluetooth socket.
  var isAnyAdapterPlugged: () -> Bool
  /// Opens an adapter; the number identifies it in sightings.
  var open: (HCIAdapter, UInt16) throws(HCIError) -> HCISource
  /// Calls back after changes of the list of adapters, until the result is released.
  var watch: (@escaping () -> Void) throws(HCIError) -> AnyObject

  static func kernel(_ loop: Loop) -> PacketPort {
    PacketPort(
      adapters: { () throws(HCIError) in try HCIAdapter.all() },
      isAnyAdapterPlugged: { KernelAdapters.isAnyPlugged() },
      open: { (adapter, number) throws(HCIError) in try HCISource(loop, adapter: adapter, number: number) },
      watch: { (onChange) throws(HCIError) in try AdapterWatch(loop, onChange: onChange) })
  }
}
