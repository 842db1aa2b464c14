import BeaconAdvertising
import DBus
import Instants
import RadioHealth
import Ranging
import TestSupport
import Testing

@testable import BlueZ

/// Calls that fail, or have no answer.
extension DiscoveryPlanTests {
  static let noReply = DBusError.noReply("it took too long")

  @Test mutating func `a call without an answer is undone when the demand ends`() {
    plan.demand = .strength
    update(Self.facts())
    fail(.registerMonitor, Self.noReply)
    plan.demand = .nothing
    now += .seconds(10)
    #expect(steps() == [.unregisterMonitor])
    plan.demand = .strength
    #expect(plan.nextStep(at: now) == .registerMonitor)
    plan.answered(nil, at: now, using: &random)
    #expect(plan.nextStep(at: now) == .setFilter)
    plan.answered(nil, at: now, using: &random)
    fail(.startDiscovery, Self.noReply)
    plan.demand = .nothing
    now += .seconds(10)
    #expect(steps() == [.stopDiscovery, .unregisterMonitor])
    #expect(steps() == [])
  }

  @Test mutating func `failures of the monitor that were overcome do not add up`() {
    update(Self.facts())
    for _ in 0..<4 {
      plan.demand = .presence
      fail(.registerMonitor, Self.failed)
      now += .seconds(10)
      #expect(steps() == [.registerMonitor])
      plan.restart()
      #expect(plan.nextStep(at: now) == .unregisterMonitor)
      plan.answered(nil, at: now, using: &random)
    }
    #expect(steps() == [.registerMonitor])
    #expect(plan.monitor == .registered)
  }

  @Test mutating func `each failure waits longer, up to five seconds`() {
    plan.demand = .strength
    update(Self.facts(monitors: false))
    var waits: [Double] = []
    for _ in 0..<8 {
      #expect(steps(until: .startDiscovery))
      plan.answered(Self.failed, at: now, using: &random)
      #expect(plan.nextStep(at: now) == nil)
      waits.append((plan.deadline - now).seconds)
      now = plan.deadline
    }
    for (wait, base) in zip(waits, [0.5, 1, 2, 4, 4, 4, 4, 4]) { #expect(abs(wait / base - 1) <= 0.25) }
    #expect(plan.trouble == Self.failed)
  }

  /// Answers every step before `last` with success.
  mutating func steps(until last: DiscoveryPlan.Step) -> Bool {
    while let step = plan.nextStep(at: now) {
      if step == last { return true }
      plan.answered(nil, at: now, using: &random)
    }
    return false
  }

  @Test mutating func `discovery that is lost repeatedly is not restarted immediately each time`() {
    startScanning()
    var begins = 0
    while now < Instant(microseconds: 60_000_000) {
      update(Self.facts(discovering: true))
      update(Self.facts(discovering: false))
      now = max(plan.deadline, now)
      begins += steps().count { $0 == .startDiscovery }
    }
    #expect(begins <= 22)
  }

  @Test mutating func `the monitor is tried three times, and then discovery runs without it`() {
    plan.demand = .strength
    update(Self.facts())
    for _ in 0..<3 {
      fail(.registerMonitor, Self.failed)
      now = max(plan.deadline == .never ? now : plan.deadline, now)
    }
    #expect(steps() == [.setFilter, .startDiscovery])
    #expect(plan.monitor == .refused(Self.failed))
  }

  @Test mutating func `a stop that BlueZ is too busy for is retried`() {
    startScanning()
    plan.demand = .nothing
    fail(.stopDiscovery, Self.inProgress)
    #expect(plan.state == .scanning)
    now = plan.deadline
    #expect(steps() == [.stopDiscovery, .unregisterMonitor])
  }

  @Test mutating func `a busy BlueZ is called about once a second, and leftovers are stopped first`() {
    plan.demand = .strength
    update(Self.facts(monitors: false))
    let begin = now
    for _ in 0..<20 {
      #expect(steps(until: .startDiscovery))
      plan.answered(Self.inProgress, at: now, using: &random)
      #expect(plan.busySince == begin)
      #expect((plan.deadline - now).seconds <= 1.25 && (plan.deadline - now).seconds >= 0.375)
      now = plan.deadline
    }
    #expect(steps() == [.stopDiscovery, .setFilter, .startDiscovery])
    #expect(plan.busySince == nil)
  }
}
