import Instants
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

  @Test func `a rollout is shown with its trial, its confirmation, or the reason of its end`() {
    func shown(_ rollout: HubStatus.Rollout?, inUse: Int64?) -> [String] {
      var (status, hub) = (MonitorStatus(), HubStatus(isConnected: true, trouble: nil, hasListedShares: true))
      status.configuration = .init(
        files: ["/b"], time: Instant(microseconds: 0), digest: "", needsRestart: false, note: nil, rollout: inUse)
      hub.rollout = rollout
      return Array(
        StatusText(style: plain).text(status, hub: hub).split(separator: "\n").map(String.init).drop { !$0.hasPrefix("rollout") }
          .prefix { $0.hasPrefix("rollout") || $0.hasPrefix("   ") })
    }
    #expect(shown(nil, inUse: nil) == [])
    #expect(
      shown(.init(revision: 7, state: .onTrial, since: Instant(microseconds: 0)), inUse: 7)
        == ["rollout    revision 7, on trial since 1970-01-01 00:00:00Z"])
    #expect(shown(.init(revision: 7, state: .confirmed), inUse: 7) == ["rollout    revision 7, confirmed"])
    #expect(
      shown(.init(revision: 8, state: .rolledBack, reason: "the daemon does not answer"), inUse: 7)
        == ["rollout    revision 7", "           revision 8 rolled back: the daemon does not answer"])
    #expect(
      shown(.init(revision: 8, state: .refused, reason: "it is not for berlin.door"), inUse: nil)
        == ["rollout    revision 8 refused: it is not for berlin.door"])
  }
}
