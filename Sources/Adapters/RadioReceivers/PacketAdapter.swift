import BeaconAdvertising
import Beacons
import EventLoop
import HCI
import Instants
import RadioHealth
import Ranging

/// An adapter whose packets are received, identified by its address even if it is unplugged and returns.
final class PacketAdapter {
  let address: BluetoothAddress
  let number: UInt16
  var onSightings: ([Sighting]) -> Void = { _ in }
  var onReports: (HeardReports) -> Void = { _ in }
  var onPacket: ((RawSpan, UInt16, Instant) -> Void)? {
    didSet { wirePackets() }
  }
  var onHealthChange: () -> Void = {}

  private let loop: Loop
  private var source: HCISource?
  private var isOn = false
  private var plan = PacketPlan()
  /// The reason why the adapter could not be opened.
  private var obstacle: HCIError?
  /// The counts from before the adapter was last plugged in.
  private var past = AdvertisementCounts()
  private var rate: AdvertisementRate
  private var lastReport: Instant?
  private var reported: AdapterHealth?
  private var random = SystemRandomNumberGenerator()
  private lazy var timer = loop.timer { [unowned self] in advance() }

  init(_ loop: Loop, address: BluetoothAddress, number: UInt16) {
    self.loop = loop
    self.address = address
    self.number = number
    rate = AdvertisementRate(from: loop.now)
  }

  /// Whether the daemon makes the adapter scan, rather than bluetoothd.
  var scansItself: Bool {
    get { plan.isWanted }
    set {
      plan.want(newValue, at: loop.now)
      advance()
    }
  }

  var counts: AdvertisementCounts {
    var counts = past
    if let source { counts += source.counts }
    return counts
  }

  /// Returns the telemetry of beacons since the last call.
  func takeTelemetry() -> [BeaconTelemetry] { source?.takeTelemetry() ?? [] }

  var isAttached: Bool { source != nil }

  // MARK: - Coming and going

  /// Call when the kernel lists the adapter. An adapter that is already open continues.
  func attach(_ adapter: HCIAdapter, open: (HCIAdapter, UInt16) throws(HCIError) -> HCISource) {
    if let source, source.name == adapter.name, !source.isGone {
      if isOn != adapter.isOn { plan.switched(on: adapter.isOn, blocked: adapter.isBlocked, at: loop.now) }
      isOn = adapter.isOn
      return advance()
    }
    detach()
    isOn = adapter.isOn
    do throws(HCIError) {
      let source = try open(adapter, number)
      source.onSightings = { [unowned self] in onSightings($0) }
      source.onReports = { [unowned self] in note($0) }
      source.onStateChange = { [unowned self] in follow($0) }
      self.source = source
      wirePackets()
      obstacle = nil
      plan.became(.listening, at: loop.now, using: &random)
    } catch {
      obstacle = error
    }
    advance()
  }

  func detach() {
    guard let source else { return }
    past += source.counts
    self.source = nil
    let scansItself = plan.isWanted
    plan = PacketPlan()
    plan.want(scansItself, at: loop.now)
    advance()
  }

  private func wirePackets() {
    let number = number
    source?.onPacket = onPacket.map { onPacket in { onPacket($0, number, $1) } }
  }

  private func follow(_ state: HCISource.State) {
    // A newly plugged-in adapter is on for a while before this is reported, and it is not reported again.
    if state == .scanning { isOn = true }
    if case .gone(let reason) = state {
      obstacle = reason
      // The source is calling, so it cannot be released before it returns.
      loop.enqueue { [weak self] in if self?.source?.isGone == true { self?.detach() } }
    }
    plan.became(state, at: loop.now, using: &random)
    advance()
  }

  private func note(_ reports: HeardReports) {
    let now = loop.now
    rate.count(reports.count, at: now)
    lastReport = now
    onReports(reports)
    guard plan.isWanted else { return }
    let wasSilent = plan.watch.isSilent
    plan.heard(reports.devices, at: now)
    if wasSilent || timer.due == nil && plan.deadline != .never { advance() }
  }

  // MARK: - Actions

  private func advance() {
    let now = loop.now
    if let source, let step = plan.nextStep(at: now) {
      switch step {
      case .scan: source.scan()
      case .cyclePower: source.cyclePower()
      case .stop: source.stop()
      }
    }
    timer.arm(at: source == nil ? .never : plan.deadline)
    let health = health(at: now)
    guard health.isWorthReporting(after: reported) else { return }
    reported = health
    onHealthChange()
  }

  func health(at now: Instant) -> AdapterHealth {
    let failure = source == nil ? obstacle : plan.failure
    return AdapterHealth(
      address: address, number: number, name: source?.name, state: source == nil ? .gone : plan.health, since: now,
      reportsPerSecond: rate.perSecond(at: now), lastReport: lastReport, notes: failure.map { ["\($0)"] } ?? []
    ).following(reported)
  }
}

extension HCISource {
  fileprivate var isGone: Bool {
    if case .gone = state { true } else { false }
  }
}
