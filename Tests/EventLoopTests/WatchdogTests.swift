import EventLoop
import Instants
import TestSupport
import Testing

@Suite struct WatchdogTests {
  private let scheduler = ManualScheduler()
  private let fed = Holder<Int>()
  private let probes = Holder<[() -> Void]>()

  private func watchdog(isStuck: @escaping () -> Bool = { false }) -> Watchdog {
    fed.value = 0
    probes.value = []
    return Watchdog(scheduler, every: .seconds(60)) { [probes] in
      probes.value?.append($0)
    } isStuck: {
      isStuck()
    } feed: { [fed] in
      fed.value = (fed.value ?? 0) + 1
    }
  }

  private func answer() {
    let waiting = probes.value ?? []
    probes.value = []
    for probe in waiting { probe() }
  }

  @Test func `a program that works answers its watchdog sixty times an hour, with one wake-up each`() {
    let watchdog = watchdog()
    for minute in 1...60 {
      scheduler.advance(by: .seconds(60))
      #expect(probes.value?.count == 1, "minute \(minute)")
      answer()
    }
    #expect(fed.value == 60)
    #expect(watchdog.latency == .zero)
  }

  @Test func `a probe that does not return is the last one, and the watchdog gets no answer`() {
    let watchdog = watchdog()
    scheduler.advance(by: .seconds(3600))
    #expect(probes.value?.count == 1)
    #expect(fed.value == 0)
    #expect(watchdog.latency == nil)
  }

  @Test func `a late probe answers the watchdog when it returns, and its latency is known`() {
    let watchdog = watchdog()
    scheduler.advance(by: .seconds(75))
    answer()
    #expect(fed.value == 1)
    #expect(watchdog.latency == .seconds(15))
    scheduler.advance(by: .seconds(45))
    #expect(probes.value?.count == 1)
  }

  @Test func `a program that is stuck does not notify its watchdog, and resumes when it proceeds`() {
    let isStuck = Holder<Bool>()
    isStuck.value = true
    let watchdog = watchdog { isStuck.value == true }
    scheduler.advance(by: .seconds(60))
    answer()
    #expect(fed.value == 0)
    isStuck.value = false
    scheduler.advance(by: .seconds(60))
    answer()
    #expect(fed.value == 1)
    _ = watchdog
  }
}
