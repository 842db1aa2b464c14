import BeaconAdvertising
import Beacons
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import Ranging
import Records
import Setup
import Status
import Surveys
import Terminal

/// The source of the beacons that setup offers.
struct SetupAir {
  enum Origin {
    case daemon(BusAddress)
    /// The path of a capture.
    case capture(String)
    /// The path of the report of a survey, as JSON.
    case survey(String)
  }

  let origin: Origin
  let duration: Span

  /// Listens, and adds the beacons to those of `surroundings`.
  ///
  /// A daemon that does not run or cannot receive is an obstacle in the surroundings, because a user can type the UUID.
  /// Returns false if a signal ended it.
  func listen(into surroundings: inout SetupSurroundings) throws(Failure) -> Bool {
    let bus: BusAddress
    switch origin {
    case .capture(let path):
      surroundings.hear(try beacons(of: path))
      return true
    case .survey(let path):
      surroundings.hear(try surveyed(path))
      return true
    case .daemon(let address): bus = address
    }
    do throws(Failure) {
      let survey = try DaemonBeacons(CommandLink(bus, forSession: true))
      guard try survey.run(for: duration) else { return false }
      surroundings.hear(survey.beacons)
      surroundings.adapters = survey.adapters
      surroundings.obstacle = survey.obstacle
    } catch {
      guard error.status == .unavailable else { throw error }
      surroundings.obstacle = error.description
    }
    return true
  }

  private func beacons(of capture: String) throws(Failure) -> [SetupSurroundings.Beacon] {
    var roster = AdapterRoster()
    let levels = Dictionary(grouping: try WalkFiles.sightings(capture, roster: &roster), by: \.beacon)
    return levels.map { identity, sightings in
      SetupSurroundings.Beacon(identity, rssi: sightings.compactMap { $0.rssi.map(Double.init) }.max())
    }
  }
}

extension SetupAir {
  /// Returns the beacons of a survey that are expected, or of which nothing is expected, with the offsets that it found.
  private func surveyed(_ path: String) throws(Failure) -> [SetupSurroundings.Beacon] {
    let text = try WalkFiles.text(of: path)
    let report: SurveyReport
    do throws(JSONError) {
      report = SurveyReport(try Record(json: text))
    } catch {
      throw Failure(.dataError, "\(path): \(error); name the JSON file of beaconmon survey")
    }
    guard report.version == SurveyReport.formVersion else {
      throw Failure(.dataError, "\(path): not the report of a survey of version \(SurveyReport.formVersion); repeat the survey")
    }
    return (report.beacons ?? []).compactMap { beacon in
      guard let identity = beacon.identity, beacon.isAccepted else { return nil }
      return SetupSurroundings.Beacon(identity, rssi: beacon.rssi?.median, name: beacon.name, offset: beacon.suggestedOffset)
    }
  }
}

/// The beacons and the adapters of the daemon after some seconds.
private final class DaemonBeacons {
  private(set) var beacons: [SetupSurroundings.Beacon] = []
  private(set) var adapters: [SetupSurroundings.Adapter] = []
  private(set) var obstacle: String?

  private let link: CommandLink
  private var scan: RemoteStream?
  private var hasEnded = false
  private lazy var hearing = HearingCheck(link.loop)
  private lazy var end = link.loop.timer { [unowned self] in finish() }

  init(_ link: CommandLink) {
    self.link = link
  }

  /// Returns false if a signal ended it.
  func run(for duration: Span) throws(Failure) -> Bool {
    try link.run { [unowned self] client in
      end.arm(after: duration)
      hearing.begin(client) { _ in }
      client.status { [weak self] answer in
        // A user who may not read the status chooses no adapters.
        guard case .success(let record) = answer else { return }
        self?.adapters = (MonitorStatus(record).adapters ?? []).compactMap { adapter in
          adapter.address.map { SetupSurroundings.Adapter($0, name: adapter.name) }
        }
      }
      scan = client.scan { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [weak self] snapshot in
        self?.take(ScanReport(snapshot))
      }
    }
    return hasEnded
  }

  private func take(_ report: ScanReport) {
    beacons = (report.uuids ?? []).flatMap { group in
      (group.beacons ?? []).compactMap { beacon in
        guard let uuid = group.uuid, let major = beacon.major, let minor = beacon.minor else { return nil }
        return SetupSurroundings.Beacon(BeaconIdentity(uuid: uuid, major: major, minor: minor), rssi: beacon.rssi)
      }
    }
  }

  private func finish() {
    hasEnded = true
    guard beacons.isEmpty else { return link.end() }
    hearing.again { [weak self, link] in
      self?.obstacle = $0
      link.end()
    }
  }
}
