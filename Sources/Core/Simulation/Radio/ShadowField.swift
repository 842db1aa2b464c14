/// Shadowing by furniture and bodies, in standard deviations.
/// It varies from place to place and is constant in time.
///
/// The value is normally distributed at every place. Places farther apart than two steps of the lattice are independent; nearer places
/// are correlated, in the manner of Gudmundson, "Correlation model for shadow fading in mobile radio systems", 1991. The lattice's points
/// are drawn on demand, and always have the same values.
struct ShadowField: Sendable {
  private let seed: UInt64
  /// The step of the lattice in metres.
  private let step: Double

  init(_ random: RandomStream, step: Double) {
    var random = random
    seed = random.word()
    self.step = step
  }

  /// Returns the value at a place, of mean 0 and variance 1.
  func value(at place: Point) -> Double {
    let (x, y) = (place.x / step, place.y / step)
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (right, up) = (x - column, y - row)
    var sum = 0.0
    var squares = 0.0
    for (dx, dy, weight) in [(0, 0, (1 - right) * (1 - up)), (1, 0, right * (1 - up)), (0, 1, (1 - right) * up), (1, 1, right * up)] {
      var point = RandomStream(seed: seed, .shadowing, Int(column) + dx, Int(row) + dy)
      sum += weight * point.normal()
      squares += weight * weight
    }
    // The mean of several values has a smaller variance than one of them.
    return sum / squares.squareRoot()
  }
}
