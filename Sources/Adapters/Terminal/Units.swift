import Glibc
import Records

/// Units of lengths and speeds for a person.
public struct Units: Hashable, Sendable {
  public let isMetric: Bool
  /// The mark between whole numbers and decimals.
  private let decimalMark: String

  public init(isMetric: Bool, decimalMark: String = ".") {
    (self.isMetric, self.decimalMark) = (isMetric, decimalMark)
  }

  /// - Parameter environment: the first of `LC_ALL`, `LC_MEASUREMENT` and `LANG` that is set names the country (POSIX.1-2017, 8.2).
  ///   Feet and miles belong to the United States, Liberia and Myanmar (Unicode CLDR, measurementSystem).
  public init(environment: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MEASUREMENT", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    let territory = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_").dropFirst().first
    decimalMark = "."
    isMetric = !["US", "LR", "MM"].contains(territory.map(String.init) ?? "")
  }

  public static var ofEnvironment: Units { Units { name in getenv(name).map { String(cString: $0) } } }

  private static let metresPerFoot = 0.3048
  private static let metresPerMile = 1609.344

  /// Returns a length: `4.8 m`, `120 m`, `1.25 km`; `16 ft`, `0.78 mi`.
  public func length(_ metres: Double) -> String {
    if isMetric {
      return switch metres.magnitude {
      case ..<9.95: "\(text(metres, 1)) m"
      case ..<999.5: "\(text(metres, 0)) m"
      default: "\(text(metres / 1000, 2)) km"
      }
    }
    let feet = metres / Self.metresPerFoot
    return feet.magnitude < 999.5 ? "\(text(feet, 0)) ft" : "\(text(metres / Self.metresPerMile, 2)) mi"
  }

  /// Returns a height above the sea, on mountains too: `520 m`, `1706 ft`.
  public func height(_ metres: Double) -> String {
    isMetric ? "\(text(metres, 0)) m" : "\(text(metres / Self.metresPerFoot, 0)) ft"
  }

  /// Returns the distance to a boundary: `35 m inside`, `115 ft outside`.
  ///
  /// - Parameter accuracy: of the fix, in metres; nil if it is unknown.
  func boundary(_ metres: Double, accuracy: Double? = nil) -> String {
    "\(length(metres.magnitude, accuracy: accuracy)) \(metres < 0 ? "inside" : "outside")"
  }

  /// Returns a length with no more digits than `accuracy`, in metres, supports: `520 m` for 523 m ± 120 m.
  func length(_ metres: Double, accuracy: Double?) -> String {
    guard let accuracy else { return length(metres) }
    let unit = isMetric ? 1 : Self.metresPerFoot
    let step = MeasurementText(metres / unit, accuracy: accuracy / unit).step * unit
    return length((metres / step).rounded() * step)
  }

  /// Returns a speed: `5.0 km/h`, `3.1 mph`.
  public func speed(_ metresPerSecond: Double) -> String {
    let metresPerHour = metresPerSecond * 3600
    return isMetric ? "\(text(metresPerHour / 1000, 1)) km/h" : "\(text(metresPerHour / Self.metresPerMile, 1)) mph"
  }

  /// Returns an age: `0.3 s`, `42 s`, `5 min`, `3 h`, `2 d`.
  public func age(_ seconds: Double) -> String {
    switch seconds {
    case ..<9.95: "\(text(seconds, 1)) s"
    case ..<119.5: "\(text(seconds, 0)) s"
    case ..<7170: "\(text(seconds / 60, 0)) min"
    case ..<171_000: "\(text(seconds / 3600, 0)) h"
    default: "\(text(seconds / 86_400, 0)) d"
    }
  }

  private func text(_ value: Double, _ decimals: Int) -> String {
    Decimal.text(value, decimals: decimals)?.replacing(".", with: decimalMark) ?? "?"
  }
}
