import RealModule

/// The edge of the device that points forward: the heading is that of this edge.
public enum DeviceOrientation: Hashable, Sendable {
  /// The top edge of the screen.
  case portrait
  /// The bottom edge.
  case portraitUpsideDown
  /// The right edge: the device is turned to the left, so that its top points to the left.
  case landscapeLeft
  /// The left edge.
  case landscapeRight
  /// A direction in the plane of the screen, in degrees clockwise from the top edge, for a mounted device.
  case mounted(degrees: Double)

  /// Degrees clockwise from the top edge.
  public var angle: Double {
    switch self {
    case .portrait: 0
    case .landscapeLeft: 90
    case .portraitUpsideDown: 180
    case .landscapeRight: 270
    case .mounted(let degrees): degrees
    }
  }

  /// The direction of the edge in the frame of the device.
  var axis: SpaceVector {
    let radians = angle / .degreesPerRadian
    return [.sin(radians), .cos(radians), 0]
  }
}

/// The attitude of the device: which way is up, and which way the magnetic field points.
struct Attitude {
  let up: SpaceVector
  let east: SpaceVector
  let north: SpaceVector

  /// Returns nil if the field has no horizontal part.
  init?(field: SpaceVector, up: SpaceVector) {
    guard let up = up.direction, let east = field.cross(up).direction else { return nil }
    (self.up, self.east, north) = (up, east, up.cross(east))
  }

  /// Returns the heading of the edge in degrees from magnetic north.
  ///
  /// When the edge points up steeply, the back of the device counts instead, as for a device that is held upright: from 45° on gradually,
  /// from 70° on alone.
  func heading(of orientation: DeviceOrientation) -> Double? {
    let edge = orientation.axis
    let elevation = Double.asin(max(-1, min(1, edge.dot(up)))) * .degreesPerRadian
    let share = max(0, min(1, (elevation - 45) / 25))
    let forward = edge * (1 - share) + SpaceVector(0, 0, -1) * share
    let (e, n) = (forward.dot(east), forward.dot(north))
    guard e * e + n * n > 1e-6 else { return nil }
    return (Double.atan2(y: e, x: n) * .degreesPerRadian).normalizedHeading
  }
}
