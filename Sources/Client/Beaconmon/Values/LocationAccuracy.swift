/// The location accuracy that a program requests. Core Location's CLLocationAccuracy.
///
/// Sources that are not needed for this accuracy stay off.
public struct LocationAccuracy: Hashable, Sendable {
  /// One standard deviation in metres; zero is the best available.
  public let metres: Double

  /// Returns an accuracy in metres. Negative and non-finite values mean the best, as Core Location's negative constants do.
  public static func metres(_ metres: Double) -> LocationAccuracy {
    LocationAccuracy(metres: metres.isFinite ? max(0, metres) : 0)
  }

  public static let best = LocationAccuracy(metres: 0)
  public static let nearestTenMeters = LocationAccuracy(metres: 10)
  public static let hundredMeters = LocationAccuracy(metres: 100)
  public static let kilometer = LocationAccuracy(metres: 1000)
  public static let threeKilometers = LocationAccuracy(metres: 3000)

  private init(metres: Double) {
    self.metres = metres
  }
}
