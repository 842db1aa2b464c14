import BeaconAdvertising
import Captures
import Failures
import MonitorConfiguration
import Ranging
import Scoring
import Surveys
import Terminal

/// A survey of a capture, from its beginning to its end.
struct CaptureSurvey: ~Copyable {
  private var survey: Survey
  private var reader: CaptureReader
  private let baseOffset: Double
  private let truth: WalkTruth?

  /// - Parameter truth: the true positions of the walk in the venue of the survey.
  init(_ capture: String, _ survey: Survey, _ configuration: Configuration, truth: WalkTruth?) throws(Failure) {
    var file = try CaptureFile.opened(capture)
    guard !file.isWalk() else {
      throw Failure(.dataError, "\(capture): is a walk of a location receiver; a survey requires a btsnoop capture of beacons")
    }
    (self.survey, self.truth) = (survey, truth)
    baseOffset = configuration.ranging.rssiOffset
    reader = CaptureReader(file)
    reader.configure(configuration.adapters)
    reader.keepsSenders = true
  }

  consuming func result() throws -> SurveyResult {
    var isReading = true
    var sightings: [Sighting] = []
    while isReading {
      sightings.removeAll(keepingCapacity: true)
      do throws(CaptureFileError) {
        isReading = try reader.read(into: &sightings)
      } catch {
        // A capture that was cut off is still a capture.
        guard error.isTruncation else { throw Failure(error) }
        ScreenOutput.tell("\(error)")
        isReading = false
      }
      let (roster, base) = (reader.roster, baseOffset)
      let (truth, venue) = (truth, survey.venue)
      survey.hear(sightings, from: reader.takeSenders()) { time in
        truth.flatMap { truth in venue.flatMap { SurveyPlace(truth, at: time, in: $0) } }
      } offset: {
        base + roster.rssiOffset(of: $0)
      }
    }
    let name = reader.name.split(separator: "/").last.map(String.init) ?? reader.name
    return SurveyResult(survey, survey.report(source: name, lostPackets: reader.counts.lostPackets, adapterName: reader.roster.name))
  }
}
