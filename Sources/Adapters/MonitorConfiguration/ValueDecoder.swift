import ConfigurationTree

/// Decodes a value of a configuration, and throws if it does not have the required form.
struct ValueDecoder<Value> {
  let decode: (ConfigurationNode) throws(DecodingIssue) -> Value
  /// Returns the form of the value. Only a recording of the reader calls it.
  let form: () -> ValueForm

  init(_ form: @autoclosure @escaping () -> ValueForm = .any, _ decode: @escaping (ConfigurationNode) throws(DecodingIssue) -> Value) {
    self.decode = decode
    self.form = form
  }
}

/// A problem with a value.
struct DecodingIssue: Error {
  /// The problem and its remedy.
  let message: String
  /// Nil for the position of the value.
  var position: SourcePosition?

  init(_ message: String, at position: SourcePosition? = nil) {
    self.message = message
    self.position = position
  }

  static func needs(_ need: String, not found: ConfigurationNode) -> DecodingIssue {
    DecodingIssue("must be \(need), not \(found.value.description)", at: found.position)
  }
}

extension ValueDecoder where Value == Bool {
  static var flag: ValueDecoder {
    ValueDecoder(.flag) { node throws(DecodingIssue) in
      guard case .flag(let flag) = node.value else { throw .needs("true or false", not: node) }
      return flag
    }
  }
}

extension ValueDecoder where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> ValueDecoder {
    ValueDecoder(.integer(range)) { node throws(DecodingIssue) in
      guard case .integer(let integer) = node.value else {
        throw .needs("an integer from \(range.lowerBound) to \(range.upperBound)", not: node)
      }
      guard range.contains(integer) else { throw DecodingIssue("\(integer) is not between \(range.lowerBound) and \(range.upperBound)") }
      return integer
    }
  }
}

extension ValueDecoder where Value == UInt16 {
  /// A major or a minor.
  static var short: ValueDecoder {
    ValueDecoder(.integer(0...65535)) { node throws(DecodingIssue) in
      UInt16(truncatingIfNeeded: try ValueDecoder<Int>.integer(0...65535).decode(node))
    }
  }
}

extension ValueDecoder where Value == Double {
  /// A number in the range. An integer is accepted.
  static func number(_ range: ClosedRange<Double>) -> ValueDecoder {
    ValueDecoder(.number(range)) { node throws(DecodingIssue) in
      let number: Double
      switch node.value {
      case .integer(let integer): number = Double(integer)
      case .number(let decimal): number = decimal
      default: throw .needs("a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))", not: node)
      }
      guard range.contains(number) else {
        throw DecodingIssue("\(plain(number)) is not between \(plain(range.lowerBound)) and \(plain(range.upperBound))")
      }
      return number
    }
  }

  /// A latitude in degrees. The error about a number that can only be a longitude asks whether both are swapped.
  static var latitude: ValueDecoder {
    let range = -90.0...90
    return ValueDecoder(.number(range)) { node throws(DecodingIssue) in
      do throws(DecodingIssue) { return try number(range).decode(node) } catch {
        // Only the number counts here: anything else has its own error.
        guard let value = try? number(-180...180).decode(node), !range.contains(value) else { throw error }
        throw DecodingIssue("\(error.message); are latitude and longitude swapped?", at: error.position)
      }
    }
  }
}

extension ValueDecoder where Value == String {
  /// - Parameter example: The example in the error for a value that is not a text.
  static func text(example: String) -> ValueDecoder {
    ValueDecoder(.text()) { node throws(DecodingIssue) in
      guard case .text(let text) = node.value else { throw .needs("a text such as \"\(example)\"", not: node) }
      guard text.utf8.count <= 65_536 else { throw DecodingIssue("has \(text.utf8.count) octets; at most 65536 are allowed") }
      // Neither an argument of a program nor a D-Bus string can contain a zero character.
      guard !text.utf8.contains(0) else { throw DecodingIssue("contains a zero character; remove it") }
      return text
    }
  }
}

extension ValueDecoder {
  /// A list of values that one decoder decodes.
  static func list<Element>(of element: ValueDecoder<Element>, example: String) -> ValueDecoder where Value == [Element] {
    ValueDecoder(.list(element.form())) { node throws(DecodingIssue) in
      guard case .list(let nodes) = node.value else { throw .needs("a list such as \(example)", not: node) }
      var elements: [Element] = []
      for node in nodes {
        do throws(DecodingIssue) { elements.append(try element.decode(node)) } catch {
          throw DecodingIssue(error.message, at: error.position ?? node.position)
        }
      }
      return elements
    }
  }
}

/// Returns the shortest form of a number: `4`, `0.5`.
private func plain(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension ConfigurationNode.Value {
  /// The kind of the value for an error.
  var description: String {
    switch self {
    case .text: "a text"
    case .integer: "an integer"
    case .number: "a decimal number"
    case .flag: "true or false"
    case .date: "a date or time"
    case .list: "a list"
    case .table: "a table"
    }
  }
}
