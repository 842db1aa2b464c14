/// The severity of the daemon's health, with its number in the file of rollouts.
public enum HealthSeverity: Int64, CaseIterable, Comparable, Sendable {
  case ok = 0
  case degraded = 1
  case failed = 2

  public static func < (left: HealthSeverity, right: HealthSeverity) -> Bool { left.rawValue < right.rawValue }
}
