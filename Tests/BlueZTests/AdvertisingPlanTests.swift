import Beacons
import DBus
import Instants
import TestSupport
import Testing

@testable import BlueZ

@Suite struct AdvertisingPlanTests {
  private var plan = AdvertisingPlan(address: nil)
  private var now = Instant(microseconds: 0)
  private var random = SeededGenerator(seed: 1)

  private static let failed = DBusError(name: "org.bluez.Error.Failed", message: "no")
  private static let first = "/org/bluez/hci0"
  private static let second = "/org/bluez/hci1"

  private static func adapter(_ path: String, powered: Bool = true, blocked: Bool = false, manager: Bool = true) -> AdvertisingAdapter {
    var facts = AdapterFacts(address: BluetoothAddress(stringLiteral: "00:00:00:00:00:0\(path.suffix(1))"), isPowered: powered)
    facts.isBlocked = blocked
    return AdvertisingAdapter(path: path, facts: facts, hasManager: manager)
  }

  private mutating func update(_ adapters: AdvertisingAdapter...) {
    plan.update(.adapters(adapters), at: now)
  }

  private mutating func expect(_ step: AdvertisingPlan.Step, answeredWith error: DBusError? = nil) {
    #expect(plan.nextStep(at: now) == step)
    plan.answered(error, at: now, using: &random)
  }

  private mutating func start() {
    update(Self.adapter(Self.first))
    expect(.register(Self.first))
    #expect(plan.sender?.path == Self.first)
  }

