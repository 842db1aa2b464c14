import FleetMessages
import RadioHealth
import Status
import TestSupport
import Testing

@testable import FleetReporting

@Suite struct FleetDeviceTests {
  private let source = "no beacon can be received"

  private var failed: MonitorStatus {
    var status = MonitorStatus()
    (status.source.state, status.source.note) = (.gone, source)
    status.journal.note = "the disk is full"
    return status
  }

  @Test func `the state of the daemon has its severity, its rollout and its problems, the most severe ones first`() {
    #expect(DaemonState(MonitorStatus(), isMachineSynchronised: true) == DaemonState(revision: nil, severity: .ok))
    var status = failed
    status.configuration = .init()
    status.configuration?.rollout = 7
    #expect(
      DaemonState(status, isMachineSynchronised: true)
        == DaemonState(revision: 7, severity: .failed, problems: [source, "the disk is full"]))
    let clock = DaemonState(MonitorStatus(), isMachineSynchronised: false)
    #expect((clock.severity, clock.problems.count) == (.degraded, 1))
  }

  @Test func `a report has the problems of the daemon, and a reload that the notifier refused`() {
    var notifier = NotifierState(version: "1", configuration: [1], freeSpace: 5, isClockSynchronised: false)
    let daemon = DaemonState(failed, isMachineSynchronised: nil)
    #expect(
      DeviceReport(notifier, daemon)
        == DeviceReport(
          version: "1", configuration: [1], freeSpace: 5, isClockSynchronised: false, problems: [source, "the disk is full"]))
    // The rollout in the configuration of the notifier counts, and not that of the daemon.
    (notifier.revision, notifier.refusedReload) = (3, "line 2")
    let report = DeviceReport(notifier, DaemonState(revision: 4, severity: .ok))
    #expect((report.revision, report.problems) == (3, ["the notifier refused a reload: line 2"]))
  }

  @Test func `a daemon that does not answer is a problem in the report`() {
    let report = DeviceReport(NotifierState(version: "1"), DaemonState(unreachable: "no answer"))
    #expect(report.problems == ["no answer"])
  }
}
