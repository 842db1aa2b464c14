import ArgumentParser
import Captures

extension CapturePlayback.Pace: ExpressibleByArgument {
  /// A number above zero, or `max`.
  public init?(argument: String) {
    if argument == "max" {
      self = .unpaced
    } else if let speed = Double(argument), speed > 0, speed <= 1e6 {
      self = .speed(speed)
    } else {
      return nil
    }
  }
}
