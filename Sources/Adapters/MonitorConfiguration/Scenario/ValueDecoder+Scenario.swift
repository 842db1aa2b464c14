import Instants
import Simulation

extension ValueDecoder where Value == Span {
  /// A time since the scenario's beginning, or a part of it.
  static var inScenario: ValueDecoder { .duration(.zero ... .seconds(366 * 86_400)) }

  /// After how long something happens again.
  static var repetition: ValueDecoder { .duration(.seconds(1)...(.seconds(366 * 86_400))) }

  /// Between two advertisements: shorter than Bluetooth allows would be a flood, longer than a minute no beacon has.
  static var advertisingInterval: ValueDecoder { .duration(.milliseconds(20)...(.seconds(60))) }

  /// What a clock is put forward by, or with a minus before it back: up to a hundred years.
  static var clockStep: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "-1h").decode(node)
      let isBack = text.hasPrefix("-")
      guard let span = Span(text: isBack ? String(text.dropFirst()) : text), span <= .seconds(36_525 * 86_400) else {
        throw DecodingIssue("\(text.quoted) is not a step of a clock; write a duration such as \"1h\", \"-30s\" or \"18000d\"")
      }
      return isBack ? Span(microseconds: -span.microseconds) : span
    }
  }
}

extension ValueDecoder where Value == Point {
  /// Metres.
  static var point: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let metres = try ValueDecoder<[Double]>.list(of: .number(-10_000...10_000), example: "[2.5, 4]").decode(node)
      guard metres.count == 2 else { throw DecodingIssue("has \(metres.count) numbers; write two, x and y in metres, such as [2.5, 4]") }
      return Point(x: metres[0], y: metres[1])
    }
  }
}
