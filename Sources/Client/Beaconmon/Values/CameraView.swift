internal import Geodesy

/// A view through the camera: turns bearings into places on the screen, for overlays that mark what is there.
///
/// Core Location leaves this to apps. The camera is the one in the back of the device, and the screen shows its whole picture.
public struct CameraView: Hashable, Sendable {
  /// The edge of the device that is up while its user looks at the screen.
  public enum Orientation: Double, Hashable, Sendable, CaseIterable {
    case portrait = 0
    /// The device is turned to the left: its top edge points to the left.
    case landscapeLeft = 90
    case portraitUpsideDown = 180
    /// The device is turned to the right: its top edge points to the right.
    case landscapeRight = 270

    fileprivate var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  }

  /// The angles that the camera sees, in degrees from border to border.
  public struct FieldOfView: Hashable, Sendable {
    /// Along the long side of the screen.
    public var long: Double
    /// Along the short side of the screen.
    public var short: Double

    public init(long: Double, short: Double) {
      (self.long, self.short) = (long, short)
    }
  }

  /// The heading of the device in degrees clockwise from true north; nil while it is unknown.
  public var heading: Double?
  /// The accuracy of the heading in degrees, one standard deviation; nil if it is unknown.
  public var headingAccuracy: Double?
  /// The edge that `heading` is that of: the heading orientation of the location manager.
  public var headingOrientation: Orientation
  /// The edge that is up.
  public var orientation: Orientation
  /// The direction of the camera in degrees above the horizon; nil if it is unknown.
  public var pitch: Double?
  public var fieldOfView: FieldOfView

  public init(
    heading: Double?, headingAccuracy: Double? = nil, headingOrientation: Orientation = .portrait, orientation: Orientation = .portrait,
    pitch: Double? = nil, fieldOfView: FieldOfView
  ) {
    (self.heading, self.headingAccuracy, self.headingOrientation) = (heading, headingAccuracy, headingOrientation)
    (self.orientation, self.pitch, self.fieldOfView) = (orientation, pitch, fieldOfView)
  }

  /// The direction of the camera in degrees clockwise from true north, 0..<360.
  ///
  /// It is nil without a heading, and where the heading may be opposite to the camera:
  /// - The edge of the heading is opposite to the one that is up, so that it points down.
  /// - Both edges are the same, and the camera looks up by more than 30°, so that the edge points backwards.
  ///
  /// With a heading orientation of 90° to the side of `orientation`, there is a direction at every pitch.
  public var direction: Double? {
    guard let heading, heading.isFinite, !isAmbiguous else { return nil }
    let turned = (heading + orientation.rawValue - headingOrientation.rawValue).truncatingRemainder(dividingBy: 360)
    let positive = turned < 0 ? turned + 360 : turned
    return positive < 360 ? positive : 0
  }

  /// The greatest pitch in degrees at which the heading of the upper edge is still that of the camera.
  private static let mostPitch = 30.0

  private var isAmbiguous: Bool {
    let angle = abs(orientation.rawValue - headingOrientation.rawValue)
    return angle == 180 || angle == 0 && (pitch ?? 0) > Self.mostPitch
  }

  /// Returns the place of a direction on the screen; nil without a `direction`, and for an impossible field of view or pitch.
  ///
  /// Do not draw an overlay while this is nil: the last place is wrong as soon as the device turns.
  ///
  /// - Parameters:
  ///   - bearing: degrees clockwise from true north.
  ///   - elevation: degrees above the horizon.
  public func position(ofBearing bearing: Double, elevation: Double = 0) -> OverlayPosition? {
    let (width, height) = orientation.isPortrait ? (fieldOfView.short, fieldOfView.long) : (fieldOfView.long, fieldOfView.short)
    guard let direction, bearing.isFinite, (-90...90).contains(elevation),
      let view = PerspectiveView(heading: direction, pitch: pitch ?? 0, width: width, height: height)
    else { return nil }
    // Without a pitch, the camera may look at any height, so that only the angle to the side counts.
    let point = view.point(of: bearing, elevation: pitch == nil ? 0 : elevation)
    var deviation: Double?
    if let point, let headingAccuracy, headingAccuracy >= 0, headingAccuracy < 90 {
      let sides = [-headingAccuracy, headingAccuracy].map { view.point(of: bearing + $0, elevation: pitch == nil ? 0 : elevation) }
      deviation = sides.compactMap { $0.map { abs($0.horizontal - point.horizontal) } }.max()
    }
    return OverlayPosition(
      turn: view.turn(to: bearing), horizontal: point?.horizontal, vertical: pitch == nil ? nil : point?.vertical,
      horizontalDeviation: deviation)
  }

  /// Returns the position of a place on the screen.
  /// It is nil without a heading, for an invalid coordinate, and at the place itself.
  ///
  /// - Parameters:
  ///   - place: the coordinate of the place, WGS 84.
  ///   - altitude: of the place in metres above mean sea level; nil puts it at the height of the device.
  ///   - location: of the device.
  public func position(of place: LocationCoordinate2D, altitude: Double? = nil, from location: Location) -> OverlayPosition? {
    guard let here = location.coordinate.coordinate, let there = place.coordinate else { return nil }
    let geodesic = Geodesic(from: here, to: there)
    guard geodesic.distance > 0 else { return nil }
    let rise = altitude.flatMap { height in location.altitude.map { height - $0 } }
    let elevation = rise.map { Coordinate.elevation(of: $0, distance: geodesic.distance) } ?? 0
    return position(ofBearing: geodesic.initialAzimuth, elevation: elevation)
  }
}

/// The place of an overlay on the screen of a `CameraView`.
public struct OverlayPosition: Hashable, Sendable {
  /// The angle by which the device has to turn to face the overlay: degrees, -180..<180, positive to the right.
  public let turn: Double
  /// -1 at the left border of the screen to +1 at the right one, and beyond outside of it; nil behind the camera.
  public let horizontal: Double?
  /// -1 at the lower border of the screen to +1 at the upper one; nil behind the camera, and without a pitch.
  public let vertical: Double?
  /// The accuracy of the heading as a part of the screen, in units of `horizontal`; nil if it is unknown.
  /// The middle of the screen to its border is 1.
  public let horizontalDeviation: Double?

  /// Whether the place is on the screen. Without a pitch only its sides decide.
  public var isVisible: Bool {
    guard let horizontal, abs(horizontal) <= 1 else { return false }
    return vertical.map { abs($0) <= 1 } ?? true
  }

  /// Returns the place in pixels from the upper left corner of a screen; nil behind the camera.
  /// Without a pitch it is in the middle of the height.
  public func point(width: Double, height: Double) -> (x: Double, y: Double)? {
    horizontal.map { ((1 + $0) / 2 * width, (1 - (vertical ?? 0)) / 2 * height) }
  }
}
