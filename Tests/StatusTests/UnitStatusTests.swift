import Instants
import Status
import Testing

@Suite final class UnitStatusTests {
  private static let time = Instant(microseconds: 1_800_000_000_123_456)
  private var unit = UnitStatus()

  init() {
    unit.activity = "Listening"
    _ = unit.change()
  }

  private func change(_ health: HealthReport? = nil) -> String? { unit.change(health) }

  private func health(_ problems: (HealthReport.Problem.Kind, String)...) -> HealthReport {
    var health = HealthReport()
    for (kind, note) in problems { health.add(kind, .degraded, note) }
    return health
  }

  @Test func `an unchanged line is not reported again`() {
    #expect(change() == nil && change(HealthReport()) == nil)
    #expect(change(health((.adapter, "hci0 is blocked"))) == "degraded: adapter: hci0 is blocked; Listening")
    #expect(change(health((.adapter, "hci0 is blocked"))) == nil)
    #expect(change(HealthReport()) == "Listening")
  }

  @Test func `a refused reload stays in the line until a reload succeeds, beside other problems`() {
    unit.refusedReload = RefusedReload(time: Self.time, ["a.toml:1: unknown key", "a.toml:2: unknown key", "a.toml:3: unknown key"])
    let refusal = "Reload refused at 2027-01-15T08:00:00Z: a.toml:1: unknown key (and 2 more)"
    #expect(change() == "\(refusal); Listening")
    // The health has the refused reload as well.
    #expect(change(health((.configuration, "the last reload was refused"))) == nil)
    let both = health((.configuration, "the last reload was refused"), (.journal, "it cannot be written"))
    #expect(change(both) == "\(refusal); degraded: journal: it cannot be written; Listening")
    unit.refusedReload = nil
    #expect(change(HealthReport()) == "Listening")
  }

  @Test func `the same refusal at another time is another line`() {
    unit.refusedReload = RefusedReload(time: Self.time, ["x"])
    #expect(change() != nil)
    unit.refusedReload = RefusedReload(time: Self.time + .seconds(60), ["x"])
    #expect(change() == "Reload refused at 2027-01-15T08:01:00Z: x; Listening")
  }

  @Test func `a note about the configuration comes before the activity`() {
    unit.note = "a.toml:3: \"window\" is now \"interval\""
    #expect(change() == "a.toml:3: \"window\" is now \"interval\"; Listening")
  }

  @Test func `a connection is stuck if messages wait at two checks and none moved in between`() {
    var watch = TrafficWatch()
    func isStuck(hasWaiting: Bool = true, _ traffic: UInt64) -> Bool { watch.isStuck(hasWaiting: hasWaiting, traffic: traffic) }
    #expect(!isStuck(7), "the first check knows no other")
    #expect(isStuck(7) && isStuck(7))
    #expect(!isStuck(8))
    #expect(!isStuck(hasWaiting: false, 8))
    #expect(!isStuck(8), "nothing waited at the check before")
    #expect(isStuck(8))
  }
}
