import BeaconAdvertising
import BlueZ
import DBus
import EventLoop
import Failures
import Instants
import MonitorBus
import ProgramSupport
import Ranging
import Records

/// The adapters of this machine, through bluetoothd. Its clock is the loop's.
final class BlueZSightings: SightingSource {
  let name = "bluez"
  private let loop: Loop
  private let source: BlueZSource
  private var listener: (SourceStep) -> Void = { _ in }
  private var timer: Timer?
  private var told: (state: SourceState, note: String?) = (.gone, nil)

  /// On the system bus, wherever the daemon's own name is.
  init(_ loop: Loop) throws(Failure) {
    self.loop = loop
    do throws(DBusError) {
      source = try BlueZSource(loop)
    } catch {
      throw Failure(.unavailable, error.message)
    }
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    timer = loop.timer { [unowned self] in tell([]) }
    source.onSightings = { [unowned self] in tell($0) }
    source.onHealthChange = { [unowned self] _ in update() }
    source.onServiceChange = { [unowned self] _ in update() }
    listener(.started(at: loop.now))
    listener(.changed(at: loop.now))
  }

  var demand: HearingDemand {
    get { source.demand }
    set { source.demand = newValue }
  }

  var wake = Instant.never {
    didSet { timer?.arm(at: wake) }
  }

  /// The radio cannot wait.
  var isHeld = false

  var now: Instant { loop.now }
  var recorder: Recorder? {
    didSet { source.onReport = recorder.map { recorder in { recorder.hear($0, adapter: $1, at: $2) } } }
  }

  var state: SourceState { told.state }
  var note: String? { told.note }
  var counts: AdvertisementCounts { source.counts }
  var adapters: [Record] { source.adapters.map { $0.record(wallClock: wallClock) } }

  func yield(adapter address: String) { source.yield(adapter: address) }

  func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }

  func adapterName(_ adapter: UInt16) -> String? { source.adapters.first { $0.index == adapter }?.address }

  private func tell(_ sightings: [Sighting]) {
    listener(.heard(sightings, through: loop.now))
  }

  private func update() {
    let adapters = source.adapters
    let next = (state: Self.state(of: adapters), note: note(of: adapters))
    guard next != told else { return }
    told = next
    listener(.changed(at: loop.now))
  }

  /// One that scans is enough to hear; one that is about to is worth waiting for.
  private static func state(of adapters: [AdapterHealth]) -> SourceState {
    if adapters.contains(where: { $0.state == .scanning }) { return .scanning }
    return adapters.contains { $0.state == .paused } ? .paused : .gone
  }

  private func note(of adapters: [AdapterHealth]) -> String? {
    switch source.service {
    case .unreachable(nil): return nil
    case .unreachable(let reason?): return "\(reason.message); BlueZ is on the system bus, start it"
    case .absent: return "bluetoothd is not running; start it with \"systemctl start bluetooth\""
    case .running: break
    }
    let troubled = adapters.filter { $0.state != .scanning || !$0.notes.isEmpty }
    if adapters.isEmpty { return "there is no Bluetooth adapter; plug one in" }
    return troubled.isEmpty ? nil : troubled.map(\.line).joined(separator: "; ")
  }
}

extension AdapterHealth {
  /// `00:1A:7D:DA:71:13 is blocked: unblock it with "rfkill unblock bluetooth"`
  fileprivate var line: String {
    "\(address) is \(state.rawValue)" + (notes.isEmpty ? "" : ": \(notes.joined(separator: ", "))")
  }

  fileprivate func record(wallClock: (Instant) -> Instant) -> Record {
    Record([
      "address": .text(address), "name": name.map { .text($0) }, "state": .text(state.rawValue), "since": .time(wallClock(since)),
      "reportsPerSecond": .quantity(reportsPerSecond, decimals: 1), "lastReport": lastReport.map { .time(wallClock($0)) },
      "note": notes.isEmpty ? nil : .text(notes.joined(separator: ", ")),
    ])
  }
}
