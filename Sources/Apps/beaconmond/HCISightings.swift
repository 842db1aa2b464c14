import BeaconAdvertising
import BlueZ
import DBus
import EventLoop
import Failures
import HCI
import Instants
import MonitorBus
import ProgramSupport
import Ranging
import Records

/// The packets of every adapter, as its controller sends them. Needs CAP_NET_RAW.
///
/// While bluetoothd runs, it is asked to scan and only listened beside; while it does not, the adapters scan by themselves, passively.
final class HCISightings: SightingSource {
  let name = "hci"
  private let loop: Loop
  private let bluetoothd: BlueZSource
  private var listener: (SourceStep) -> Void = { _ in }
  private var timer: Timer?
  private var watch: AdapterWatch?
  private var told: (state: SourceState, note: String?) = (.gone, nil)
  /// By address; its place is its number in sightings. Nil while it is unplugged.
  private var known: [(address: BluetoothAddress, source: HCISource?)] = []
  /// Of adapters that were unplugged.
  private var past = AdvertisementCounts()
  private var trouble: HCIError?

  /// Throws when the capability is missing, with the command that grants it.
  init(_ loop: Loop) throws(Failure) {
    self.loop = loop
    do throws(DBusError) {
      bluetoothd = try BlueZSource(loop)
    } catch {
      throw Failure(.unavailable, error.message)
    }
    do throws(HCIError) {
      watch = try AdapterWatch(loop) { [unowned self] in refresh() }
    } catch {
      throw Failure(.noPermission, "\(error)")
    }
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    timer = loop.timer { [unowned self] in tell([]) }
    bluetoothd.onServiceChange = { [unowned self] _ in chooseScanner() }
    bluetoothd.onHealthChange = { [unowned self] _ in update() }
    listener(.started(at: loop.now))
    listener(.changed(at: loop.now))
    refresh()
  }

  var demand: HearingDemand {
    get { bluetoothd.demand }
    set {
      guard newValue != bluetoothd.demand else { return }
      bluetoothd.demand = newValue
      chooseScanner()
    }
  }

  var wake = Instant.never {
    didSet { timer?.arm(at: wake) }
  }

  /// The radio cannot wait.
  var isHeld = false

  var now: Instant { loop.now }
  var recorder: Recorder? {
    didSet { for (index, adapter) in known.enumerated() { tapPackets(of: adapter.source, number: index) } }
  }

  var state: SourceState { told.state }
  var note: String? { told.note }
  var counts: AdvertisementCounts {
    known.reduce(into: past) { $0 += $1.source?.counts ?? AdvertisementCounts() }
  }

  var adapters: [Record] {
    known.map { adapter in
      Record([
        "address": .text("\(adapter.address)"), "name": adapter.source.map { .text($0.name) },
        "state": .text((adapter.source?.isScanning(beside: bluetoothd) ?? false ? SourceState.scanning : .gone).rawValue),
      ])
    }
  }

  func yield(adapter address: String) { bluetoothd.yield(adapter: address) }

  func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }

  func adapterName(_ adapter: UInt16) -> String? {
    known.indices.contains(Int(adapter)) ? "\(known[Int(adapter)].address)" : nil
  }

  private func tell(_ sightings: [Sighting]) {
    listener(.heard(sightings, through: loop.now))
  }
}

// MARK: Adapters

extension HCISightings {
  /// Opens what is new and lets go of what is gone.
  private func refresh() {
    do throws(HCIError) {
      let present = try HCIAdapter.all().filter { !$0.address.isZero }
      for index in known.indices where !present.contains(where: { $0.address == known[index].address }) { release(index) }
      for adapter in present { try open(adapter) }
      trouble = nil
    } catch {
      trouble = error
    }
    update()
  }

  private func open(_ adapter: HCIAdapter) throws(HCIError) {
    let index = known.firstIndex { $0.address == adapter.address } ?? known.endIndex
    if index == known.endIndex { known.append((adapter.address, nil)) }
    if let source = known[index].source, source.name == adapter.name, !source.isGone {
      // It was switched off or on, and a scan ends with either.
      if scansByItself, source.state != .startingScan { source.scan() }
      return
    }
    release(index)
    let source = try HCISource(loop, adapter: adapter, number: UInt16(clamping: index))
    source.onSightings = { [unowned self] in tell($0) }
    source.onStateChange = { [unowned self] _ in update() }
    tapPackets(of: source, number: index)
    known[index].source = source
    if scansByItself { source.scan() }
  }

  private func tapPackets(of source: HCISource?, number: Int) {
    source?.onPacket = recorder.map { recorder in { recorder.hear($0, adapter: UInt16(clamping: number), at: $1) } }
  }

  private func release(_ index: Int) {
    past += known[index].source?.counts ?? AdvertisementCounts()
    known[index].source = nil
  }

  /// bluetoothd and a scan of our own would undo what the other sets up.
  private func chooseScanner() {
    for adapter in known {
      if scansByItself { adapter.source?.scan() } else { adapter.source?.stop() }
    }
    update()
  }

  private var scansByItself: Bool { bluetoothd.service != .running && demand != .nothing }

  private func update() {
    let isScanning = known.contains { $0.source?.isScanning(beside: bluetoothd) == true }
    let failures = known.compactMap { $0.source?.failure } + [trouble].compactMap(\.self)
    let note =
      failures.isEmpty
      ? (known.allSatisfy { $0.source == nil } ? "there is no Bluetooth adapter; plug one in" : nil)
      : failures.map { "\($0)" }.joined(separator: "; ")
    let next = (state: isScanning ? SourceState.scanning : .gone, note: note)
    guard next != told else { return }
    told = next
    listener(.changed(at: loop.now))
  }
}

extension HCISource {
  /// Somebody makes its controller scan: itself, or bluetoothd.
  fileprivate func isScanning(beside bluetoothd: BlueZSource) -> Bool {
    if isGone { return false }
    if bluetoothd.service == .running { return bluetoothd.adapters.contains { $0.name == name && $0.state == .scanning } }
    return state == .scanning
  }

  fileprivate var isGone: Bool {
    if case .gone = state { true } else { false }
  }

  fileprivate var failure: HCIError? {
    switch state {
    case .scanFailed(let error), .gone(let error): error
    case .listening, .startingScan, .scanning: nil
    }
  }
}
