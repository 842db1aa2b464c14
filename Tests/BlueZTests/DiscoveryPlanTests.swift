import BeaconAdvertising
import DBus
import Instants
import RadioHealth
import Ranging
import TestSupport
import Testing

@testable import BlueZ

@Suite struct DiscoveryPlanTests {
  var plan = DiscoveryPlan()
  var now = Instant(microseconds: 0)
  var random = SeededGenerator(seed: 1)

  static let inProgress = DBusError(name: "org.bluez.Error.InProgress", message: "busy")
  static let failed = DBusError(name: "org.bluez.Error.Failed", message: "no")

  static func facts(powered: Bool = true, blocked: Bool = false, discovering: Bool = false, monitors: Bool = true) -> AdapterFacts {
    var facts = AdapterFacts(address: "00:00:00:00:00:01", isPowered: powered)
    facts.isBlocked = blocked
    facts.isDiscovering = discovering
    facts.hasMonitors = monitors
    return facts
  }

  mutating func update(_ facts: AdapterFacts?) {
    plan.update(facts, at: now, using: &random)
  }

  /// Answers every step of the plan with success, and returns the steps.
  mutating func steps() -> [DiscoveryPlan.Step] {
    var steps: [DiscoveryPlan.Step] = []
    while let step = plan.nextStep(at: now) {
      steps.append(step)
      plan.answered(nil, at: now, using: &random)
    }
    return steps
  }

  mutating func fail(_ expected: DiscoveryPlan.Step, _ error: DBusError) {
    #expect(plan.nextStep(at: now) == expected)
    plan.answered(error, at: now, using: &random)
  }

  mutating func startScanning() {
    plan.demand = .strength
    update(Self.facts())
    #expect(steps() == [.registerMonitor, .setFilter, .startDiscovery])
    update(Self.facts(discovering: true))
  }

  @Test mutating func `a plan has one pending step at a time`() {
    plan.demand = .strength
    update(Self.facts())
    #expect(plan.nextStep(at: now) == .registerMonitor)
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == .never)
  }

  @Test mutating func `a plan releases everything for an advertisement, and then starts again`() {
    startScanning()
    plan.yield(at: now)
    #expect(steps() == [.stopDiscovery, .unregisterMonitor])
    #expect(plan.deadline == now + DiscoveryPlan.yieldLength)
    now = plan.deadline
    #expect(steps() == [.registerMonitor, .setFilter, .startDiscovery])
  }

  @Test mutating func `a scanning plan has no deadline`() {
    startScanning()
    #expect(plan.deadline == .never)
    #expect(plan.state == .scanning)
  }

  @Test mutating func `an answer that arrives after the adapter was removed is ignored`() {
    plan.demand = .strength
    update(Self.facts())
    _ = plan.nextStep(at: now)
    update(nil)
    plan.answered(nil, at: now, using: &random)
    #expect(plan.state == .gone)
    update(Self.facts())
    #expect(steps() == [.registerMonitor, .setFilter, .startDiscovery])
  }

  @Test mutating func `a monitor that becomes available later is registered before discovery restarts`() {
    plan.demand = .strength
    update(Self.facts(monitors: false))
    #expect(steps() == [.setFilter, .startDiscovery])
    update(Self.facts(monitors: true))
    #expect(steps() == [.stopDiscovery, .registerMonitor, .setFilter, .startDiscovery])
  }

  @Test(arguments: [(false, false, AdapterHealth.State.off), (false, true, .blocked)])
  mutating func `an adapter that is off gets no calls`(powered: Bool, blocked: Bool, state: AdapterHealth.State) {
    startScanning()
    update(Self.facts(powered: powered, blocked: blocked))
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.state == state)
    update(Self.facts())
    #expect(steps() == [.setFilter, .startDiscovery])
  }

  @Test mutating func `power is switched on again in spite of failures`() {
    startScanning()
    plan.cyclePower()
    #expect(plan.nextStep(at: now) == .powerOff)
    update(Self.facts(powered: false))
    plan.answered(nil, at: now, using: &random)
    fail(.powerOn, Self.failed)
    #expect(plan.state == .paused)
    now = plan.deadline
    fail(.powerOn, Self.failed)
    now = plan.deadline
    #expect(plan.nextStep(at: now) == .powerOn)
    update(Self.facts())
    plan.answered(nil, at: now, using: &random)
    #expect(steps() == [.setFilter, .startDiscovery])
  }

  @Test mutating func `an adapter that returns gets the power that a reset still owes it`() {
    startScanning()
    plan.cyclePower()
    _ = plan.nextStep(at: now)
    plan.answered(nil, at: now, using: &random)
    update(nil)
    update(Self.facts(powered: false))
    #expect(plan.nextStep(at: now) == .powerOn)
  }

  @Test mutating func `the scan continues if power must not be cut`() {
    startScanning()
    plan.cyclePower()
    fail(.powerOff, .accessDenied("no"))
    #expect(plan.state == .scanning)
    #expect(steps() == [])
  }

  @Test mutating func `power is switched on again after an unanswered power-off`() {
    startScanning()
    plan.cyclePower()
    fail(.powerOff, .noReply("hung"))
    #expect(steps() == [.powerOn])
    #expect(plan.state == .scanning)
  }

  @Test mutating func `discovery pauses for 3 s in 33 while a bonded device is away`() {
    startScanning()
    plan.restsForDevices = true
    #expect(plan.deadline == now + .seconds(30))
    now = plan.deadline
    #expect(steps() == [.stopDiscovery])
    #expect(plan.state == .paused)
    #expect(plan.deadline == now + .seconds(3))
    now = plan.deadline
    #expect(steps() == [.setFilter, .startDiscovery])
    #expect(plan.deadline == now + .seconds(30))
  }

  @Test mutating func `the pause ends when the bonded device returns`() {
    startScanning()
    plan.restsForDevices = true
    now = plan.deadline
    #expect(steps() == [.stopDiscovery])
    plan.restsForDevices = false
    #expect(steps() == [.setFilter, .startDiscovery])
  }

  @Test mutating func `a restarted scan registers the monitor again if the monitor is the scan`() {
    plan.demand = .presence
    update(Self.facts())
    #expect(steps() == [.registerMonitor])
    plan.restart()
    #expect(steps() == [.unregisterMonitor, .registerMonitor])
    #expect(plan.state == .scanning)
  }

  @Test mutating func `a plan never spins`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var chance = SeededGenerator(seed: seed)
    plan.demand = .strength
    for round in 0..<20_000 {
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: update(Bool.random(using: &chance) ? nil : Self.facts())
      case 1: update(Self.facts(powered: .random(using: &chance), discovering: .random(using: &chance)))
      case 2: plan.demand = [.nothing, .presence, .strength].randomElement(using: &chance) ?? .nothing
      case 3: plan.restart()
      case 4: plan.cyclePower()
      case 5: plan.restsForDevices = .random(using: &chance)
      default: now += .milliseconds(.random(in: 0...5000, using: &chance))
      }
      var steps = 0
      while let step = plan.nextStep(at: now), steps < 20 {
        steps += 1
        let error = Int.random(in: 0..<3, using: &chance) == 0 ? [Self.inProgress, Self.failed].randomElement(using: &chance) : nil
        plan.answered(error, at: now, using: &random)
        if step == .powerOff, error == nil { update(Self.facts(powered: false)) }
        if step == .powerOn, error == nil { update(Self.facts()) }
      }
      #expect(steps < 12, "seed \(seed), round \(round)")
      #expect(plan.deadline > now, "seed \(seed), round \(round)")
    }
  }
}
