import FoundationEssentials

/// A value of JSON. Maps of other programs deviate from the standard in every field, so fields are read one by one.
enum JSONValue: Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// The deepest nesting: a MultiPolygon in a collection has nine levels.
  static let deepest = 32

  /// Parses a text.
  ///
  /// - Throws: a sentence that describes the first error.
  init(_ octets: [UInt8]) throws(JSONTextError) {
    let octets = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(octets.dropFirst(3)) : octets
    guard Self.depth(of: octets) <= Self.deepest else { throw JSONTextError("nests deeper than \(Self.deepest) levels") }
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: Data(octets))
    } catch DecodingError.dataCorrupted(let context) {
      let reason = context.underlyingError.map { ": \($0)" } ?? ""
      throw JSONTextError("is not JSON" + (reason.hasSuffix(".") ? String(reason.dropLast()) : reason))
    } catch {
      throw JSONTextError("is not JSON")
    }
  }

  /// Returns the deepest nesting of brackets outside of texts.
  private static func depth(of octets: [UInt8]) -> Int {
    var (depth, most) = (0, 0)
    var (isText, isEscaped) = (false, false)
    for octet in octets {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if octet == UInt8(ascii: "\\") {
          isEscaped = true
        } else if octet == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch octet {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        most = max(most, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return most
  }

  /// The value as JSON with sorted keys on one line.
  var octets: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(self)) } catch {
      // A value has finite numbers and texts only, which always encode. An empty file would hide the fault.
      preconditionFailure("\(error)")
    }
  }
}

/// The error in a text that is not JSON.
struct JSONTextError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // A decoder finds the type of a value by attempts alone. Coordinates are most of a map, so numbers come first.
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !list.isAtEnd { values.append(try list.decode(JSONValue.self)) }
      self = .list(values)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number):
      if let integer = Int(exactly: number) { try container.encode(integer) } else { try container.encode(number) }
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}

// MARK: Access

extension JSONValue {
  subscript(key: String) -> JSONValue? { object?[key] }

  var isNull: Bool { self == .null }

  var object: [String: JSONValue]? {
    if case .object(let values) = self { values } else { nil }
  }

  var list: [JSONValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  var flag: Bool? {
    if case .flag(let flag) = self { flag } else { nil }
  }

  /// The value as an identifier: a text, or a number that another program has used as one.
  var identifier: String? {
    switch self {
    case .text(let text) where !text.isEmpty: text
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    default: nil
    }
  }
}
