import BeaconAdvertising
import EventLoop
import HCI
import Instants
import Radios

/// The packets of every adapter that is used. Needs CAP_NET_RAW.
final class PacketRadio {
  var onSightings: ([Sighting]) -> Void = { _ in }
  var onReports: (HeardReports, BluetoothAddress) -> Void = { _, _ in }
  /// Every packet as it is; nil while nobody wants it.
  var onPacket: ((RawSpan, UInt16, Instant) -> Void)? {
    didSet { for adapter in known { adapter.onPacket = onPacket } }
  }
  /// An adapter is in another state, or the adapters cannot be listed.
  var onChange: () -> Void = {}
  /// For the sightings of an adapter that comes for the first time.
  var numberOfAdapter: (BluetoothAddress) -> UInt16 = { _ in 0 }
  var usesAdapter: (BluetoothAddress) -> Bool = { _ in true }
  /// Nobody else makes the adapters scan.
  var scanThemselves = false {
    didSet {
      guard scanThemselves != oldValue else { return }
      for adapter in known { adapter.scansItself = scanThemselves }
    }
  }
  /// Why the adapters cannot be listed.
  private(set) var trouble: HCIError?

  /// How soon to look again at an adapter that is there and cannot be heard.
  private static let patience = Span.seconds(2)

  private let loop: Loop
  private let port: PacketPort
  private var watch: AnyObject?
  private var isStarted = false
  /// The adapters are being looked at one by one, and are told of together.
  private var isRefreshing = false
  /// Every adapter there ever was and that was used.
  private var known: [PacketAdapter] = []
  /// Of those that were forgotten.
  private var past = AdvertisementCounts()
  private lazy var retry = loop.timer { [unowned self] in refresh() }

  /// Throws when the capability is missing, with the commands that grant it.
  init(_ loop: Loop, _ port: PacketPort) throws(HCIError) {
    self.loop = loop
    self.port = port
    watch = try port.watch { [unowned self] in refresh() }
  }

  var counts: AdvertisementCounts { known.reduce(into: past) { $0 += $1.counts } }

  var adapters: [AdapterHealth] {
    let now = loop.now
    return known.map { $0.health(at: now) }
  }

  func start() {
    isStarted = true
    refresh()
  }

  /// Opens what is new and used, and lets go of what is gone or not used any more.
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

  /// A name is no reason to grow.
  private func forgetOne() {
    guard known.count >= AdapterRoster.most, let index = known.firstIndex(where: { !$0.isAttached }) else { return }
    past += known.remove(at: index).counts
  }
}
