import BeaconAdvertising
import Captures
import Failures
import MonitorConfiguration
import Ranging
import Scoring
import Surveys
import Terminal
import Venues

/// A survey of a capture, from its beginning to its end.
struct CaptureSurvey: ~Copyable {
  private var survey: Survey
  private var reader: CaptureReader
  private let baseOffset: Double
  private let truth: (walk: WalkTruth, path: String)?

  /// - Parameter truth: the file with the true positions of the walk in the venue of the survey.
  init(_ capture: String, _ survey: Survey, _ configuration: Configuration, truth: String?) throws(Failure) {
    var file = try CaptureFile.opened(capture)
    guard !file.isWalk() else {
      throw Failure(.dataError, "\(capture): is a walk of a location receiver; a survey requires a btsnoop capture of beacons")
    }
    let walk = try truth.map { (path) throws(Failure) in
      (try WalkFiles.parse(path) { text throws(PositionTableError) in try WalkTruth(csv: text) }, path)
    }
    (self.survey, self.truth) = (survey, walk)
    baseOffset = configuration.ranging.rssiOffset
    reader = CaptureReader(file)
    reader.configure(configuration.adapters)
    reader.keepsSenders = true
  }

  consuming func result() throws -> SurveyResult {
    var isReading = true
    var sightings: [Sighting] = []
    var times: [Sighting] = []
    while isReading {
      sightings.removeAll(keepingCapacity: true)
      do throws(CaptureFileError) {
        isReading = try reader.read(into: &sightings)
      } catch {
        // A capture that was cut off is still a capture.
        guard error.isTruncation else { throw Failure(error) }
        ScreenOutput.note("\(error)")
        isReading = false
      }
      times = [times.first ?? sightings.first, sightings.last ?? times.last].compactMap { $0 }
      let (roster, base) = (reader.roster, baseOffset)
      let (truth, venue) = (truth, survey.venue)
      survey.hear(sightings, from: reader.takeSenders()) { time in
        truth.flatMap { truth in venue.flatMap { SurveyPlace(truth.walk, at: time, in: $0) } }
      } offset: {
        base + roster.rssiOffset(of: $0)
      }
    }
    if let truth { try WalkFiles.requireOverlap(times, reader.name, truth.walk, truth.path) }
    let name = reader.name.split(separator: "/").last.map(String.init) ?? reader.name
    return SurveyResult(survey, survey.report(source: name, lostPackets: reader.counts.lostPackets, adapterName: reader.roster.name))
  }
}
