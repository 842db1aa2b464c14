/// A place that is a circle on the earth. Core Location's CLCircularRegion.
///
/// It is entered when fixes have been inside by more than their accuracy for 20 s, and left when they have been outside by more than that and a tenth of the radius,
/// at least 20 m, for 20 s. Fixes that are coarser than the radius change nothing: below 100 m it takes a receiver of satellites.
public struct CircularRegion: Region {
  public let identifier: String
  public let center: LocationCoordinate2D
  /// Metres, 1 to `LocationManager.maximumRegionMonitoringDistance`.
  public let radius: Double
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(center: LocationCoordinate2D, radius: Double, identifier: String) {
    self.center = center
    self.radius = radius
    self.identifier = identifier
  }

  /// Whether a place lies in it, wherever the device is.
  public func contains(_ coordinate: LocationCoordinate2D) -> Bool { center.distance(to: coordinate).map { $0 <= radius } ?? false }
}
