import Events
import Geodesy
import Instants

/// A named place that a circle on the earth bounds.
///
/// It is entered when a fix lies inside it by more than its accuracy, and left when one lies outside by more than its accuracy and `buffer`, each for
/// `hold`: the numbers of Core Location, as far as it tells them.
public struct CircularRegion: Hashable, Sendable {
  public let identifier: String
  public let circle: Circle
  public let owner: RegionOwner
  public let assumed: RegionState
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool
  private let extras: Rare<Extras>

  /// For how long fixes have to agree before somebody has entered or left.
  public static let hold = Span.seconds(20)
  /// No fix tells anything any more after this.
  public static let fixLifetime = Span.seconds(300)

  /// - Parameters:
  ///   - dwell: somebody who stays for so long is told of; nil: nobody is.
  ///   - gate: nil: it does not matter to whoever scans for beacons.
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
    self.extras = Rare(extras == Extras() ? nil : extras)
  }

  public var dwell: Span? { extras.value?.dwell }
  public var gate: Gate? { extras.value?.gate }

  /// Metres beyond the boundary to which whoever is inside still counts as inside.
  public var buffer: Double { max(20, circle.radius / 10) }
}

extension CircularRegion {
  /// Beacons are scanned for only near the region.
  public struct Gate: Hashable, Sendable {
    /// Metres per second: nobody who is known to be faster is at the place. Nil: speed does not matter.
    public let mostSpeed: Double?

    public init(mostSpeed: Double? = nil) {
      self.mostSpeed = mostSpeed
    }
  }

  /// What few of many regions ask for.
  private struct Extras: Hashable, Sendable {
    var dwell: Span?
    var gate: Gate?
  }
}

// MARK: How a fix stands to it

extension CircularRegion {
  /// Where a fix puts the device.
  enum Position {
    case inner
    /// Nobody can tell; what was so goes on.
    case border
    case outer
  }

  /// Metres from the boundary: negative inside.
  public func boundaryDistance(to fix: Fix) -> Double { circle.center.distance(to: fix.place) - circle.radius }

  /// Metres of accuracy that count for it: what is coarser than half the radius counts as that. Nil for a fix that is coarser than the radius, which changes nothing.
  func counted(_ accuracy: Double) -> Double? {
    accuracy <= circle.radius ? min(accuracy, circle.radius / 2) : nil
  }

  /// - Parameters:
  ///   - distance: from its center, metres.
  ///   - accuracy: that counts.
  func position(at distance: Double, accuracy: Double) -> Position {
    if distance + accuracy < circle.radius { return .inner }
    return distance - accuracy > circle.radius + buffer ? .outer : .border
  }
}
