import BeaconAdvertising
import Beacons
import DBus
import EventLoop
import Instants
import RadioHealth
import Ranging
import Records
import Scheduling

/// An adapter by its address, across unplugging: it takes the plan's steps, delivers sightings and reports its health.
final class BlueZAdapter {
  let address: BluetoothAddress
  let number: UInt16
  var onSighting: (Sighting) -> Void = { _ in }
  /// The frames of telemetry since the last call of `takeTelemetry`.
  private var telemetry: [BeaconTelemetry] = []
  /// Receives every report, including those of other devices, before the sighting in it; nil if no recording needs reports.
  var onReport: ((AdvertisingReport, Instant) -> Void)?
  /// Runs after a change of state or notes.
  var onHealthChange: () -> Void = {}
  private(set) var counts = AdvertisementCounts()

  private let loop: Loop
  private let purpose: DiscoveryPurpose
  private(set) var link: AdapterLink?
  /// Drops the answers of an earlier link.
  private let answers = StaleAnswerFilter()
  private(set) var plan = DiscoveryPlan()
  private(set) var watch = SilenceWatch()
  private var companions = CompanionDevices()
  private var memory = DeviceMemory<BeaconPayload>()
  /// The devices with public addresses; BlueZ reports the type only with a whole device.
  /// Most addresses are random, so only the others are remembered.
  private var publicAddresses = DeviceMemory<Bool>()
  /// The last signal about a device before BlueZ reports that the monitor found it.
  private var signalled: (device: String, rssi: Int8?, data: [UInt8]?)?
  private(set) var rate: AdvertisementRate
  private(set) var lastReport: Instant?
  var reported: AdapterHealth?
  private var isScanning = false
  private var random = SystemRandomNumberGenerator()
  private lazy var timer = loop.timer { [unowned self] in wake() }

  init(_ loop: Loop, _ purpose: DiscoveryPurpose, address: BluetoothAddress, number: UInt16) {
    self.loop = loop
    self.purpose = purpose
    self.address = address
    self.number = number
    rate = AdvertisementRate(from: loop.now)
  }

  var demand: HearingDemand {
    get { plan.demand }
    set {
      guard newValue != plan.demand else { return }
      plan.demand = newValue
      advance()
    }
  }

  /// Releases everything for a moment, so that an advertisement can begin.
  func yield() {
    plan.yield(at: loop.now)
    advance()
  }

  var path: String? { link?.path }

  // MARK: - Attaching and detaching

  func attach(_ link: AdapterLink, _ facts: AdapterFacts) {
    if self.link != nil { detach() }
    self.link = link
    link.onDeviceFound = { [unowned self] in find($0) }
    link.onMonitorRelease = { [unowned self] in
      plan.monitorReleased()
      advance()
    }
    plan.update(facts, at: loop.now, using: &random)
    advance()
  }

