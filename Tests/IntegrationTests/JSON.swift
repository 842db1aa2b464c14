import Foundation

/// A JSON value for comparison and inspection.
enum JSON: Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(parsing text: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  subscript(key: String) -> JSON? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }

  subscript(index: Int) -> JSON? {
    if case .list(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  var list: [JSON]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  var object: [String: JSON]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  /// Returns the object without these keys.
  func without(_ keys: String...) -> JSON { .object((object ?? [:]).filter { !keys.contains($0.key) }) }

  /// The JSON on one line; NaN and the infinities as Python writes them.
  var line: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "∞Infinity", negativeInfinity: "∞-Infinity", nan: "∞NaN")
      return String(decoding: try encoder.encode(self), as: UTF8.self).replacing(/"∞([^"]*)"/) { $0.output.1 }
    }
  }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try container.decodeIfMatching(Bool.self) {
      self = .flag(flag)
    } else if let number = try container.decodeIfMatching(Double.self) {
      self = .number(number)
    } else if let text = try container.decodeIfMatching(String.self) {
      self = .text(text)
    } else if let elements = try container.decodeIfMatching([JSON].self) {
      self = .list(elements)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number) where abs(number) < 0x1p53 && number == number.rounded(): try container.encode(Int64(number))
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let elements): try container.encode(elements)
    case .object(let fields): try container.encode(fields)
    }
  }
}

extension SingleValueDecodingContainer {
  fileprivate func decodeIfMatching<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(Double(number)) }
  init(floatLiteral number: Double) { self = .number(number) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(arrayLiteral elements: JSON...) { self = .list(elements) }
  init(dictionaryLiteral fields: (String, JSON)...) { self = .object(Dictionary(fields) { $1 }) }
}
