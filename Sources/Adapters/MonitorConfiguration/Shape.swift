import TOML

/// Decodes and validates a value of the config.
struct Shape<Value> {
  let read: (TOMLNode) throws(Mismatch) -> Value

  init(_ read: @escaping (TOMLNode) throws(Mismatch) -> Value) {
    self.read = read
  }
}

/// The error for a value of the wrong kind or range.
struct Mismatch: Error {
  /// The fault and its remedy.
  let message: String
  /// The line of the error; nil for the line of the value.
  var line: Int?

  init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }

  static func needs(_ need: String, not found: TOMLNode) -> Mismatch {
    Mismatch("must be \(need), not \(found.value.description)", line: found.line)
  }
}

extension Shape where Value == Bool {
  static var flag: Shape {
    Shape { node throws(Mismatch) in
      guard case .flag(let flag) = node.value else { throw .needs("true or false", not: node) }
      return flag
    }
  }
}

extension Shape where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Shape {
    Shape { node throws(Mismatch) in
      guard case .integer(let integer) = node.value else {
        throw .needs("an integer from \(range.lowerBound) to \(range.upperBound)", not: node)
      }
      guard range.contains(integer) else { throw Mismatch("\(integer) is not between \(range.lowerBound) and \(range.upperBound)") }
      return integer
    }
  }
}

extension Shape where Value == UInt16 {
  /// A major or a minor.
  static var short: Shape {
    Shape { node throws(Mismatch) in
      UInt16(truncatingIfNeeded: try Shape<Int>.integer(0...65535).read(node))
    }
  }
}

extension Shape where Value == Double {
  /// A number in the range. An integer is accepted.
  static func number(_ range: ClosedRange<Double>) -> Shape {
    Shape { node throws(Mismatch) in
      let number: Double
      switch node.value {
      case .integer(let integer): number = Double(integer)
      case .number(let decimal): number = decimal
      default: throw .needs("a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))", not: node)
      }
      guard range.contains(number) else {
        throw Mismatch("\(plain(number)) is not between \(plain(range.lowerBound)) and \(plain(range.upperBound))")
      }
      return number
    }
  }
}

extension Shape where Value == String {
  /// - Parameter example: The example in the error for a value that is not a text.
  static func text(example: String) -> Shape {
    Shape { node throws(Mismatch) in
      guard case .text(let text) = node.value else { throw .needs("a text such as \"\(example)\"", not: node) }
      guard text.utf8.count <= 65_536 else { throw Mismatch("has \(text.utf8.count) octets; at most 65536 are allowed") }
      // Neither an argument of a program nor a D-Bus string can contain a zero character.
      guard !text.utf8.contains(0) else { throw Mismatch("contains a zero character; remove it") }
      return text
    }
  }
}

extension Shape {
  /// A list of values of one kind.
  static func list<Element>(of element: Shape<Element>, example: String) -> Shape where Value == [Element] {
    Shape { node throws(Mismatch) in
      guard case .list(let nodes) = node.value else { throw .needs("a list such as \(example)", not: node) }
      var elements: [Element] = []
      for node in nodes {
        do throws(Mismatch) { elements.append(try element.read(node)) } catch {
          throw Mismatch(error.message, line: error.line ?? node.line)
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

extension TOMLNode.Value {
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