  func detach() {
    link = nil
    answers.renew()
    companions = CompanionDevices()
    memory = DeviceMemory()
    publicAddresses = DeviceMemory()
    signalled = nil
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

  /// Takes a signal about a device; `isNew` if it brings the whole device.
  func receive(_ device: String, _ properties: DBusValue, isNew: Bool) {
    noteCompanion(device, properties)
    guard purpose == .hearing, let report = DeviceUpdate(properties, isNew: isNew) else { return }
    // Keeps the content even without demand: BlueZ does not signal unchanged content again.
    if let content = report.content { remember(content, of: device) }
    guard plan.isWanted else { return }
    noteTelemetry(device, properties)
    let data = onReport == nil ? nil : DeviceUpdate.advertisingData(properties)
    if plan.isListening {
      signalled = (device, report.rssi, data)
    } else {
      hear(device, rssi: report.rssi, as: report.content, data: data)
    }
  }

  /// Takes a report of a device that the monitor matches.
  /// In a discovery BlueZ signals the report as well; without one it signals only changes.
  private func find(_ device: String) {
    guard purpose == .hearing, plan.isListening else { return }
    let signal = signalled?.device == device ? signalled : nil
    hear(device, rssi: signal?.rssi, as: nil, data: signal?.data)
    signalled = nil
  }

  /// Remembers a device that BlueZ has met before and may receive again.
  func recall(_ device: String, _ properties: DBusValue) {
    noteCompanion(device, properties)
    if let beacon = DeviceUpdate.Content(properties)?.beacon { memory.remember(beacon, of: device) }
  }

  /// Delivers a report; `content` and `data` are its new parts.
  private func hear(_ device: String, rssi: Int8?, as content: DeviceUpdate.Content?, data: [UInt8]?) {
    noteReports(1, of: CollectionOfOne(UInt64(truncatingIfNeeded: device.hashValue)), at: loop.now)
    // The report may have changed the adapter's health. That comes first, and the engine would date an earlier sighting to it, unlike a
    // replay of the recording.
    let now = loop.now
    let beacon = memory[device]
    count(content, beacon?.format)
    report(device, rssi: rssi, data: data ?? beacon?.structure, at: now)
    guard let beacon else { return }
    onSighting(
      Sighting(
        beacon: beacon.identity, measuredPower: beacon.measuredPower, rssi: rssi, format: beacon.format, adapter: number,
        transmitter: BluetoothAddress(devicePath: device)?.transmitter ?? 0, time: now))
  }

  func forget(_ device: String) {
    memory.forget(device)
    publicAddresses.forget(device)
    companions.remove(device)
    noteAbsence()
  }

  /// Keeps the frame of telemetry that a signal brings. bluetoothd shows the last one of a device whenever it changes.
  private func noteTelemetry(_ device: String, _ properties: DBusValue) {
    guard let data = properties["ServiceData"]?[Self.eddystone]?.bytes, let address = BluetoothAddress(devicePath: device),
      let frame = BeaconTelemetry(serviceData: data, transmitter: address.transmitter, time: loop.now)
    else { return }
    if telemetry.count >= BeaconTelemetry.mostPending { telemetry.removeFirst() }
    telemetry.append(frame)
  }

  /// Returns the telemetry of beacons since the last call.
  func takeTelemetry() -> [BeaconTelemetry] {
    defer { telemetry = [] }
    return telemetry
  }

  private static let eddystone = "0000feaa-0000-1000-8000-00805f9b34fb"

  private func remember(_ content: DeviceUpdate.Content, of device: String) {
    if let beacon = content.beacon { memory.remember(beacon, of: device) } else { memory.forget(device) }
  }

  private func count(_ content: DeviceUpdate.Content?, _ format: BeaconFormat?) {
    counts.events += 1
    counts.kinds.count(content?.kind ?? format?.kind ?? .other)
    if let malformed = content?.malformed { counts.malformed.count(malformed) }
    if let format { counts.beacons.count(format) }
  }

  private func report(_ device: String, rssi: Int8?, data: [UInt8]?, at now: Instant) {
    guard let onReport, let address = BluetoothAddress(devicePath: device) else { return }
    let isRandom = publicAddresses[device] == nil
    onReport(AdvertisingReport(address: address, isRandom: isRandom, rssi: rssi, data: data ?? []), now)
  }

  /// Counts reports of another source, from these devices and perhaps others.
  func noteReports(_ count: Int, of devices: some Collection<UInt64>, at now: Instant) {
    rate.count(count, at: now)
    lastReport = now
    let wasSilent = watch.isSilent
    for device in devices { watch.heard(device, at: now) }
    if wasSilent || timer.due == nil && watch.deadline != .never { advance() }
  }

  private func noteCompanion(_ device: String, _ properties: DBusValue) {
    if properties["AddressType"]?.string == "public" { publicAddresses.remember(true, of: device) }
    if companions.update(device, properties) { noteAbsence() }
  }

  private func noteAbsence() {
    guard plan.restsForDevices != companions.anyAway else { return }
    plan.restsForDevices = companions.anyAway
    advance()
  }

  // MARK: - Steps

  private func wake() {
    switch watch.check(at: loop.now, anyConnected: companions.anyConnected, isHearing: plan.isHearing) {
    case .restartScan: plan.restart()
    case .powerCycle: plan.cyclePower()
    case nil: break
    }
    advance()
  }

  /// Takes the next step, if there is one, and updates the health.
  private func advance() {
    let now = loop.now
    if let link, let step = plan.nextStep(at: now) {
      let completion = answers.current { [weak self] (error: DBusError?) in
        guard let self else { return }
        plan.answered(error, at: loop.now, using: &random)
        advance()
      }
      link.perform(step, completion: completion)
    }
    noteScan(at: now)
    timer.arm(at: min(plan.deadline, watch.deadline))
    reportHealth(at: now)
  }

  /// Notes whether the scan runs.
  /// A scan that was restarted because of silence has not ended, and stays expected if BlueZ cannot start it.
  private func noteScan(at now: Instant) {
    let isAwaited = watch.isProbing && plan.isWanted && plan.state == .paused
    guard isScanning != (plan.isHearing || isAwaited) else { return }
    isScanning.toggle()
    if isScanning { watch.scanBegan(at: now) } else { watch.scanEnded() }
  }
}
