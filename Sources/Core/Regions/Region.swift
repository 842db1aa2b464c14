import Beacons
import Events
import Geodesy
import Instants

/// A named place that a session or the config monitors: a set of beacons, a circle, or a place in a venue.
public enum Region: Hashable, Sendable {
  case beacon(BeaconRegion)
  case circle(CircularRegion)
  case place(PlaceRegion)

  /// The beacons, the circle or the area of a region. Two definitions with the same mark describe the same place.
  public enum Mark: Hashable, Sendable {
    case beacons(BeaconConstraint)
    case circle(Circle)
    case area(VenueArea)
  }
}

// MARK: Properties of all kinds

extension Region {
  public var kind: RegionKind {
    switch self {
    case .beacon: .beacon
    case .circle: .circle
    case .place: .place
    }
  }

  public var mark: Mark {
    switch self {
    case .beacon(let region): .beacons(region.constraint)
    case .circle(let region): .circle(region.circle)
    case .place(let region): .area(region.area)
    }
  }

  public var identifier: String { terms.identifier }
  public var owner: RegionOwner { terms.owner }
  /// The state before any sighting or fix.
  public var assumed: RegionState { terms.assumed }
  public var notifyOnEntry: Bool { terms.notifyOnEntry }
  public var notifyOnExit: Bool { terms.notifyOnExit }
  /// The length of a stay after which the region sends a dwell event; `nil` for none.
  public var dwell: Span? { terms.dwell }

  private var terms: any RegionTerms {
    switch self {
    case .beacon(let region): region
    case .circle(let region): region
    case .place(let region): region
    }
  }

  public var beaconRegion: BeaconRegion? {
    if case .beacon(let region) = self { region } else { nil }
  }

  public var circularRegion: CircularRegion? {
    if case .circle(let region) = self { region } else { nil }
  }

  public var placeRegion: PlaceRegion? {
    if case .place(let region) = self { region } else { nil }
  }
}

/// The properties that every region has, whatever marks it.
public protocol RegionTerms {
  var identifier: String { get }
  var owner: RegionOwner { get }
  var assumed: RegionState { get }
  var notifyOnEntry: Bool { get }
  var notifyOnExit: Bool { get }
  var dwell: Span? { get }
}

extension BeaconRegion: RegionTerms {}

extension RegionTerms {
  var key: RegionKey { RegionKey(identifier: identifier, owner: owner) }

  /// Returns the kind of event for a change from the last certain state.
  @inline(__always)
  func kind(ofChangeFrom baseline: RegionState, to next: RegionState) -> Event.Kind {
    switch (baseline, next) {
    case (.unknown, .inside), (.outside, .inside): notifyOnEntry ? .enter : .state
    case (.inside, .outside): notifyOnExit ? .exit : .state
    default: .state
    }
  }
}
