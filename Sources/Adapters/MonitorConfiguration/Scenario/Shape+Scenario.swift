import Instants
import Simulation

extension Shape where Value == Span {
  /// A time since the scenario's beginning, or a part of it.
  static var inScenario: Shape { .duration(.zero ... .seconds(366 * 86_400)) }

  /// After how long something happens again.
  static var repetition: Shape { .duration(.seconds(1)...(.seconds(366 * 86_400))) }

  /// Between two advertisements: shorter than Bluetooth allows would be a flood, longer than a minute no beacon has.
  static var advertisingInterval: Shape { .duration(.milliseconds(20)...(.seconds(60))) }

  /// The span by which a clock jumps forward, or back with a minus: up to a hundred years.
  static var clockStep: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "-1h").read(node)
      let isBack = text.hasPrefix("-")
      guard let span = Span(text: isBack ? String(text.dropFirst()) : text), span <= .seconds(36_525 * 86_400) else {
        throw Mismatch("\(text.quoted) is not a step of a clock; write a duration such as \"1h\", \"-30s\" or \"18000d\"")
      }
      return isBack ? Span(microseconds: -span.microseconds) : span
    }
  }
}

extension Shape where Value == Point {
  /// Metres.
  static var point: Shape {
    Shape { node throws(Mismatch) in
      let metres = try Shape<[Double]>.list(of: .number(-10_000...10_000), example: "[2.5, 4]").read(node)
      guard metres.count == 2 else { throw Mismatch("has \(metres.count) numbers; write two, x and y in metres, such as [2.5, 4]") }
      return Point(x: metres[0], y: metres[1])
    }
  }
}
