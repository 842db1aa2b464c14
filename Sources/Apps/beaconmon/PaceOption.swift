import ArgumentParser
import Captures

extension CapturePlayback.Pace {
  /// Parses an argument: a number above zero, or `max`.
  static func parse(_ text: String) throws -> CapturePlayback.Pace {
    if text == "max" { return .unpaced }
    guard let speed = Double(text), speed > 0, speed <= 1e6 else {
      throw ValidationError("write a number greater than 0 and up to 1000000, or max")
    }
    return .speed(speed)
  }
}
