import Geodesy
import Instants
import Regions

/// How a region stands by the venue itself, whatever is heard.
///
/// Of a region without `within`: inner where the mean level of one of its beacons reaches the receiver's sensitivity, outer where it falls short of that by more
/// than fading ever gives. Of a region with `within`: inner where one of its beacons is that near with no wall between, outer where all are beyond `leave-beyond` or
/// behind a wall.
enum Zone: Int, Comparable, Sendable {
  case outer
  /// An engine may say either.
  case border
  case inner

  static func < (a: Zone, b: Zone) -> Bool { a.rawValue < b.rawValue }

  /// In dB. Two advertisements in a thousand are lifted so far by Rayleigh fading, e^(−6.3), and fewer by any other of Rice's kind.
  private static let strongestFade = 8.0

  /// Of a single beacon as one receiver has it.
  init(_ region: BeaconRegion, level: Double, sensitivity: Double, distance: Double, isWalledOff: Bool) {
    if let nearness = region.nearness {
      self = isWalledOff || distance > nearness.leaveBeyond ? .outer : distance <= nearness.within ? .inner : .border
    } else {
      self = level >= sensitivity ? .inner : level >= sensitivity - Self.strongestFade ? .border : .outer
    }
  }

  /// Of a circle, for a device that is so far from its center: what its rule says of a fix without noise. See `CircularRegion`.
  ///
  /// - Parameter accuracy: what the device knows of its own, metres. More than half the radius counts as that, as it does for the rule.
  init(_ region: CircularRegion, distance: Double, accuracy: Double) {
    let counted = min(accuracy, region.circle.radius / 2)
    if distance + counted < region.circle.radius {
      self = .inner
    } else {
      self = distance - counted > region.circle.radius + region.buffer ? .outer : .border
    }
  }
}
