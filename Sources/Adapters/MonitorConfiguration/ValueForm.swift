import Beacons
import Instants

/// The form of a value, as its decoder requires it. The JSON Schema is made of forms.
///
/// A form accepts every value that the decoder accepts. It may accept more where a schema cannot express a rule.
indirect enum ValueForm: Sendable {
  case flag
  case integer(ClosedRange<Int>)
  case oneOf([Int])
  case number(ClosedRange<Double>)
  case uuid
  case address
  case duration(ClosedRange<Span>)
  case size(ClosedRange<UInt64>)
  case choice([String])
  /// A text within limits of its length that matches a regular expression of ECMA 262.
  case text(ClosedRange<Int> = 0...65_536, pattern: String? = nil)
  /// A web address, which may contain a password after the host.
  case url
  /// The value of a header, which may be a password.
  case header
  case list(ValueForm, count: ClosedRange<Int> = 0...Int.max, isUnique: Bool = false)
  /// A table with exactly one of the keys.
  case oneKey([(key: String, form: ValueForm)])
  /// A table with any keys that match a regular expression.
  case map(keys: String, ValueForm)
  case either([ValueForm])
  /// A date and time of TOML. JSON Schema has no such type, and checkers differ, so every value is accepted.
  case time
  case any
}

extension ValueForm {
  static let uuidPattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
  static let addressPattern = "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$"
  static let absolutePath = ValueForm.text(pattern: "^/.*[^/]$")
  static let language = ValueForm.text(pattern: languagePattern)
  static let languagePattern = "^[A-Za-z]{2,8}(-[0-9A-Za-z]{1,8})*$"
}
