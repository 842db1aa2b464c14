import ClientCommands
import Instants
import TestSupport
import Testing

@Suite struct PacketClockTests {
  private let scheduler = ManualScheduler()

  @Test func `there is no time before the first packet`() {
    #expect(PacketClock(scheduler).now == nil)
  }

  @Test func `live packets are timed by this machine, even when no more come`() {
    var clock = PacketClock(scheduler)
    clock.take(scheduler.wallClock - .seconds(4))
    #expect(clock.now == scheduler.wallClock)
    scheduler.advance(by: .seconds(60))
    #expect(clock.now == scheduler.wallClock)
  }

  @Test func `a capture is timed by its packets`() {
    var clock = PacketClock(scheduler)
    let recorded = scheduler.wallClock - .seconds(86_400)
    clock.take(recorded)
    scheduler.advance(by: .seconds(60))
    #expect(clock.now == recorded)
    clock.take(recorded + .seconds(600))
    #expect(clock.now == recorded + .seconds(600))
    let future = scheduler.wallClock + .seconds(6)
    clock.take(future)
    #expect(clock.now == future)
  }
}
