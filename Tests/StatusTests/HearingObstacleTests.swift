import Beacons
import RadioHealth
import Status
import Testing

/// The faults that keep the daemon from receiving beacons.
@Suite struct HearingObstacleTests {
  private func faults(_ source: SourceStatus, _ adapters: [AdapterStatus]? = nil) -> [String]? {
    var status = MonitorStatus()
    (status.source, status.adapters) = (source, adapters)
    return status.hearingFaults
  }

  private func adapter(_ address: String?, _ state: AdapterHealth.State?, _ note: String?) -> AdapterStatus {
    var adapter = AdapterStatus()
    (adapter.address, adapter.state, adapter.note) = (address.flatMap { BluetoothAddress($0) }, state, note)
    return adapter
  }

  @Test(arguments: [.scanning, .paused, .idle, .nothing, nil] as [SourceState?])
  func `a source that receives, is about to, or would on request has no fault`(state: SourceState?) {
    #expect(faults(SourceStatus(name: "hci", state: state, note: "a note"), [adapter(nil, .off, "switch it on")]) == nil)
  }

  @Test func `the fault of an unavailable source outweighs those of its adapters`() {
    let off = adapter("00:1A:7D:DA:71:13", .off, "switch it on")
    #expect(faults(SourceStatus(name: "hci", state: .gone, note: "plug one in"), [off]) == ["plug one in"])
    #expect(
      faults(SourceStatus(name: "hci", state: .gone), [off, adapter(nil, .scanning, nil), adapter(nil, nil, "replace it")])
        == ["00:1A:7D:DA:71:13 is off: switch it on", "adapter is unknown: replace it"])
  }

  @Test func `an unavailable source without a note does not know its fault yet`() {
    #expect(faults(SourceStatus(name: "hci", state: .gone)) == [])
    #expect(faults(SourceStatus(name: "hci", state: .gone), [adapter("00:1A:7D:DA:71:13", .gone, nil)]) == [])
  }

  @Test func `a recording that has ended is a fault, after its note`() {
    #expect(faults(SourceStatus(name: "capture:w", state: .paused, hasEnded: true)) == ["restart beaconmond to play it again"])
    #expect(
      faults(SourceStatus(name: "capture:w", state: .paused, note: "damaged", hasEnded: true))
        == ["damaged", "restart beaconmond to play it again"])
  }
}