  @Test mutating func `a plan requests the adapters once, and then waits only for adapters that may still appear`() {
    start()
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == now + AdvertisingPlan.settling)
    now = plan.deadline
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == .never)
    #expect(plan.obstacle(at: now) == nil)
  }

  @Test mutating func `a plan has one pending step at a time`() {
    update(Self.adapter(Self.first))
    #expect(plan.nextStep(at: now) == .register(Self.first))
    #expect(plan.nextStep(at: now) == nil)
    update(Self.adapter(Self.first, powered: false))
    #expect(plan.nextStep(at: now) == nil)
  }

  @Test mutating func `a plan without a bus or bluetoothd reports the obstacle`() {
    #expect(plan.obstacle(at: now) == nil)
    plan.update(.unreachable(Self.failed), at: now)
    #expect(plan.obstacle(at: now) == .noBus(Self.failed))
    plan.update(.absent(isAnyAdapterPlugged: true), at: now)
    #expect(plan.obstacle(at: now) == .noService)
    plan.update(.absent(isAnyAdapterPlugged: false), at: now)
    #expect(plan.obstacle(at: now) == .noAdapter(nil))
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == .never)
  }

  @Test mutating func `a new bluetoothd gets time to announce its adapters`() {
    update()
    #expect(plan.obstacle(at: now) == nil)
    now = plan.deadline
    #expect(plan.obstacle(at: now) == .noAdapter(nil))
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.deadline == .never)
  }

  @Test(arguments: [
    (adapter(first, powered: false), AdvertisingObstacle.off("00:00:00:00:00:00")),
    (adapter(first, powered: false, blocked: true), .blocked("00:00:00:00:00:00")),
    (adapter(first, manager: false), .incapable("00:00:00:00:00:00")),
  ])
  mutating func `an incapable adapter is not used, and the reason is reported`(adapter: AdvertisingAdapter, obstacle: AdvertisingObstacle) {
    update(adapter)
    now += AdvertisingPlan.settling
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.obstacle(at: now) == obstacle)
  }

  @Test mutating func `the first capable adapter sends the advertisement`() {
    update(Self.adapter("/org/bluez/hci10"), Self.adapter(Self.second), Self.adapter(Self.first, powered: false))
    expect(.register(Self.second))
  }

  @Test mutating func `a configured adapter is the only one that may send the advertisement`() {
    plan = AdvertisingPlan(address: "00:00:00:00:00:01")
    update(Self.adapter(Self.first))
    now += AdvertisingPlan.settling
    #expect(plan.nextStep(at: now) == nil)
    #expect(plan.obstacle(at: now) == .noAdapter("00:00:00:00:00:01"))
    update(Self.adapter(Self.first), Self.adapter(Self.second))
    expect(.register(Self.second))
  }

  @Test mutating func `an advertisement stays with the adapter that sends it`() {
    update(Self.adapter(Self.second))
    expect(.register(Self.second))
    update(Self.adapter(Self.first), Self.adapter(Self.second))
    #expect(plan.nextStep(at: now) == nil)
  }

  @Test mutating func `an adapter that loses power is released, and another one takes over`() {
    update(Self.adapter(Self.first), Self.adapter(Self.second))
    expect(.register(Self.first))
    update(Self.adapter(Self.first, powered: false), Self.adapter(Self.second))
    #expect(plan.sender == nil)
    expect(.unregister(Self.first))
    expect(.register(Self.second))
  }

  @Test mutating func `an adapter whose power returns is used at once`() {
    start()
    update(Self.adapter(Self.first, powered: false))
    expect(.unregister(Self.first), answeredWith: Self.failed)
    #expect(plan.nextStep(at: now) == nil)
    update(Self.adapter(Self.first))
    expect(.register(Self.first))
  }

  @Test mutating func `an unplugged adapter leaves no pending call behind`() {
    start()
    update()
    #expect(plan.nextStep(at: now) == nil)
    update(Self.adapter(Self.first))
    expect(.register(Self.first))
  }

  @Test mutating func `a new bluetoothd gets a new registration, and answers of the old one are ignored`() {
    start()
    plan.update(.absent(isAnyAdapterPlugged: true), at: now)
    #expect(plan.sender == nil)
    plan.answered(nil, at: now, using: &random)
    update(Self.adapter(Self.first))
    expect(.register(Self.first))
  }

  @Test mutating func `a refusal is reported and retried at growing intervals`() {
    update(Self.adapter(Self.first))
    now += AdvertisingPlan.settling
    var waits: [Double] = []
    for _ in 0..<8 {
      expect(.register(Self.first), answeredWith: Self.failed)
      #expect(plan.obstacle(at: now) == .refused("00:00:00:00:00:00", Self.failed))
      #expect(plan.nextStep(at: now) == nil)
      waits.append((plan.deadline - now).seconds)
      now = plan.deadline
    }
    #expect((waits.first ?? 0) < 2 && (waits.last ?? 0) > 20)
    expect(.register(Self.first))
    #expect(plan.obstacle(at: now) == nil)
  }

  @Test(arguments: [
    ("org.bluez.Error.NotPermitted", AdvertisingObstacle.full("00:00:00:00:00:00")),
    ("org.freedesktop.DBus.Error.AccessDenied", .denied(DBusError(name: "org.freedesktop.DBus.Error.AccessDenied", message: "no"))),
  ])
  mutating func `refusals with a known remedy are named`(name: String, obstacle: AdvertisingObstacle) {
    update(Self.adapter(Self.first))
    expect(.register(Self.first), answeredWith: DBusError(name: name, message: "no"))
    #expect(plan.obstacle(at: now) == obstacle)
  }

  @Test mutating func `a registration that fails while the adapter scans is retried as soon as the scan ends`() {
    var adapter = Self.adapter(Self.first)
    adapter.facts.isDiscovering = true
    update(adapter)
    expect(.register(Self.first), answeredWith: Self.failed)
    #expect(plan.obstacle(at: now) == .scanning("00:00:00:00:00:00"))
    #expect(plan.nextStep(at: now) == nil)
    update(Self.adapter(Self.first))
    expect(.register(Self.first))
  }

  @Test mutating func `an existing advertisement counts as our own`() {
    update(Self.adapter(Self.first))
    expect(.register(Self.first), answeredWith: DBusError(name: "org.bluez.Error.AlreadyExists", message: ""))
    #expect(plan.sender?.path == Self.first)
  }

  @Test mutating func `an advertisement that BlueZ releases is registered again after a while`() {
    start()
    plan.released(at: now, using: &random)
    #expect(plan.sender == nil)
    #expect(plan.nextStep(at: now) == nil)
    now += .seconds(2)
    expect(.register(Self.first))
  }

  @Test mutating func `a plan never has two pending steps and never uses an absent adapter`() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    var pending: AdvertisingPlan.Step?
    for _ in 0..<20_000 {
      now += .milliseconds(Int64.random(in: 0...3000, using: &generator))
      var present: [AdvertisingAdapter] = []
      for path in [Self.first, Self.second] where Bool.random(using: &generator) {
        present.append(Self.adapter(path, powered: Bool.random(using: &generator), manager: Int.random(in: 0..<9, using: &generator) > 0))
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        plan.update(.absent(isAnyAdapterPlugged: true), at: now)
        pending = nil
      case 1: plan.released(at: now, using: &generator)
      case 2, 3:
        plan.answered(Bool.random(using: &generator) ? nil : Self.failed, at: now, using: &generator)
        pending = nil
      default: plan.update(.adapters(present), at: now)
      }
      guard let step = plan.nextStep(at: now), step != pending else { continue }
      #expect(pending == nil, "seed \(seed)")
      pending = step
      guard case .adapters(let there) = plan.reachability else { return #expect(Bool(false), "asked of nobody; seed \(seed)") }
      switch step {
      case .register(let path): #expect(there.contains { $0.path == path && $0.isUsable }, "seed \(seed)")
      case .unregister(let path): #expect(there.contains { $0.path == path }, "seed \(seed)")
      }
    }
  }
}
