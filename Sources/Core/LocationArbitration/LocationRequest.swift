import Instants

/// The options of a client's location updates.
public struct LocationRequest: Hashable, Sendable {
  public var accuracy: DesiredAccuracy
  /// The distance in metres from the last delivered fix; nil lets every fix pass.
  public var distanceFilter: Double?
  /// The shortest time between two updates.
  public var interval: Span

  public init(accuracy: DesiredAccuracy = .best, distanceFilter: Double? = nil, interval: Span = .zero) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.interval = interval
  }

  /// Delivers an update after a move of 500 m, from low-cost sources, and at most one every five minutes.
  /// A more accurate fix also waits for the interval, as does the first fix after the location was unknown.
  public static let significantChanges = LocationRequest(accuracy: .kilometer, distanceFilter: 500, interval: .seconds(300))
}
