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
  /// The venue with the levels, stairs, lifts and places; nil for a scenario on one level.
  /// Its beacons and walls are among those of the scenario.
  public var venue: Venue?
  public var walls: [VenueWall]
  /// The path of the venue's file, for a configuration that plays the scenario.
  public var venueFile: String?
  public var visitors: [VisitorPath]
  /// The visitors whose paths depend on the seed.
  public var randomVisitors: [RandomVisitor]
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
    positioning: PositionReceiver? = nil, venue: Venue? = nil, randomVisitors: [RandomVisitor] = []
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
    self.venue = venue
    self.randomVisitors = randomVisitors
  }

  /// Ends the scenario after a time, unless it is shorter.
  public mutating func end(after duration: Span) { self.duration = min(duration, self.duration) }

  /// The start of every simulation: 2026-01-05T00:00:00Z, a Monday.
  /// It is constant, so that two simulations never differ by it.
  public static let start = Instant(microseconds: 1_767_571_200_000_000)

  public var end: Instant { Self.start + duration }

  public var adapterCount: Int { receivers.reduce(0) { $0 + $1.adapters } }

  /// Returns the ordinal of a level of the venue; zero for an unknown one.
  public func ordinal(ofLevel id: String) -> Int { venue?.level(id)?.ordinal ?? 0 }

  /// The visitor who carries all receivers; nil if there is none.
  var carrier: Int? {
    let carriers = Set(receivers.map(\.position.visitor))
    return carriers.count == 1 ? carriers.first ?? nil : nil
  }

  /// The index of the receiver of each adapter.
  var receiverOfAdapter: [Int] {
    receivers.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.adapters) }
  }
}
