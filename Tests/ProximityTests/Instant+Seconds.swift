import Instants

extension Instant {
  static func seconds(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }
}
