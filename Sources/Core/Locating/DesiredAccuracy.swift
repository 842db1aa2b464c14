/// How exactly somebody wants to know where the device is: one of Core Location's classes, or metres.
public struct DesiredAccuracy: Hashable, Comparable, Sendable {
  /// One sigma, metres; zero is the best that can be had.
  public let metres: Double

  /// Nil for what is no length on the earth.
  public init?(metres: Double) {
    guard (0...Self.most).contains(metres) else { return nil }
    self.metres = metres
  }

  private init(class metres: Double) {
    self.metres = metres
  }

  /// Metres to the other side of the earth.
  private static let most = 20_100_000.0

  public static let best = DesiredAccuracy(class: 0)
  public static let nearestTenMeters = DesiredAccuracy(class: 10)
  public static let hundredMeters = DesiredAccuracy(class: 100)
  public static let kilometer = DesiredAccuracy(class: 1000)
  public static let threeKilometers = DesiredAccuracy(class: 3000)

  private static let names = [
    "best": best, "nearestTenMeters": nearestTenMeters, "hundredMeters": hundredMeters, "kilometer": kilometer,
    "threeKilometers": threeKilometers,
  ]

  /// A class by the name of its constant here.
  public init?(className: String) {
    guard let accuracy = Self.names[className] else { return nil }
    self = accuracy
  }

  public static let classNames = names.sorted { $0.value < $1.value }.map(\.key)

  /// Whether an accuracy, metres, one sigma, is enough. For `best` none is: there might be a better one.
  func isMet(by accuracy: Double?) -> Bool {
    accuracy.map { $0 <= metres } ?? false
  }

  /// The finer is the less.
  public static func < (a: DesiredAccuracy, b: DesiredAccuracy) -> Bool { a.metres < b.metres }
}
