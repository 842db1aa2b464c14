/// The accuracy that a client requests for a location: one of Core Location's classes, or metres.
public struct DesiredAccuracy: Hashable, Comparable, Sendable {
  /// One sigma, in metres; zero requests the best available accuracy.
  public let metres: Double

  /// Returns nil for a value that is not a length on the earth.
  public init?(metres: Double) {
    guard (0...Self.most).contains(metres) else { return nil }
    self.metres = metres
  }

  private init(class metres: Double) {
    self.metres = metres
  }

  /// The distance to the opposite side of the earth, in metres.
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

  /// Creates an accuracy class from the name of its constant in this type.
  public init?(className: String) {
    guard let accuracy = Self.names[className] else { return nil }
    self = accuracy
  }

  public static let classNames = names.sorted { $0.value < $1.value }.map(\.key)

  /// Returns whether an accuracy in metres, one sigma, is good enough.
  /// No accuracy meets `best`, because a better fix may still arrive.
  func isMet(by accuracy: Double?) -> Bool {
    accuracy.map { $0 <= metres } ?? false
  }

  /// Orders accuracies: the finer one is less.
  public static func < (a: DesiredAccuracy, b: DesiredAccuracy) -> Bool { a.metres < b.metres }
}
