import Geodesy
import Instants
import Regions

/// The true zone of a region, independent of reception.
///
/// A region without `within` is inner if the mean level of one of its beacons reaches the receiver's sensitivity. It is outer if every
/// level is lower than that by more than fading can add. A region with `within` is inner if one of its beacons is within that distance
/// without a wall in between. It is outer if all are beyond `leave-beyond` or behind a wall.
enum Zone: Int, Comparable, Sendable {
  case outer
  /// The border, where both states are right.
  case border
  case inner

  static func < (a: Zone, b: Zone) -> Bool { a.rawValue < b.rawValue }

  /// The margin for fading in dB.
  /// Rayleigh fading lifts two advertisements in a thousand by this much, e^(−6.3), and any other Rician fading lifts fewer.
  private static let strongestFade = 8.0

  /// Determines the zone from a single beacon and a receiver.
  init(_ region: BeaconRegion, level: Double, sensitivity: Double, distance: Double, isWalledOff: Bool) {
    if let nearness = region.nearness {
      self = isWalledOff || distance > nearness.leaveBeyond ? .outer : distance <= nearness.within ? .inner : .border
    } else {
      self = level >= sensitivity ? .inner : level >= sensitivity - Self.strongestFade ? .border : .outer
    }
  }

  /// The width in metres of the border around a place, the usual error of an indoor position.
  private static let placeBorder = 2.0

  /// Determines the zone of a place in a venue from the distance to its area.
  init(distance: Double) {
    self = distance <= 0 ? .inner : distance <= Self.placeBorder ? .border : .outer
  }

  /// Determines the zone of a circle from the distance to its center, by the circle's rule for a fix without noise.
  /// See `CircularRegion`.
  ///
  /// - Parameter accuracy: the accuracy of the device in metres, limited to half the radius, as in the rule.
  init(_ region: CircularRegion, distance: Double, accuracy: Double) {
    let counted = min(accuracy, region.circle.radius / 2)
    if distance + counted < region.circle.radius {
      self = .inner
    } else {
      self = distance - counted > region.circle.radius + region.buffer ? .outer : .border
    }
  }
}
