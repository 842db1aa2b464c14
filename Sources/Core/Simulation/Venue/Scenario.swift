import Instants
import Ranging
import Regions

/// A venue and a time in it: all that a simulation needs but its seed.
public struct Scenario: Hashable, Sendable {
  /// For people.
  public var name: String
  public var duration: Span
  /// What happens earlier than this, since the beginning, is not scored: the time in which the engine learns.
  public var scoredFrom: Span
  public var radio: RadioModel
  public var walls: [Wall]
  public var visitors: [VisitorPath]
  public var beacons: [SimulatedBeacon]
  /// Their adapters are counted from zero, in this order.
  public var receivers: [Receiver]
  /// Where the plan lies; nil: nowhere on the earth.
  public var site: VenueSite?
  /// Nil: the device does not know where it is. Takes a site.
  public var positioning: PositionReceiver?
  public var crowd: Crowd?
  public var faults: [Fault]
  /// What the engine under trial watches, and how it ranges.
  public var regions: [Region]
  public var ranging: RangingSettings

  public init(
    name: String, duration: Span, scoredFrom: Span = .zero, radio: RadioModel = RadioModel(), walls: [Wall] = [],
    visitors: [VisitorPath] = [],
    beacons: [SimulatedBeacon] = [], receivers: [Receiver] = [], crowd: Crowd? = nil, faults: [Fault] = [],
    regions: [Region] = [], ranging: RangingSettings = RangingSettings(), site: VenueSite? = nil,
    positioning: PositionReceiver? = nil
  ) {
    self.name = name
    self.duration = duration
    self.scoredFrom = scoredFrom
    self.radio = radio
    self.walls = walls
    self.visitors = visitors
    self.beacons = beacons
    self.receivers = receivers
    self.crowd = crowd
    self.faults = faults
    self.regions = regions
    self.ranging = ranging
    self.site = site
    self.positioning = positioning
  }

  /// When every simulation begins, so that two are never told apart by it: 2026-01-05T00:00:00Z, a Monday.
  public static let start = Instant(microseconds: 1_767_571_200_000_000)

  public var end: Instant { Self.start + duration }

  public var adapterCount: Int { receivers.reduce(0) { $0 + $1.adapters } }

  /// The receiver of each adapter.
  var receiverOfAdapter: [Int] {
    receivers.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.adapters) }
  }
}
