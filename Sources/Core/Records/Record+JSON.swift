import Instants
import Numerals

extension Record {
  /// Parses the output of `json`. The record is the same, within the decimals of its quantities.
  public init(json: String) throws(JSONError) {
    var reader = JSONReader(json)
    self = try reader.document()
  }

  /// Parses JSON of another program, and ignores lists of other values than objects.
  public init(foreignJSON json: String) throws(JSONError) {
    var reader = JSONReader(json, isForeign: true)
    self = try reader.document()
  }

  /// One line of JSON (RFC 8259) with the keys in their order.
  /// Omits a quantity that is not finite, like an unknown one.
  public var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  func write(to text: inout String) {
    text += "{"
    var isFirst = true
    for (key, value) in fields {
      guard let written = value.json else { continue }
      if !isFirst { text += "," }
      isFirst = false
      text += "\(key.asJSON):\(written)"
    }
    text += "}"
  }
}

extension RecordValue {
  fileprivate var json: String? {
    switch self {
    case .text(let text): text.asJSON
    case .count(let count): String(count)
    case .integer(let integer): String(integer)
    case .short(let short): String(short)
    case .flag(let flag): flag ? "true" : "false"
    case .quantity(let value, let decimals): Decimal.text(value, decimals: decimals)
    case .time(let instant): instant.rfc3339.asJSON
    case .record(let record): record.json
    case .list(let records): "[\(records.map(\.json).joined(separator: ","))]"
    }
  }
}

extension String {
  /// The text as a string of JSON, with its quotes.
  public var asJSON: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\u" + Hexadecimal.digits(UInt64(scalar.value), count: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
