import ClientCommands
import DBus
import EventLoop
import Events
import Failures
import Instants
import MonitorClient
import Records
import Status
import Terminal

/// The screen of `beaconmon monitor` and of `beaconmon status --watch`, across restarts of the daemon.
final class RegionScreen {
  private let purpose: RegionContent.Purpose
  private let link: CommandLink
  private let output: ScreenOutput
  private let times: TimeOptions
  private var screen: LiveScreen<RegionContent>?
  private var follower: EventFollower?
  private var client: MonitorClient?
  private let poll: StatusPoll

  init(_ purpose: RegionContent.Purpose, _ link: CommandLink, _ output: ScreenOutput, _ times: TimeOptions) {
    (self.purpose, self.link, self.output, self.times) = (purpose, link, output, times)
    poll = StatusPoll(link.loop, every: purpose == .status ? .seconds(2) : .seconds(10))
    poll.onRequest = { [unowned self] in requestStatus($0) }
  }

  func run() throws(Failure) {
    let content = RegionContent(purpose, style: output.style, time: output.timeFormat(times))
    screen = try output.live(link.loop, content) { [link] in link.end() }
    defer { screen?.finish() }
    link.onPresenceChange = { [unowned self] isAvailable in
      screen?.note(isAvailable ? nil : DaemonWatch.absence)
      poll.noteAvailability(isAvailable)
    }
    try link.run { [unowned self] client in
      self.client = client
      if purpose == .monitor {
        follower = client.followEvents { [unowned self] events in
          screen?.update { $0.take(events, at: WallClock.now) }
          poll.noteEvents()
        }
      }
      poll.noteAvailability(true)
    }
    follower = nil
    screen?.finish()
    if let failure = output.failure { throw failure }
  }

  private func requestStatus(_ number: Int) {
    client?.status { [weak self] answer in
      guard let self else { return }
      guard purpose == .status, let client, case .success = answer else { return show(answer, nil, number) }
      link.settle()
      client.sharing.shownHub { [weak self] in self?.show(answer, $0, number) }
    }
  }

  private func show(_ answer: Result<Record, DBusError>, _ hub: HubStatus?, _ number: Int) {
    link.settle()
    guard poll.noteAnswer(to: number) else { return }
    switch answer {
    case .success(let record):
      screen?.note(nil)
      screen?.update { $0.take(MonitorStatus(record), hub: hub, at: WallClock.now) }
    case .failure(let error): screen?.note("the state of the regions is unavailable: \(error.message)")
    }
  }
}
