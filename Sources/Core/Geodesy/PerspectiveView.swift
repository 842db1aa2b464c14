import RealModule

/// The projection of directions to the picture of a camera that is held without a tilt to the side.
public struct PerspectiveView: Hashable, Sendable {
  /// A place in the picture: from -1 at the left or lower border to +1 at the right or upper one, and beyond outside of it.
  public struct Point: Hashable, Sendable {
    public var horizontal: Double
    public var vertical: Double
  }

  /// The direction of the camera: degrees clockwise from north.
  public let heading: Double
  /// The direction of the camera: degrees above the horizon.
  public let pitch: Double
  /// The horizontal field of view in degrees.
  public let width: Double
  /// The vertical field of view in degrees.
  public let height: Double

  /// Returns nil unless all values are finite, the pitch is in -90…90, and both fields of view are above 0 and below 180.
  public init?(heading: Double, pitch: Double, width: Double, height: Double) {
    guard heading.isFinite, (-90...90).contains(pitch), width > 0, width < 180, height > 0, height < 180 else { return nil }
    (self.heading, self.pitch, self.width, self.height) = (heading, pitch, width, height)
  }

  /// Returns the angle by which the camera has to turn to a bearing in degrees, -180..<180, positive to the right.
  public func turn(to bearing: Double) -> Double {
    let turn = (bearing - heading).remainder(dividingBy: 360)
    return turn == 180 ? -180 : turn
  }

  /// Returns the place of a direction in the picture; nil for one behind the camera, or so far to its side that it has none.
  ///
  /// - Parameters:
  ///   - bearing: degrees clockwise from north.
  ///   - elevation: degrees above the horizon.
  public func point(of bearing: Double, elevation: Double) -> Point? {
    let (turn, rise, tilt) = (Angle(degrees: turn(to: bearing)), Angle(degrees: elevation), Angle(degrees: pitch))
    let (right, level) = (rise.cosine * turn.sine, rise.cosine * turn.cosine)
    let forward = level * tilt.cosine + rise.sine * tilt.sine
    let up = rise.sine * tilt.cosine - level * tilt.sine
    guard forward > 1e-9 else { return nil }
    return Point(
      horizontal: right / forward / .tan(width / 2 * .radiansPerDegree), vertical: up / forward / .tan(height / 2 * .radiansPerDegree))
  }
}

extension Coordinate {
  /// Returns the elevation in degrees of a point that is this much higher, at a distance on the ground, both in metres.
  /// The elevation allows for the curvature of the earth, not for refraction.
  public static func elevation(of height: Double, distance: Double) -> Double {
    let drop = distance * distance / (2 * Ellipsoid.equatorialRadius)
    return .atan2(y: height - drop, x: distance) / .radiansPerDegree
  }
}
