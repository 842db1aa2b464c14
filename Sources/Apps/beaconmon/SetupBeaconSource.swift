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
struct SetupBeaconSource {
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
      var roster = AdapterRoster()
      surroundings.hear(try WalkFiles.sightings(path, roster: &roster))
      return true
    case .survey(let path):
      surroundings.hear(try report(path))
      return true
    case .daemon(let address): bus = address
    }
    do throws(Failure) {
      let heard = try listen(on: bus)
      guard heard.hasEnded else { return false }
      surroundings.hear(heard.beacons)
      (surroundings.adapters, surroundings.obstacle) = (heard.adapters, heard.obstacle)
    } catch {
      guard error.status == .unavailable else { throw error }
      surroundings.obstacle = error.description
    }
    return true
  }

  private func listen(on bus: BusAddress) throws(Failure) -> SetupListening {
    let link = try CommandLink(bus, forSession: true)
    let listening = SetupListening(link.loop)
    listening.onEnd = { [link] in link.end() }
    var scan: RemoteStream?
    try link.run { client in
      listening.begin(for: duration, HearingCheck.question(client))
      client.status { [weak listening] answer in
        if case .success(let record) = answer { listening?.take(MonitorStatus(record)) }
      }
      scan = client.scan { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [weak listening] snapshot in
        listening?.take(ScanReport(snapshot))
      }
    }
    withExtendedLifetime(scan) {}
    return listening
  }

  /// Reads the report of a survey.
  private func report(_ path: String) throws(Failure) -> SurveyReport {
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
    return report
  }
}
