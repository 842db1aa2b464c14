import BeaconAdvertising
import DBus
import EventLoop
import Instants
import Ranging

/// An adapter by its address, over all its comings and goings: does what the plan says, hands on what is heard, and knows how it is.
final class BlueZAdapter {
  let address: String
  let index: UInt16
  var onSighting: (Sighting) -> Void = { _ in }
  /// After a change of state or notes.
  var onHealthChange: () -> Void = {}
  private(set) var counts = AdvertisementCounts()

  private let loop: Loop
  private var link: AdapterLink?
  private var plan = DiscoveryPlan()
  private var watch = SilenceWatch()
  private var companions = CompanionDevices()
  private var memory = BeaconMemory()
  private var rate: AdvertisementRate
  private var lastReport: Instant?
  private var told: AdapterHealth?
  private var isScanning = false
  private var random = SystemRandomNumberGenerator()
  private lazy var timer = loop.timer { [unowned self] in wake() }

  init(_ loop: Loop, address: String, index: UInt16) {
    self.loop = loop
    self.address = address
    self.index = index
    rate = AdvertisementRate(from: loop.now)
  }

  var isWanted: Bool {
    get { plan.isWanted }
    set {
      plan.isWanted = newValue
      advance()
    }
  }

  /// Gives everything back for a moment, so that an advertisement can begin.
  func yield() {
    plan.yield(at: loop.now)
    advance()
  }

  var path: String? { link?.path }

  // MARK: - Coming and going

  func attach(_ link: AdapterLink, _ facts: AdapterFacts) {
    if self.link != nil { detach() }
    self.link = link
    link.onAdapterChange = { [unowned self] properties in update { $0.update(properties) } }
    link.onDeviceChange = { [unowned self] in receive($0, $1, isNew: false) }
    link.onMonitorRelease = { [unowned self] in
      plan.monitorReleased()
      advance()
    }
    plan.update(facts, at: loop.now, using: &random)
    advance()
  }

  func detach() {
    link = nil
    companions = CompanionDevices()
    memory = BeaconMemory()
    watch.forget()
    plan.update(nil, at: loop.now, using: &random)
    advance()
  }

  func update(_ change: (inout AdapterFacts) -> Void) {
    guard var facts = plan.facts else { return }
    change(&facts)
    plan.update(facts, at: loop.now, using: &random)
    advance()
  }

  // MARK: - Devices

  /// What a signal says of a device; `isNew` when it brings the whole device.
  func receive(_ device: String, _ properties: DBusValue, isNew: Bool) {
    noteCompanion(device, properties)
    guard let report = DeviceReport(properties, isNew: isNew) else { return }
    let now = loop.now
    noteReport(of: device, at: now)
    guard let beacon = beacon(of: device, report) else { return }
    counts.iBeacons += 1
    onSighting(
      Sighting(beacon: beacon.identity, measuredPower: beacon.measuredPower, rssi: report.rssi, adapter: index, time: now))
  }

  func forget(_ device: String) {
    memory.forget(device)
    companions.remove(device)
    noteAbsence()
  }

  private func beacon(of device: String, _ report: DeviceReport) -> IBeacon? {
    counts.packets += 1
    counts.events += 1
    counts.reports += 1
    guard let content = report.content else {
      let beacon = memory.beacon(of: device)
      counts.kinds.count(beacon == nil ? .other : .iBeacon)
      return beacon
    }
    counts.kinds.count(content.kind)
    if let malformed = content.malformed { counts.malformed.count(malformed) }
    if let beacon = content.beacon { memory.remember(beacon, of: device) } else { memory.forget(device) }
    return content.beacon
  }

  private func noteReport(of device: String, at now: Instant) {
    rate.count(at: now)
    lastReport = now
    let wasSilent = watch.isSilent
    watch.heard(device, at: now)
    if wasSilent || timer.due == nil && watch.deadline != .never { advance() }
  }

  /// Also for a device that BlueZ only remembers.
  func noteCompanion(_ device: String, _ properties: DBusValue) {
    if companions.update(device, properties) { noteAbsence() }
  }

  private func noteAbsence() {
    guard plan.restsForDevices != companions.anyAway else { return }
    plan.restsForDevices = companions.anyAway
    advance()
  }

  // MARK: - What to do

  private func wake() {
    switch watch.check(at: loop.now, anyConnected: companions.anyConnected, isDiscovering: plan.isDiscovering) {
    case .restartScan: plan.restart()
    case .powerCycle: plan.cyclePower()
    case nil: break
    }
    advance()
  }

  /// Takes the next step, if there is one, and looks at what has become of everything.
  private func advance() {
    let now = loop.now
    if let link, let step = plan.nextStep(at: now) {
      link.perform(step) { [weak self, weak link] error in
        guard let self, let link, self.link === link else { return }
        plan.answered(error, at: loop.now, using: &random)
        advance()
      }
    }
    noteScan(at: now)
    timer.arm(at: min(plan.deadline, watch.deadline))
    tellHealth(at: now)
  }

  /// A scan that was begun anew because of a silence has not ended, and goes on being awaited when BlueZ cannot begin it.
  private func noteScan(at now: Instant) {
    let isAwaited = watch.isProbing && plan.isWanted && plan.state == .paused
    guard isScanning != (plan.isDiscovering || isAwaited) else { return }
    isScanning.toggle()
    if isScanning { watch.scanBegan(at: now) } else { watch.scanEnded() }
  }

  // MARK: - Health

  func health(at now: Instant) -> AdapterHealth {
    AdapterHealth(
      address: address, index: index, name: link?.name, state: state, since: told?.since ?? now,
      reportsPerSecond: rate.perSecond(at: now), lastReport: lastReport, notes: notes)
  }

  private var state: AdapterHealth.State {
    let state = plan.state
    return watch.isSilent && (state == .scanning || state == .paused) ? .silent : state
  }

  private var notes: [String] {
    var notes: [String] = []
    if let trouble = plan.trouble { notes.append("BlueZ refuses to scan: \(trouble)") }
    if plan.isWanted, let lack = monitorLack { notes.append("some controllers report a beacon only once in 10 s: \(lack)") }
    return notes
  }

  private var monitorLack: String? {
    guard let facts = plan.facts, facts.isPowered else { return nil }
    if case .refused(let error) = plan.monitor { return "the advertisement monitor was refused: \(error)" }
    return facts.hasMonitors ? nil : "BlueZ has no advertisement monitor; start bluetoothd with --experimental"
  }

  private func tellHealth(at now: Instant) {
    var health = health(at: now)
    if let told, told.state == health.state, told.notes == health.notes, told.name == health.name { return }
    if told?.state != health.state { health.since = now }
    told = health
    onHealthChange()
  }
}
