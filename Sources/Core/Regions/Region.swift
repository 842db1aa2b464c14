import Events
import Geodesy
import Instants

/// A named place that is watched, whatever marks it.
public enum Region: Hashable, Sendable {
  case beacon(BeaconRegion)
  case circle(CircularRegion)

  /// What marks a region: as long as that is the same, another definition is of the same place.
  public enum Mark: Hashable, Sendable {
    case beacons(BeaconConstraint)
    case circle(Circle)
  }
}

// MARK: What all have

extension Region {
  public var kind: RegionKind {
    switch self {
    case .beacon: .beacon
    case .circle: .circle
    }
  }

  public var mark: Mark {
    switch self {
    case .beacon(let region): .beacons(region.constraint)
    case .circle(let region): .circle(region.circle)
    }
  }

  public var identifier: String { terms.identifier }
  public var owner: RegionOwner { terms.owner }
  /// The state before anything is known.
  public var assumed: RegionState { terms.assumed }
  public var notifyOnEntry: Bool { terms.notifyOnEntry }
  public var notifyOnExit: Bool { terms.notifyOnExit }
  /// Who stays for so long is told of; nil: nobody is.
  public var dwell: Span? { terms.dwell }

  private var terms: any RegionTerms {
    switch self {
    case .beacon(let region): region
    case .circle(let region): region
    }
  }

  public var beaconRegion: BeaconRegion? {
    if case .beacon(let region) = self { region } else { nil }
  }

  public var circularRegion: CircularRegion? {
    if case .circle(let region) = self { region } else { nil }
  }
}

/// What every region says, whatever marks it.
protocol RegionTerms {
  var identifier: String { get }
  var owner: RegionOwner { get }
  var assumed: RegionState { get }
  var notifyOnEntry: Bool { get }
  var notifyOnExit: Bool { get }
  var dwell: Span? { get }
}

extension BeaconRegion: RegionTerms {}
extension CircularRegion: RegionTerms {}

extension RegionTerms {
  var key: RegionKey { RegionKey(identifier: identifier, owner: owner) }

  /// What a listener is told of a change from what a region last was for certain.
  @inline(__always)
  func kind(ofChangeFrom baseline: RegionState, to next: RegionState) -> Event.Kind {
    switch (baseline, next) {
    case (.unknown, .inside), (.outside, .inside): notifyOnEntry ? .enter : .state
    case (.inside, .outside): notifyOnExit ? .exit : .state
    default: .state
    }
  }
}
