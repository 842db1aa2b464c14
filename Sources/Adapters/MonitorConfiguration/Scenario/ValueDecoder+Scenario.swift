import Instants
import Simulation

extension ValueDecoder where Value == Double {
  /// Metres a second.
  static var walkingSpeed: ValueDecoder { .number(0.1...10) }
}

extension ValueDecoder where Value == Bool {
  /// Any value of a key that was reported.
  static var anything: ValueDecoder { ValueDecoder { _ in true } }
}

extension ValueDecoder where Value == Span {
  /// A time since the start of the scenario, or a part of its duration.
  static var inScenario: ValueDecoder { .duration(.zero ... .seconds(366 * 86_400)) }

  /// The interval at which a fault repeats.
  static var repetition: ValueDecoder { .duration(.seconds(1)...(.seconds(366 * 86_400))) }

  /// The interval between advertisements: Bluetooth permits no shorter one, and beacons use at most a minute.
  static var advertisingInterval: ValueDecoder { .duration(.milliseconds(20)...(.seconds(60))) }

  /// The span by which a clock jumps forward, or back with a minus: up to a hundred years.
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
