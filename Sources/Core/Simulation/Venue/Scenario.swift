import Instants
import Ranging
import Regions
import Venues

/// A venue and a period: the complete input of a simulation except its seed.
public struct Scenario: Hashable, Sendable {
  /// The name in texts.
  public var name: String
  public var duration: Span
  /// The end of the learning time since the beginning; earlier events are not scored.
  public var scoredFrom: Span
  public var radio: RadioModel
  public var walls: [VenueWall]
  public var visitors: [VisitorPath]
  public var beacons: [SimulatedBeacon]
  /// The receivers; adapters are numbered from zero in this order.
  public var receivers: [Receiver]
  /// The location of the plan on the earth; nil if the venue has none.
  public var site: VenueSite?
  /// The position receiver, which requires a site; nil: the device does not know its location.
  public var positioning: PositionReceiver?
  public var crowd: Crowd?
  public var faults: [Fault]
  /// The regions that the engine under test monitors.
  public var regions: [Region]
  public var ranging: RangingSettings

  public init(
    name: String, duration: Span, scoredFrom: Span = .zero, radio: RadioModel = RadioModel(), walls: [VenueWall] = [],
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

  /// The start of every simulation: 2026-01-05T00:00:00Z, a Monday.
  /// It is constant, so that two simulations never differ by it.
  public static let start = Instant(microseconds: 1_767_571_200_000_000)

  public var end: Instant { Self.start + duration }

  public var adapterCount: Int { receivers.reduce(0) { $0 + $1.adapters } }

  /// The index of the receiver of each adapter.
  var receiverOfAdapter: [Int] {
    receivers.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.adapters) }
  }
}
