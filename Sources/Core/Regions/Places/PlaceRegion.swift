import Events
import Instants

/// A place, a whole level or the whole of a venue, by the ids of the venue file.
public struct VenueArea: Hashable, Sendable {
  public enum Part: Hashable, Sendable {
    case place(String)
    case level(String)
    /// The whole venue: the device is at it while its beacons are heard, or while a fix is in its circle.
    case whole
  }

  /// The id of the venue; `nil` for the only configured venue that has the part.
  public let venue: String?
  public let part: Part

  public init(_ part: Part, venue: String? = nil) {
    self.part = part
    self.venue = venue
  }

  /// The id of the place; `nil` for a level.
  public var place: String? {
    if case .place(let id) = part { id } else { nil }
  }

  /// The id of the level; `nil` for a place.
  public var level: String? {
    if case .level(let id) = part { id } else { nil }
  }
}

/// A named place inside an area of a venue, which the indoor position decides about.
///
/// The region is entered when most of the probability of the position is inside the area, and left when little of it is. Between the two
/// limits, the region keeps its state.
public struct PlaceRegion: Hashable, Sendable {
  public let identifier: String
  public let owner: RegionOwner
  public let area: VenueArea
  public let assumed: RegionState
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool
  public let dwell: Span?

  /// The time after which an estimate expires.
  public static let estimateLifetime = Span.seconds(10)

  public init(
    identifier: String, owner: RegionOwner = .config, area: VenueArea, dwell: Span? = nil, assumed: RegionState = .unknown,
    notifyOnEntry: Bool = true, notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.owner = owner
    self.area = area
    self.dwell = dwell
    self.assumed = assumed
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }
}

extension PlaceRegion: AreaRegion {
  public var entryHold: Span { area.part.rule.entryHold }
  public var exitHold: Span { area.part.rule.exitHold }

  public var region: Region { .place(self) }

  public func isSameArea(as other: PlaceRegion) -> Bool { area == other.area }

  public func isMarked(by saved: Region.Mark) -> Bool { saved == .area(area) }
}

/// The indoor position at one instant, as regions judge it.
public struct PlaceEstimate: Hashable, Sendable {
  /// The id of the venue that is judged; `nil` for all venues.
  public let venue: String?
  /// The position on the earth; `nil` for a venue without a known location.
  public let fix: Fix?
  /// The probability that the device is inside each area. An area that is missing was not judged.
  public let probabilities: [VenueArea: Double]
  /// Whether the estimate is valid until the next one, however late: the device has left the venue.
  public let isLasting: Bool

  public init(venue: String? = nil, fix: Fix?, probabilities: [VenueArea: Double], isLasting: Bool = false) {
    self.venue = venue
    self.fix = fix
    self.probabilities = probabilities
    self.isLasting = isLasting
  }
}
