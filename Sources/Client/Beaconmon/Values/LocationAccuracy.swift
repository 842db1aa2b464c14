/// How exactly a program wants to know where the device is. Sources that are not needed for it stay off. Core Location's CLLocationAccuracy.
public struct LocationAccuracy: Hashable, Sendable {
  /// One standard deviation; zero is the best that can be had.
  public let metres: Double

  /// What is no length above zero is the best, as Core Location's negative constants are.
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
