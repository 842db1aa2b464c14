import Headings
import Instants
import Motion
import Positioning
import TestSupport
import Testing

/// Sensors of motion that come, go and are silent, beside a source of headings that shares its samples.
@Suite struct MotionSensorPlanTests {
  private let clock = ManualScheduler()
  private var plan = MotionSensorPlan(batch: .seconds(1))

  private func acceleration(at time: Instant) -> MotionSample { MotionSample(.acceleration([0, 0, 9.8]), at: time) }
  private func rotation(at time: Instant) -> MotionSample { MotionSample(.rotation([0, 0, 1]), at: time) }

  /// Advances the clock to the deadline, and compares the time until then and the decision.
  private mutating func expire(after span: Span, _ step: MotionSensorPlan.Step, _ location: SourceLocation = #_sourceLocation) {
    #expect(plan.deadline == clock.now + span, sourceLocation: location)
    clock.advance(by: plan.deadline - clock.now)
    #expect(plan.expire(at: clock.now) == step, sourceLocation: location)
  }

  @Test mutating func `sensors that become silent are searched for at once, and those that send nothing after 30 seconds`() {
    #expect(plan.switchOn() == .search)
    plan.begin(at: clock.now)
    plan.takeSamples(at: clock.now)
    clock.advance(by: .seconds(2))
    #expect(plan.expire(at: clock.now) == nil)
    plan.takeSamples(at: clock.now)
    expire(after: .seconds(3), .search)
    for _ in 1...3 {
      plan.begin(at: clock.now)
      expire(after: .seconds(3), .end)
      expire(after: .seconds(30), .search)
    }
    plan.begin(at: clock.now)
    plan.takeSamples(at: clock.now)
    expire(after: .seconds(3), .search)
  }

  @Test mutating func `sensors that cannot be read are searched for after a pause, and missing ones when a device comes`() {
    #expect(plan.switchOn() == .search)
    plan.pause(at: clock.now)
    expire(after: .seconds(30), .search)
    plan.wait()
    #expect(plan.deadline == .never)
    #expect(plan.changeDevices(areOthers: false) == .search)
  }

  @Test mutating func `a device that changes the choice of sensors is used at once, and another one changes nothing`() {
    _ = plan.switchOn()
    plan.begin(at: clock.now)
    #expect(plan.changeDevices(areOthers: false) == nil && plan.changeDevices(areOthers: true) == .search)
    plan.takeSamples(at: clock.now)
    #expect(plan.changeDevices(areOthers: false) == nil && plan.changeDevices(areOthers: true) == .search)
    plan.switchOff()
    #expect(plan.changeDevices(areOthers: true) == nil && plan.deadline == .never)
  }

  @Test mutating func `shared samples replace the own ones from the first acceleration, and are delivered once a second`() {
    let begin = clock.now
    #expect(plan.take(shared: acceleration(at: begin), at: begin) == nil)
    _ = plan.switchOn()
    plan.begin(at: begin)
    #expect(plan.take(shared: rotation(at: begin), at: begin) == nil)
    var samples: [MotionSample] = []
    for index in 0...4 {
      let sample = acceleration(at: begin + .milliseconds(250) * Double(index))
      samples.append(sample)
      let step = plan.take(shared: sample, at: clock.now)
      #expect(step == (index == 0 ? .end : index == 4 ? .deliver(samples) : nil))
    }
    let next = rotation(at: begin + .milliseconds(1250))
    #expect(plan.take(shared: next, at: clock.now) == nil)
    let last = acceleration(at: begin + .milliseconds(2250))
    #expect(plan.take(shared: last, at: clock.now) == .deliver([next, last]))
    #expect(plan.changeDevices(areOthers: true) == nil)
  }

  @Test mutating func `own sensors are searched for when the other reader ends, and when it is silent`() {
    #expect(plan.endSharing() == nil)
    _ = plan.switchOn()
    plan.begin(at: clock.now)
    #expect(plan.endSharing() == nil)
    _ = plan.take(shared: acceleration(at: clock.now), at: clock.now)
    #expect(plan.endSharing() == .search)
    plan.begin(at: clock.now)
    #expect(plan.endSharing() == nil)
    _ = plan.take(shared: acceleration(at: clock.now), at: clock.now)
    expire(after: .seconds(3), .search)
  }

  @Test mutating func `a plan that was switched off decides nothing`() {
    _ = plan.switchOn()
    plan.begin(at: clock.now)
    plan.switchOff()
    clock.advance(by: .seconds(60))
    #expect(plan.expire(at: clock.now) == nil && plan.endSharing() == nil)
    #expect(plan.take(shared: acceleration(at: clock.now), at: clock.now) == nil)
  }
}
