/// What furniture and bodies between two places take or give, in deviations: it differs from place to place and stays where it is.
///
/// Normally distributed at every place; places farther apart than two steps of the lattice have nothing in common, nearer ones the more the nearer, in the manner
/// of Gudmundson, "Correlation model for shadow fading in mobile radio systems", 1991. The lattice's points are drawn when they are asked for, and
/// always the same.
struct ShadowField: Sendable {
  private let seed: UInt64
  /// The lattice's step in metres.
  private let step: Double

  init(_ random: RandomStream, step: Double) {
    var random = random
    seed = random.word()
    self.step = step
  }

  /// Of mean 0 and variance 1.
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
    // A mean of several varies less than one of them.
    return sum / squares.squareRoot()
  }
}
