import Status
import Terminal
import Testing

@Suite struct HubTextTests {
  @Test func `a hub has a line, with its trouble below`() {
    let text = StatusText(style: plain)
    func lines(_ hub: HubStatus?) -> [String] {
      text.text(MonitorStatus(), hub: hub).split(separator: "\n").map(String.init)
    }
    #expect(!lines(nil).contains { $0.hasPrefix("hub") })
    #expect(lines(HubStatus(isConnected: true, trouble: nil, hasListedShares: true)).contains("hub        connected"))
    let broken = lines(HubStatus(isConnected: false, trouble: "the broker has ended the connection", hasListedShares: false))
    let index = broken.firstIndex(of: "hub        not connected")
    #expect(index.map { broken[$0 + 1] } == "           the broker has ended the connection")
    var silent = HubStatus()
    silent.trouble = "beaconmon-notifier does not answer"
    #expect(lines(silent).contains("hub        unknown"))
  }
}
