import BeaconAdvertising
import Diagnostics
import EventLoop
import Failures
import Instants
import Logging
import Monitoring
import ProgramSupport
import Proximity
import Radio
import Radios
import Ranging

/// The adapters of this machine as a source; its clock is the loop's.
final class RadioSightings: RecordableSource {
  private let loop: Loop
  private let source: RadioSource
  private let log: Logger
  private var news = RadioNews()
  /// The delay of log lines about adapters; changes that do not last as long are not logged.
  /// For example, when an adapter is unplugged, BlueZ first reports that it is off.
  private static let newsDelay = Span.milliseconds(300)
  private lazy var newsTimer = loop.timer { [unowned self] in logNews() }
  private var listener: (SourceStep) -> Void = { _ in }
  private var timer: Timer?

  init(_ loop: Loop, _ way: RadioWay, adapters: [AdapterSettings], namesSystemctl: Bool, log: Logger) throws(Failure) {
    self.loop = loop
    self.log = log
    do throws(RadioError) {
      source = try RadioSource(loop, way, adapters: adapters)
      source.namesSystemctl = namesSystemctl
    } catch {
      switch error {
      case .packets: throw Failure(.noPermission, "\(error)")
      case .bus: throw Failure(.unavailable, "\(error)")
      }
    }
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    timer = loop.timer { [unowned self] in tell([]) }
    source.onSightings = { [unowned self] in tell($0) }
    source.onChange = { [unowned self] in changed() }
    listener(.started(at: loop.now))
    changed()
    source.start()
  }

  func configure(_ adapters: [AdapterSettings]) { source.configure(adapters) }

  var demand: HearingDemand {
    get { source.demand }
    set { source.demand = newValue }
  }

  var wake = Instant.never {
    didSet { timer?.arm(at: wake) }
  }

  /// Has no effect: adapters cannot wait.
  var isHeld = false

  var now: Instant { loop.now }
  var recorder: Recorder? {
    didSet {
      source.onPacket = recorder.map { recorder in { recorder.hear($0, adapter: $1, at: $2) } }
      source.onReport = recorder.map { recorder in { recorder.hear($0, adapter: $1, at: $2) } }
    }
  }

  func yield(adapter address: BluetoothAddress) { source.yield(adapter: address) }

  var name: String { source.way.rawValue }
  var choice: String? { source.way == .auto ? source.choice.rawValue : nil }
  var reason: String? { source.reason }
  var note: String? { source.trouble }
  var counts: AdvertisementCounts { source.counts }
  var adapters: [AdapterHealth] { source.adapters }
  var roster: AdapterRoster { source.roster }
  var receivers: Receivers { source.receivers }

  /// The state of all adapters: one that scans is enough, and one that is about to scan is worth waiting for.
  var state: SourceState {
    let states = source.adapters.map(\.state)
    if states.contains(.scanning) { return .scanning }
    if states.contains(.paused) { return .paused }
    return states.contains(.idle) ? .idle : .gone
  }

  var isClockSynchronised: Bool? { WallClock.isSynchronised }

  func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }

  private func changed() {
    if source.adapters.contains(where: { $0.state == .silent }) {
      // A state that is detected and answered here at once would be over before it is reported.
      logNews()
    } else if newsTimer.due == nil {
      newsTimer.arm(after: Self.newsDelay)
    }
    listener(.changed(at: loop.now))
  }

  private func logNews() {
    for line in news.lines(trouble: source.trouble, adapters: source.adapters) {
      log.log(level: line.isGood ? .notice : .warning, "\(line.text)", metadata: .init(.adapterChanged, adapter: line.adapter))
    }
  }

  private func tell(_ sightings: [Sighting]) {
    listener(.heard(sightings, through: loop.now))
  }
}
