/// A value of one of the five storage classes of SQLite.
public enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

// MARK: Optional values

extension DatabaseValue {
  public static func integer(_ value: Int64?) -> DatabaseValue { value.map { .integer($0) } ?? .null }
  public static func real(_ value: Double?) -> DatabaseValue { value.map { .real($0) } ?? .null }
  public static func text(_ value: String?) -> DatabaseValue { value.map { .text($0) } ?? .null }
}

extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  public init(floatLiteral value: Double) {
    self = .real(value)
  }

  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
