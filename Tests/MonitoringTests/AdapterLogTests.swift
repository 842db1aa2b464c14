import BeaconAdvertising
import Beacons
import Instants
import Monitoring
import RadioHealth
import TestSupport
import Testing

@Suite struct AdapterLogTests {
  private let scheduler = ManualScheduler()
  private let lines = LogLines()
  private let radio = Radio()
  private let log: AdapterLog

  private final class Radio {
    var trouble: String?
    var adapters: [AdapterHealth] = []
  }

  init() {
    log = AdapterLog(scheduler, log: lines.logger) { [radio] in (radio.trouble, radio.adapters) }
  }

  private func set(_ state: AdapterHealth.State, _ notes: String...) {
    let address = BluetoothAddress(reversed: [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00])
    radio.adapters = [AdapterHealth(address: address, number: 0, name: "hci0", state: state, since: Instant(microseconds: 0), notes: notes)]
    log.changed()
  }

  @Test func `only the state that a series of quick changes ends with is logged`() {
    set(.off, "it is off")
    scheduler.advance(by: .milliseconds(200))
    set(.gone, "it is not plugged in")
    scheduler.advance(by: .milliseconds(99))
    #expect(lines.all.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(lines.all == ["00:1A:7D:DA:71:13 is gone: it is not plugged in"])
    scheduler.advance(by: .seconds(60))
    #expect(lines.all.count == 1)
  }

  @Test func `a silent adapter is logged at once, because it is restarted at once`() {
    set(.scanning)
    scheduler.advance(by: .seconds(1))
    set(.silent, "it is restarted")
    set(.scanning)
    scheduler.advance(by: .seconds(1))
    #expect(
      lines.all == [
        "00:1A:7D:DA:71:13 is scanning as hci0", "00:1A:7D:DA:71:13 is silent: it is restarted", "00:1A:7D:DA:71:13 is scanning as hci0",
      ])
  }

  @Test func `the state of a source is the best state of its adapters`() {
    func state(_ states: AdapterHealth.State...) -> SourceState {
      let address = BluetoothAddress(reversed: [0, 0, 0, 0, 0, 1])
      return SourceState(of: states.map { AdapterHealth(address: address, number: 0, state: $0, since: Instant(microseconds: 0)) })
    }
    #expect(state(.off, .paused, .scanning) == .scanning)
    #expect(state(.idle, .paused, .gone) == .paused)
    #expect(state(.silent, .idle) == .idle)
    #expect(state(.silent, .off, .blocked) == .gone)
    #expect(state() == .gone)
  }
}
