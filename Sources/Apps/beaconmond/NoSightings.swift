import BeaconAdvertising
import EventLoop
import Instants
import Monitoring
import Proximity
import RadioHealth
import Ranging

/// A source without beacons, for a device that only determines its location; its clock is the loop's.
final class NoSightings: RecordableSource {
  private let loop: Loop
  private var listener: (SourceStep) -> Void = { _ in }
  private lazy var timer = loop.timer { [unowned self] in listener(.heard([], through: now)) }

  init(_ loop: Loop) {
    self.loop = loop
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    listener(.started(at: now))
    listener(.changed(at: now))
    timer.arm(at: wake)
  }

  let name = "none"
  let choice: String? = nil
  let reason: String? = nil
  let note: String? = nil
  let state = SourceState.nothing
  let hearsBeacons = false
  let counts = AdvertisementCounts()
  let adapters: [AdapterHealth] = []
  let roster = AdapterRoster()
  /// A region that an app registered while a source was configured becomes unknown.
  let receivers = Receivers.all(.lost)
  var demand = HearingDemand.nothing
  var tap: AdvertisementTap?
  var isHeld = false

  var wake = Instant.never {
    didSet { timer.arm(at: wake) }
  }

  var now: Instant { loop.now }
  func configure(_ adapters: [AdapterSettings]) {}
  var isClockSynchronised: Bool? { WallClock.isSynchronised }

  func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }
}
