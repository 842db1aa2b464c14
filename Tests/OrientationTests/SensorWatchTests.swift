import Instants
import Orientation
import TestSupport
import Testing

/// A magnetometer and its accelerometer, which are read every 100 ms.
@Suite struct SensorWatchTests {
  private let clock = ManualScheduler()
  private static let interval = Span.milliseconds(100)

  /// Reads the sensors until there is a decision, and returns it with the time since the call.
  ///
  /// - Parameter read: notes the results of a read.
  private func decision(
    of watch: inout SensorWatch, buffered: (field: Bool, acceleration: Bool) = (false, false), within span: Span = .seconds(20),
    read: (inout SensorWatch) -> Void = { _ in }
  ) -> (step: SensorWatch.Step, after: Span)? {
    let begin = clock.now
    while clock.now - begin < span {
      clock.advance(by: Self.interval)
      read(&watch)
      if let step = watch.step(isFieldBuffered: buffered.field, isAccelerationBuffered: buffered.acceleration, at: clock.now) {
        return (step, clock.now - begin)
      }
    }
    return nil
  }

  private func started(_ device: String = "ak8975", hasAccelerometer: Bool = false) -> SensorWatch {
    var watch = SensorWatch()
    watch.begin(device, hasAccelerometer: hasAccelerometer, at: clock.now)
    return watch
  }

  @Test(arguments: [
    (SensorWatch.Failure.error(5), true), (.error(5), false), (.refused(isStale: true), true), (.refused(isStale: false), false),
  ])
  func `two seconds without a usable field are a failure, whose reason is the latest result`(
    failure: SensorWatch.Failure, isBuffered: Bool
  ) throws {
    var watch = started()
    watch.takeField(at: clock.now)
    var reads = 0
    let found = try #require(
      decision(of: &watch, buffered: (isBuffered, false)) { watch in
        reads += 1
        // An earlier result of another kind is not the reason.
        switch reads == 1 ? .refused(isStale: failure != .refused(isStale: true)) : failure {
        case .error(let code): watch.note(error: code)
        case .refused(let isStale): watch.refuseField(isStale: isStale)
        default: break
        }
      })
    #expect(found.step == .fail(failure) && found.after == .seconds(2))
  }

  @Test func `a field that is used ends the reason before it`() throws {
    var watch = started()
    watch.note(error: 5)
    watch.takeField(at: clock.now)
    #expect(try #require(decision(of: &watch, buffered: (true, false))).step == .avoidBuffers)
    watch.begin("ak8975", hasAccelerometer: false, at: clock.now)
    watch.note(error: 5)
    watch.begin("ak8975", hasAccelerometer: false, at: clock.now)
    #expect(try #require(decision(of: &watch)).step == .fail(.noField))
  }

  @Test func `a field every 1.9 seconds is enough`() {
    var watch = started()
    var reads = 0
    let found = decision(of: &watch) { watch in
      reads += 1
      if reads % 19 == 0 { watch.takeField(at: clock.now) }
    }
    #expect(found == nil && reads == 200)
  }

  @Test func `an accelerometer without samples is a failure, unless its buffer has none`() throws {
    for isBuffered in [false, true] {
      var watch = started(hasAccelerometer: true)
      watch.takeAcceleration(at: clock.now)
      let found = try #require(decision(of: &watch, buffered: (false, isBuffered)) { $0.takeField(at: clock.now) })
      #expect(found.step == (isBuffered ? .avoidBuffers : .fail(.noAcceleration)) && found.after == .seconds(2))
    }
    var watch = started(hasAccelerometer: false)
    #expect(decision(of: &watch) { $0.takeField(at: clock.now) } == nil)
  }

  @Test func `buffers are avoided for ten minutes after one that sent nothing, and only with that device`() throws {
    var watch = started()
    #expect(!watch.avoidsBuffers)
    let found = try #require(decision(of: &watch, buffered: (true, false)))
    #expect(found.step == .avoidBuffers && found.after == .seconds(2))
    watch.begin("ak8975", hasAccelerometer: false, at: clock.now)
    #expect(watch.avoidsBuffers)
    watch.begin("hmc5843", hasAccelerometer: false, at: clock.now)
    #expect(!watch.avoidsBuffers)
    clock.advance(by: .seconds(600) - .milliseconds(1))
    watch.begin("ak8975", hasAccelerometer: false, at: clock.now)
    #expect(watch.avoidsBuffers)
    clock.advance(by: .milliseconds(1))
    watch.begin("ak8975", hasAccelerometer: false, at: clock.now)
    #expect(!watch.avoidsBuffers)
  }

  /// The first read reports only that the sensors are on.
  @Test(arguments: [true, false])
  func `a driver that takes three seconds to switch its sensors on has a second to send samples`(isBuffered: Bool) throws {
    var watch = started(hasAccelerometer: true)
    clock.advance(by: .seconds(3))
    #expect(watch.step(isFieldBuffered: isBuffered, isAccelerationBuffered: isBuffered, at: clock.now) == nil)
    let found = try #require(decision(of: &watch, buffered: (isBuffered, isBuffered)))
    #expect(found.step == (isBuffered ? .avoidBuffers : .fail(.noField)) && found.after == .seconds(1))
    watch.begin("ak8975", hasAccelerometer: true, at: clock.now)
    clock.advance(by: .seconds(3))
    watch.takeField(at: clock.now)
    #expect(watch.step(isFieldBuffered: isBuffered, isAccelerationBuffered: isBuffered, at: clock.now) == nil)
  }

  @Test func `a source that failed is absent for five seconds`() {
    var watch = SensorWatch()
    #expect(!watch.isHeld(at: clock.now))
    watch.fail(at: clock.now)
    #expect(watch.heldUntil == clock.now + .seconds(5))
    clock.advance(by: .seconds(5) - .milliseconds(1))
    #expect(watch.isHeld(at: clock.now))
    clock.advance(by: .milliseconds(1))
    #expect(!watch.isHeld(at: clock.now))
  }
}
