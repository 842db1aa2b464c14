import BeaconAdvertising
import Beacons
import EventLoop
import Failures
import Instants
import Logging
import Monitoring
import Proximity
import RadioHealth
import Ranging

/// The adapters of this machine as a source; its clock is the loop's.
public final class RadioSightings: RecordableSource {
  private let loop: Loop
  private let source: RadioSource
  private let log: Logger
  private lazy var adapterLog = AdapterLog(loop, log: log) { [source] in (source.trouble, source.adapters) }
  private var listener: (SourceStep) -> Void = { _ in }
  private lazy var timer = loop.timer { [unowned self] in deliver([]) }

  public init(_ loop: Loop, _ source: RadioSource, log: Logger) {
    self.loop = loop
    self.source = source
    self.log = log
  }

  /// Opens the adapters of this machine, and throws if the configured backend is not permitted or not available.
  public convenience init(
    _ loop: Loop, _ backend: RadioBackend, adapters: [AdapterSettings], namesSystemctl: Bool, log: Logger
  ) throws(Failure) {
    do throws(RadioError) {
      let source = try RadioSource(loop, backend, adapters: adapters)
      source.namesSystemctl = namesSystemctl
      self.init(loop, source, log: log)
    } catch {
      switch error {
      case .packets: throw Failure(.noPermission, "\(error)")
      case .bus: throw Failure(.unavailable, "\(error)")
      }
    }
  }

  public func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    source.onSightings = { [unowned self] in deliver($0) }
    source.onChange = { [unowned self] in changed() }
    loop.onStall = { [weak self] in self?.listener(.stalled(from: $0, to: $1)) }
    listener(.started(at: loop.now))
    changed()
    source.start()
  }

  public func configure(_ adapters: [AdapterSettings]) { source.configure(adapters) }

  public var demand: HearingDemand {
    get { source.demand }
    set { source.demand = newValue }
  }

  public var wake = Instant.never {
    didSet { timer.arm(at: wake) }
  }

  /// A switch without effect: adapters cannot wait.
  public var isHeld = false

  public var now: Instant { loop.now }
  public var tap: AdvertisementTap? {
    didSet { (source.onPacket, source.onReport) = (tap?.packet, tap?.report) }
  }

  public func yield(adapter address: BluetoothAddress) { source.yield(adapter: address) }

  public var name: String { source.backend.rawValue }
  public var choice: String? { source.backend == .auto ? source.choice.rawValue : nil }
  public var reason: String? { source.reason }
  public var note: String? { source.trouble }
  public var counts: AdvertisementCounts { source.counts }
  public func takeTelemetry() -> [BeaconTelemetry] { source.takeTelemetry() }
  public var adapters: [AdapterHealth] { source.adapters }
  public var roster: AdapterRoster { source.roster }
  public var receivers: Receivers { source.receivers }

  public var state: SourceState { SourceState(of: source.adapters) }

  public var isClockSynchronised: Bool? { WallClock.isSynchronised }

  public func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }

  private func changed() {
    adapterLog.changed()
    listener(.changed(at: loop.now))
  }

  private func deliver(_ sightings: [Sighting]) {
    let now = loop.now
    loop.noteStall(at: now)
    listener(.heard(sightings, through: now))
  }
}
