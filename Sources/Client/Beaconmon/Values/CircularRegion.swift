/// A region that is a circle on the earth. Core Location's CLCircularRegion.
///
/// The device enters it when fixes have been inside by more than their accuracy for 20 s. The device leaves it when fixes have
/// been outside for 20 s, by more than their accuracy plus a tenth of the radius, which counts as at least 20 m. Fixes that are
/// coarser than the radius change nothing: a radius below 100 m requires a satellite receiver.
public struct CircularRegion: Region {
  public let identifier: String
  public let center: LocationCoordinate2D
  /// The radius in metres, 1 to `LocationManager.maximumRegionMonitoringDistance`.
  public let radius: Double
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(center: LocationCoordinate2D, radius: Double, identifier: String) {
    self.center = center
    self.radius = radius
    self.identifier = identifier
  }

  /// Returns true if a coordinate lies in the circle, independent of the device's location.
  public func contains(_ coordinate: LocationCoordinate2D) -> Bool { center.distance(to: coordinate).map { $0 <= radius } ?? false }
}
