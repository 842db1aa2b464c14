import Instants
import Orientation
import TestSupport
import Testing

@Suite struct CompassClaimTests {
  private let clock = ManualScheduler()
  private var claim = CompassClaim()

  /// Advances the clock to the deadline, and compares the time until then and the step.
  private mutating func expire(after span: Span, _ step: CompassClaim.Step, _ location: SourceLocation = #_sourceLocation) {
    #expect(claim.deadline == clock.now + span, sourceLocation: location)
    clock.advance(by: claim.deadline - clock.now)
    #expect(claim.nextStep(at: clock.now) == step, sourceLocation: location)
  }

  /// A service that has a compass.
  private mutating func find() {
    claim.changeService(isRunning: true, at: clock.now)
    expire(after: .zero, .ask)
    #expect(claim.take(hasCompass: true, at: clock.now) && claim.isAvailable)
  }

  @Test mutating func `a service that starts is asked for a compass once, and only a change is reported`() {
    #expect(claim.deadline == .never && !claim.isAvailable)
    find()
    #expect(claim.deadline == .never && !claim.take(hasCompass: true, at: clock.now))
    #expect(claim.take(hasCompass: false, at: clock.now) && !claim.isAvailable)
  }

  @Test mutating func `a service that does not answer is asked again, less often each time, until it reports its compass`() {
    claim.changeService(isRunning: true, at: clock.now)
    expire(after: .zero, .ask)
    for seconds in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600] {
      #expect(claim.take(hasCompass: nil, at: clock.now) == false)
      expire(after: .seconds(seconds), .ask)
    }
    #expect(claim.take(hasCompass: nil, at: clock.now) == false)
    #expect(claim.take(hasCompass: true, at: clock.now) == true)
    #expect(claim.deadline == .never && claim.isAvailable)
  }

  @Test mutating func `a service that ends or is replaced has no compass and no claim of this program`() {
    for isRunning in [true, false] {
      find()
      claim.begin()
      claim.grant(at: clock.now)
      claim.changeService(isRunning: isRunning, at: clock.now)
      #expect(!claim.isAvailable && claim.deadline == (isRunning ? clock.now : .never))
      let isReleased = claim.end()
      #expect(!isReleased)
    }
    #expect(!claim.take(hasCompass: true, at: clock.now) && !claim.isAvailable)
  }

  @Test mutating func `a granted compass is read at once, and again a second after each reading`() {
    find()
    claim.begin()
    #expect(claim.deadline == .never)
    claim.grant(at: clock.now)
    expire(after: .zero, .read)
    #expect(claim.deadline == .never)
    for _ in 1...3 {
      claim.takeReading(at: clock.now)
      expire(after: .seconds(1), .read)
    }
    claim.takeReading(at: clock.now)
    let isReleased = claim.end()
    #expect(isReleased && claim.deadline == .never)
  }

  @Test mutating func `a claim is released once, also one that was not answered`() {
    find()
    claim.begin()
    let releases = (0..<2).map { _ in claim.end() }
    #expect(releases == [true, false])
  }

  @Test mutating func `a compass that is denied is not released, and is offered again after ten minutes`() {
    find()
    claim.begin()
    claim.deny(at: clock.now)
    let isReleased = claim.end()
    #expect(!isReleased && !claim.isAvailable)
    expire(after: .seconds(600), .offer)
    #expect(claim.isAvailable && claim.deadline == .never)
    // The heading of a compass that was granted may be denied as well.
    claim.begin()
    claim.grant(at: clock.now)
    claim.deny(at: clock.now)
    let isGrantReleased = claim.end()
    #expect(isGrantReleased && !claim.isAvailable)
  }

  @Test mutating func `a denial ends with the service`() {
    find()
    claim.deny(at: clock.now)
    #expect(!claim.isAvailable)
    find()
  }
}
