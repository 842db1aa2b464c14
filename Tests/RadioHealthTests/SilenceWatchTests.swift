import Instants
import Testing

@testable import RadioHealth

@Suite struct SilenceWatchTests {
  private var watch = SilenceWatch()
  private var now = Instant(microseconds: 0)

  /// Hears each device once in every `interval`, for `length`.
  private mutating func hear(_ devices: Int, every interval: Span = .seconds(1), for length: Span = .seconds(60)) {
    let end = now + length
    while now < end {
      for device in 0..<devices { watch.heard(UInt64(device), at: now) }
      now += interval
    }
  }

  /// Advances until an advice, and returns it with the seconds until it; nil if no advice is due any more.
  private mutating func advice(anyConnected: Bool = false, isHearing: Bool = true, within limit: Span = .seconds(7200)) -> (
    SilenceWatch.Advice, Double
  )? {
    let start = now
    while watch.deadline != .never, watch.deadline - start <= limit {
      now = max(now, watch.deadline)
      if let advice = watch.check(at: now, anyConnected: anyConnected, isHearing: isHearing) {
        return (advice, (now - start).seconds)
      }
    }
    return nil
  }

  private mutating func restartScan() {
    watch.scanEnded()
    watch.scanBegan(at: now)
  }

  @Test mutating func `an adapter that never received a report is not silent`() {
    watch.scanBegan(at: now)
    #expect(watch.deadline == .never)
    hear(1, every: .seconds(10), for: .seconds(60))
    #expect(watch.deadline == .never)
  }

  @Test mutating func `time without a scan is not silence`() {
    watch.scanBegan(at: now)
    hear(5)
    watch.scanEnded()
    #expect(watch.deadline == .never)
    now += .seconds(1000)
    watch.scanBegan(at: now)
    #expect(watch.deadline >= now + .seconds(19))
  }

  @Test mutating func `several devices that stop together cause a restart after 20 s, and then a power cycle`() {
    watch.scanBegan(at: now)
    hear(5)
    let probe = advice()
    #expect(probe?.0 == .restartScan)
    #expect(abs((probe?.1 ?? 0) - 19) < 1.5)
    #expect(!watch.isSilent)
    restartScan()
    let cycle = advice()
    #expect(cycle?.0 == .powerCycle)
    #expect(cycle?.1 == 8)
    #expect(watch.isSilent)
  }

  @Test mutating func `advice is given once while it is carried out`() {
    watch.scanBegan(at: now)
    hear(5)
    #expect(advice()?.0 == .restartScan)
    #expect(watch.deadline > now)
    #expect(watch.check(at: now, anyConnected: false, isHearing: true) == nil)
  }

  @Test mutating func `a single device that stops may have left, so the restart follows after two minutes`() {
    watch.scanBegan(at: now)
    hear(1)
    #expect((advice()?.1 ?? 0) >= 119)
  }

  @Test mutating func `a restart that brings reports leaves no trace`() {
    watch.scanBegan(at: now)
    hear(5)
    #expect(advice()?.0 == .restartScan)
    restartScan()
    now += .seconds(5)
    hear(5)
    let next = advice()
    #expect(next?.0 == .restartScan)
    #expect((next?.1 ?? 100) < 25, "the hang itself is not learned as a habit of the devices")
  }

  @Test mutating func `regular pauses of the devices are learned`() {
    watch.scanBegan(at: now)
    hear(5, every: .seconds(15), for: .seconds(600))
    let probe = advice()
    #expect((probe?.1 ?? 0) >= 40)
  }

  @Test mutating func `power is never cut while a device is connected`() {
    watch.scanBegan(at: now)
    hear(5)
    #expect(advice()?.0 == .restartScan)
    restartScan()
    #expect(advice(anyConnected: true) == nil)
    #expect(watch.isSilent)
    #expect(advice()?.0 == .powerCycle)
  }

  @Test mutating func `power is cycled once an hour at most`() {
    watch.scanBegan(at: now)
    var cuts: [Instant] = []
    while cuts.count < 3 {
      hear(5)
      while let (advice, _) = advice() {
        restartScan()
        if advice == .powerCycle {
          cuts.append(now)
          break
        }
      }
    }
    for (first, second) in zip(cuts, cuts.dropFirst()) { #expect(second - first >= .seconds(3600)) }
  }

  @Test mutating func `a completed reset without reports means that no device is near`() {
    watch.scanBegan(at: now)
    hear(5)
    for expected in [SilenceWatch.Advice.restartScan, .powerCycle] {
      #expect(advice()?.0 == expected)
      restartScan()
    }
    #expect(watch.isSilent)
    #expect(advice() == nil)
    #expect(!watch.isSilent)
    #expect(watch.deadline == .never)
  }

  @Test mutating func `an adapter that was plugged in again is not silent, and keeps its power for the hour`() {
    watch.scanBegan(at: now)
    hear(5)
    for _ in 0..<2 {
      _ = advice()
      restartScan()
    }
    let cut = now
    watch.forget()
    #expect(!watch.isSilent)
    hear(5)
    #expect(advice()?.0 == .restartScan)
    #expect(advice()?.0 == .powerCycle)
    #expect(now - cut >= .seconds(3600))
  }

  @Test mutating func `a failed reset leaves the adapter silent, and is retried after an hour`() {
    watch.scanBegan(at: now)
    hear(5)
    #expect(advice(isHearing: false)?.0 == .restartScan)
    #expect(watch.isProbing)
    #expect(advice(isHearing: false)?.0 == .powerCycle)
    let again = advice(isHearing: false)
    #expect(again?.0 == .powerCycle)
    #expect((again?.1 ?? 0) >= 3600)
    #expect(watch.isSilent)
  }

  @Test mutating func `the first report ends a silence`() {
    watch.scanBegan(at: now)
    hear(5)
    _ = advice()
    restartScan()
    _ = advice()
    #expect(watch.isSilent)
    watch.heard(0, at: now)
    #expect(!watch.isSilent)
  }
}
