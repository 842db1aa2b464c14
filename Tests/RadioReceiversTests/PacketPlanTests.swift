import Instants
import RadioHealth
import TestSupport
import Testing

@testable import HCI
@testable import RadioReceivers

@Suite struct PacketPlanTests {
  private var plan = PacketPlan()
  private var now = Instant(microseconds: 0)
  private var random = SeededGenerator(seed: 1)

  private mutating func became(_ state: HCISource.State) {
    plan.became(state, at: now, using: &random)
  }

  private mutating func scan() {
    plan.want(true, at: now)
    #expect(plan.nextStep(at: now) == .scan)
    became(.startingScan)
    #expect(plan.nextStep(at: now) == nil)
    became(.scanning)
    #expect(plan.health == .scanning)
  }

  /// Hears five devices once a second for a minute.
  private mutating func hear() {
    for _ in 0..<60 {
      plan.heard(1...5 as ClosedRange<UInt64>, at: now)
      now += .seconds(1)
    }
  }

  /// Returns the next step during silence, and the seconds until it.
  private mutating func silence() -> (PacketPlan.Step?, Double) {
    let start = now
    while plan.deadline != .never {
      now = max(now, plan.deadline)
      if let step = plan.nextStep(at: now) { return (step, (now - start).seconds) }
    }
    return (nil, 0)
  }

  @Test mutating func `a plan makes no scan while bluetoothd scans`() {
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == .never)
  }

  @Test mutating func `a plan scans without bluetoothd, and stops when it appears`() {
    scan()
    #expect(plan.deadline == .never)
    plan.want(false, at: now)
    #expect(plan.nextStep(at: now) == .stop)
    became(.listening)
    #expect(plan.nextStep(at: now) == nil)
  }

  @Test(
    arguments: [
      (.off("hci0"), .off), (.blocked("hci0"), .blocked), (.missing(.netAdmin, place: "hci0", purpose: "x"), .off),
      (.noAnswer("LE Set Scan Enable", adapter: "hci0"), .paused),
    ] as [(HCIError, AdapterHealth.State)])
  mutating func `a failure is retried after a pause and reported`(error: HCIError, state: AdapterHealth.State) {
    plan.want(true, at: now)
    _ = plan.nextStep(at: now)
    for _ in 0..<10 {
      became(.scanFailed(error))
      #expect(plan.health == state)
      #expect(plan.failure == error)
      #expect(plan.nextStep(at: now) == nil)
      let wait = plan.deadline - now
      #expect(wait >= .milliseconds(375) && wait <= .seconds(5))
      now = plan.deadline
      #expect(plan.nextStep(at: now) == .scan)
      became(.startingScan)
      #expect(plan.health == state && plan.failure == error)
    }
    became(.scanning)
    #expect(plan.health == .scanning && plan.failure == nil)
  }

  @Test mutating func `an adapter that a user switches off is left off, and scans when it is on again`() {
    scan()
    now += .seconds(60)
    plan.switched(on: false, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.health == .off)
    #expect(plan.deadline == .never)
    plan.switched(on: true, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == .scan)
  }

  @Test mutating func `an adapter that bluetoothd switches off is left off although the kernel ends the scan first`() {
    scan()
    now += .seconds(60)
    became(.listening)
    plan.switched(on: false, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.health == .off && plan.deadline == .never)
    plan.switched(on: true, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == .scan)
  }

  @Test mutating func `an adapter that rfkill blocks is retried`() {
    scan()
    now += .seconds(60)
    plan.switched(on: false, blocked: true, at: now)
    #expect(plan.nextStep(at: now) == .scan)
    became(.scanFailed(.blocked("hci0")))
    #expect(plan.health == .blocked)
    now = plan.deadline
    #expect(plan.nextStep(at: now) == .scan)
  }

  @Test mutating func `an adapter that goes off with bluetoothd is switched on again`() {
    scan()
    now += .seconds(1)
    plan.switched(on: false, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == .scan)
  }

  @Test mutating func `a scan that another program ends is restarted, without a fight between the programs`() {
    scan()
    for attempt in 0..<6 {
      now += .milliseconds(10)
      became(.listening)
      #expect(plan.nextStep(at: now) == nil)
      let wait = plan.deadline - now
      #expect(wait >= .milliseconds(attempt < 3 ? 375 : 3000) && wait <= .seconds(5))
      now = plan.deadline
      #expect(plan.nextStep(at: now) == .scan)
      became(.scanning)
    }
    now += .seconds(60)
    became(.listening)
    #expect(plan.deadline - now < .seconds(1))
  }

  @Test mutating func `switching the adapter on for a scan does not start another scan`() {
    plan.want(true, at: now)
    _ = plan.nextStep(at: now)
    became(.startingScan)
    plan.switched(on: true, blocked: false, at: now)
    #expect(plan.nextStep(at: now) == nil)
  }

  @Test mutating func `a hang is answered with a restarted scan, and then with a power cycle`() {
    scan()
    hear()
    let probe = silence()
    #expect(probe.0 == .scan)
    #expect(probe.1 >= 18 && probe.1 <= 21)
    became(.scanning)
    #expect(plan.health == .scanning)
    let cycle = silence()
    #expect(cycle.0 == .cyclePower)
    #expect(cycle.1 >= 8 && cycle.1 <= 10)
    #expect(plan.health == .silent)
    became(.scanning)
    plan.heard([1], at: now)
    #expect(plan.health == .scanning)
  }

  @Test mutating func `a controller that does not restart its scan is silent`() {
    scan()
    hear()
    #expect(silence().0 == .scan)
    let start = now
    while plan.health != .silent, now - start < .seconds(60) {
      became(.scanFailed(.noAnswer("LE Set Scan Enable", adapter: "hci0")))
      now = plan.deadline
      _ = plan.nextStep(at: now)
    }
    #expect(plan.health == .silent)
    #expect(now - start < .seconds(15))
  }

  @Test mutating func `an absent adapter gets no commands`() {
    scan()
    became(.gone(.gone("hci0")))
    #expect(plan.health == .gone)
    #expect(plan.nextStep(at: now) == nil)
    plan.want(false, at: now)
    #expect(plan.nextStep(at: now) == nil)
  }
}
