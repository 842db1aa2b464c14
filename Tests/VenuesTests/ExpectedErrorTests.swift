import Geodesy
import RealModule
import Seeds
import Testing
import Venues

@Suite struct ExpectedErrorTests {
  private static let corners = [(0, 0), (50, 0), (50, 30), (0, 30)] as [(Double, Double)]
  private static let picture = corners.map { PlanPoint(x: $0.0, y: $0.1) }

  private func square(of transform: PlanTransform, at point: PlanPoint, from truth: TangentPlane) -> Double {
    guard let place = transform.coordinate(for: point) else { return .nan }
    let (east, north) = truth.offset(to: place)
    return east * east + north * north
  }

  // MARK: Values

  @Test func `two anchors 10 m apart with 0.3 m errors err by 1.92 m at 50 m`() throws {
    let transform = try PlanTransform(anchors: PlacedPlan().anchors([(0, 0), (10, 0)]), yAxis: .up, anchorSigma: 0.3)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 50, y: 0)) - 0.3 * (0.5 + 45 * 45 / 50.0).squareRoot()) < 1e-6)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 0, y: 0)) - 0.3) < 1e-6)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 5, y: 0)) - 0.3 / 2.0.squareRoot()) < 1e-6)
  }

  @Test func `residuals outweigh a stated sigma that is too small`() throws {
    var anchors = PlacedPlan().anchors(Self.corners)
    anchors[2] = anchors[2].moved(east: 3, north: -4)
    let transform = try PlanTransform(anchors: anchors, yAxis: .up, anchorSigma: 0.3)
    // Half of the 25 m² remains in the residuals, with four degrees of freedom and two of the stated value.
    #expect(abs(transform.anchorSigma - ((12.5 + 2 * 0.09) / 6).squareRoot()) < 1e-4)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 25, y: 15)) - transform.anchorSigma / 2) < 1e-6)
  }

  @Test func `an affine fit expects larger errors across narrow anchors than along them`() throws {
    let anchors = PlacedPlan().anchors([(0, 0), (50, 0), (50, 5), (0, 5)])
    let transform = try PlanTransform(anchors: anchors, yAxis: .up, fit: .affine, anchorSigma: 0.3)
    // σ² of four exact anchors is 2 · 0.09 / (2 + 2).
    let sigma = 0.045.squareRoot()
    #expect(abs(transform.anchorSigma - sigma) < 1e-4)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 50, y: 5)) - sigma * 0.75.squareRoot()) < 1e-4)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 25, y: 25)) - sigma * (0.25 + 22.5 * 22.5 / 25).squareRoot()) < 1e-4)
    #expect(abs(transform.expectedError(at: PlanPoint(x: 47.5, y: 2.5)) - sigma * (0.25 + 22.5 * 22.5 / 2500).squareRoot()) < 1e-4)
  }

  // MARK: Short baselines

  @Test func `anchors that span the plan cause no warning, and those close together or to one side do`() throws {
    func warning(_ points: [(Double, Double)]) throws -> PlanTransform.ShortBaseline? {
      try PlanTransform(anchors: PlacedPlan().anchors(points), yAxis: .up).shortBaseline(for: Self.picture)
    }
    #expect(try warning([(0, 0), (50, 30)]) == nil)
    #expect(try warning([(12, 9), (38, 21)]) == nil)
    #expect(try warning(Self.corners) == nil)
    let short = try #require(try warning([(20, 15), (30, 15)]))
    #expect(abs(short.baseline - 10) < 1e-3 && abs(short.extent - 3400.0.squareRoot()) < 1e-3)
    #expect(abs(short.worstError - 0.3 * (0.5 + 850.0 / 50).squareRoot()) < 1e-4)
    #expect(try warning([(0, 0), (0, 15)]) != nil)
    #expect(try PlanTransform(anchors: PlacedPlan().anchors([(20, 15), (30, 15)]), yAxis: .up).shortBaseline(for: []) == nil)
  }

  // MARK: Measured errors

  @Test func `the expected error of two far anchors is that measured on 1000 random plans`() throws {
    var random = SeededGenerator(seed: 15)
    let sigma = 0.3
    var (worst, normalized) = (0.0, 0.0)
    for _ in 0..<1000 {
      let yAxis: PlanTransform.YAxis = Bool.random(using: &random) ? .up : .down
      let plan = PlacedPlan(
        origin: place(.random(in: -75...75, using: &random), .random(in: -180...180, using: &random)),
        bearing: .random(in: 0..<360, using: &random), metresPerUnit: .random(in: 0.01...2, using: &random), yAxis: yAxis)
      // Opposite corners of a plan of 20 to 300 m.
      let (width, height) = (Double.random(in: 15...250, using: &random), Double.random(in: 15...150, using: &random))
      let (x, y) = (width / plan.metresPerUnit, height / plan.metresPerUnit)
      let exact = plan.anchors([(0, 0), (x, y)])
      let probe = PlanPoint(x: .random(in: 0...x, using: &random), y: .random(in: 0...y, using: &random))
      let truth = TangentPlane(at: plan.coordinate(probe.x, probe.y))
      func transform(_ noise: [Double]) throws -> PlanTransform {
        try PlanTransform(
          anchors: [exact[0].moved(east: noise[0], north: noise[1]), exact[1].moved(east: noise[2], north: noise[3])], yAxis: yAxis,
          anchorSigma: sigma)
      }
      // Eight errors in random directions, at right angles to each other: together they have the covariance of noise.
      let q = random.direction()
      var squares = 0.0
      for row in [[q[0], q[1], q[2], q[3]], [-q[1], q[0], -q[3], q[2]], [-q[2], q[3], q[0], -q[1]], [-q[3], -q[2], q[1], q[0]]] {
        for sign in [-2.0, 2] { squares += square(of: try transform(row.map { sign * sigma * $0 }), at: probe, from: truth) }
      }
      let expected = try PlanTransform(anchors: exact, yAxis: yAxis, anchorSigma: sigma).expectedError(at: probe)
      worst = max(worst, abs(expected / (squares / 16).squareRoot() - 1))
      let noise = (0..<4).map { _ in sigma * random.normal() }
      let noisy = try transform(noise)
      normalized += square(of: noisy, at: probe, from: truth) / (noisy.expectedError(at: probe) * noisy.expectedError(at: probe))
    }
    // The errors are linear in the noise, so rounding alone separates the two.
    #expect(worst < 0.02, "\(worst)")
    let ratio = (normalized / 2000).squareRoot()
    #expect(abs(ratio - 1) < 0.1, "measured to expected, with independent noise: \(ratio)")
  }

  @Test(arguments: [.similarity, .affine] as [PlanTransform.Fit], [0.1, 0.3, 0.6])
  func `the expected error of eight anchors follows their noise`(fit: PlanTransform.Fit, sigma: Double) throws {
    var random = SeededGenerator(seed: 8)
    let plan = PlacedPlan()
    let exact = plan.anchors(Self.corners + [(25, 0), (50, 15), (25, 30), (0, 15)])
    let probes = Self.picture + [PlanPoint(x: 20, y: 10)]
    let truths = probes.map { TangentPlane(at: plan.coordinate($0.x, $0.y)) }
    var (measured, expected) = (0.0, 0.0)
    for _ in 0..<100 {
      let noisy = exact.map { $0.moved(east: sigma * random.normal(), north: sigma * random.normal()) }
      let transform = try PlanTransform(anchors: noisy, yAxis: .up, fit: fit)
      for (probe, truth) in zip(probes, truths) {
        measured += square(of: transform, at: probe, from: truth) / 2
        expected += transform.expectedError(at: probe) * transform.expectedError(at: probe)
      }
    }
    let ratio = (expected / measured).squareRoot()
    // The stated 0.3 m raises 0.1 m by a third with so few anchors, and lowers 0.6 m by less than a tenth.
    #expect(ratio > 0.8 && ratio < 1.6, "\(ratio)")
  }
}

extension SeededGenerator {
  /// Returns a unit vector of four dimensions in a random direction.
  fileprivate mutating func direction() -> [Double] {
    let vector = (0..<4).map { _ in normal() }
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return vector.map { $0 / length }
  }
}
