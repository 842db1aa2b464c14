import Headings
import Instants

/// Recognises a driver that repeats an old field.
///
/// Sensor hubs report only changes, so a still device may repeat its field; one that was turned may not.
struct StaleTest {
  private static let patience = Span.seconds(2)
  /// The cosine of a turn of 20°.
  private static let turn = 0.94

  private var field: SpaceVector?
  private var changed: Instant?
  private var upThen: SpaceVector?
  private var up: SpaceVector?
  private(set) var isStale = false

  mutating func take(acceleration: SpaceVector) {
    let length = acceleration.length
    if length > 1 { up = acceleration / length }
  }

  mutating func take(field: SpaceVector, at time: Instant) {
    guard let changed, field == self.field else {
      (self.field, changed, upThen, isStale) = (field, time, up, false)
      return
    }
    guard time - changed >= Self.patience, let up, let upThen else { return }
    isStale = (up * upThen).sum() < Self.turn
  }
}
