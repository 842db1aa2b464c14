import BeaconAdvertising
import Beacons
import EventLoop
import Instants
import Monitoring
import Proximity
import RadioHealth
import Ranging

/// A source without beacons, for a device that only determines its location or heading; its clock is the loop's.
public final class NoReceivers: RecordableSource {
  private let loop: Loop
  private var listener: (SourceStep) -> Void = { _ in }
  private lazy var timer = loop.timer { [unowned self] in listener(.heard([], through: now)) }

  public init(_ loop: Loop) {
    self.loop = loop
  }

  public func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    listener(.started(at: now))
    listener(.changed(at: now))
    timer.arm(at: wake)
  }

  public let name = "none"
  public let choice: String? = nil
  public let reason: String? = nil
  public let note: String? = nil
  public let state = SourceState.nothing
  public let hearsBeacons = false
  public let counts = AdvertisementCounts()
  public let adapters: [AdapterHealth] = []
  public let roster = AdapterRoster()
  /// A region that an app registered while a source was configured becomes unknown.
  public let receivers = Receivers.all(.lost)
  public var demand = HearingDemand.nothing
  public var tap: AdvertisementTap?
  public var isHeld = false

  public var wake = Instant.never {
    didSet { timer.arm(at: wake) }
  }

  public var now: Instant { loop.now }
  public func configure(_ adapters: [AdapterSettings]) {}
  public var isClockSynchronised: Bool? { WallClock.isSynchronised }

  public func wallClock(_ instant: Instant) -> Instant { WallClock.time(of: instant, on: loop) }
}
