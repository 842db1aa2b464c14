import IndoorPositioning
import Seeds
import Testing
import Venues

/// Hints about beacons that were moved, in a simulated room of 20 by 16 m.
@Suite struct PlacementCheckTests {
  /// Walks for some seconds past a beacon that hangs elsewhere, and returns the hints.
  ///
  /// - Parameters:
  ///   - place: the true place of a beacon whose planned place is (10, 8).
  ///   - power: the dB by which it is louder than expected.
  private func hints(_ place: PlanPoint, seconds: Int, power: Double = 0, seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var check = PlacementCheck()
    for _ in 0..<seconds {
      let point = PlanPoint(x: .random(in: 0...20, using: &random), y: .random(in: 0...16, using: &random))
      let (x, y) = (place.x - point.x, place.y - point.y)
      let metres = (x * x + y * y + 0.64).squareRoot()
      let level = -59 + power - 20 * logarithm(metres) + 5 * GalleryCase.normal(&random)
      // The position errs as well.
      let estimate = PlanPoint(x: point.x + GalleryCase.normal(&random), y: point.y + GalleryCase.normal(&random))
      check.add(level, of: 3, at: PlanPoint(x: 10, y: 8), height: 0.8, power: -59, exponent: 2, from: estimate)
    }
    return check.misplaced.filter { $0.transmitter == 3 }.map(\.metres)
  }

  private func logarithm(_ value: Double) -> Double { GalleryCase.decadicLogarithm(value) }

  @Test func `a beacon that was moved across the room is noticed after a quarter of an hour of walking`() {
    let found = hints(PlanPoint(x: 17, y: 14), seconds: 900, seed: 1)
    #expect(found.count == 1 && found.allSatisfy { abs($0 - 9.2) < 3 }, "\(found)")
    #expect(hints(PlanPoint(x: 17, y: 14), seconds: 899, seed: 1).isEmpty)
  }

  @Test(arguments: [0.0, 5, -5]) func `a beacon in its place causes no hint, whatever its power`(power: Double) {
    for seed in 0..<5 { #expect(hints(PlanPoint(x: 10, y: 8), seconds: 900, power: power, seed: UInt64(seed)).isEmpty) }
  }

  @Test func `a plan that is wrong by less than the accuracy causes no hint`() {
    for seed in 0..<5 { #expect(hints(PlanPoint(x: 11.5, y: 8), seconds: 900, seed: UInt64(seed)).isEmpty) }
  }
}
