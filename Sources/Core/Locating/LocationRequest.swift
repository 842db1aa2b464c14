import Instants

/// What somebody wants to be told of where the device is, for as long as they listen.
public struct LocationRequest: Hashable, Sendable {
  public var accuracy: DesiredAccuracy
  /// Metres from the last fix that was delivered; nil lets every fix pass.
  public var distanceFilter: Double?
  /// The shortest time between two updates.
  public var interval: Span

  public init(accuracy: DesiredAccuracy = .best, distanceFilter: Double? = nil, interval: Span = .zero) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.interval = interval
  }

  /// Who moves 500 m is told, by sources that cost little, and at most every five minutes: a more accurate fix waits for that, too, as does the first after
  /// nothing was known.
  public static let significantChanges = LocationRequest(accuracy: .kilometer, distanceFilter: 500, interval: .seconds(300))
}
