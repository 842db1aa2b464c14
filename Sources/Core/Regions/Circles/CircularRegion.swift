import Events
import Geodesy
import Instants

/// A named place inside a circle on the earth.
///
/// The region is entered when a fix lies inside the circle by more than the fix's accuracy. It is left when a fix lies outside by more than
/// the accuracy and `buffer`. Both must last for `hold`. The numbers are those of Core Location where its documentation states them.
public struct CircularRegion: Hashable, Sendable {
  public let identifier: String
  public let circle: Circle
  public let owner: RegionOwner
  public let assumed: RegionState
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool
  private let extras: BoxedOptional<Extras>

  /// The time for which fixes must agree before the region is entered or left.
  public static let hold = Span.seconds(20)
  /// The time after which a fix expires.
  public static let fixLifetime = Span.seconds(300)

  /// Creates a region.
  ///
  /// - Parameters:
  ///   - dwell: the length of a stay after which the region sends a dwell event; `nil` for none.
  ///   - gate: `nil` if the region does not affect scanning for beacons.
  public init(
    identifier: String, owner: RegionOwner = .config, circle: Circle, dwell: Span? = nil, assumed: RegionState = .unknown,
    notifyOnEntry: Bool = true, notifyOnExit: Bool = true, gate: Gate? = nil
  ) {
    self.identifier = identifier
    self.owner = owner
    self.circle = circle
    self.assumed = assumed
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
    let extras = Extras(dwell: dwell, gate: gate)
    self.extras = BoxedOptional(extras == Extras() ? nil : extras)
  }

  public var dwell: Span? { extras.value?.dwell }
  public var gate: Gate? { extras.value?.gate }

  /// The metres beyond the boundary at which a device that was inside still counts as inside.
  public var buffer: Double { max(20, circle.radius / 10) }
}

extension CircularRegion {
  /// Limits scanning for beacons to the vicinity of the region.
  public struct Gate: Hashable, Sendable {
    /// The highest speed in m/s at which a device can be at the place; `nil` if speed does not matter.
    public let mostSpeed: Double?

    public init(mostSpeed: Double? = nil) {
      self.mostSpeed = mostSpeed
    }
  }

  /// The properties that only a few of many regions have.
  private struct Extras: Hashable, Sendable {
    var dwell: Span?
    var gate: Gate?
  }
}

// MARK: The position of a fix

extension CircularRegion {
  /// Returns the distance from the boundary in metres: negative inside.
  public func boundaryDistance(to fix: Fix) -> Double { circle.center.distance(to: fix.place) - circle.radius }

  /// Returns the accuracy in metres that counts for the region, which is at most half the radius.
  ///
  /// Nil for a fix that is coarser than the radius, which changes nothing.
  func counted(_ accuracy: Double) -> Double? {
    accuracy <= circle.radius ? min(accuracy, circle.radius / 2) : nil
  }

  /// Returns the position of a fix.
  ///
  /// - Parameters:
  ///   - distance: from the region's center, in metres.
  ///   - accuracy: the accuracy that counts, in metres.
  func position(at distance: Double, accuracy: Double) -> AreaPosition {
    if distance + accuracy < circle.radius { return .inner }
    return distance - accuracy > circle.radius + buffer ? .outer : .border
  }
}

// MARK: Area

extension CircularRegion: AreaRegion {
  public var entryHold: Span { Self.hold }
  public var exitHold: Span { Self.hold }

  public var region: Region { .circle(self) }

  public func isSameArea(as other: CircularRegion) -> Bool { circle == other.circle }

  public func isMarked(by saved: Region.Mark) -> Bool {
    if case .circle(let saved) = saved { saved.isAlike(circle) } else { false }
  }
}
