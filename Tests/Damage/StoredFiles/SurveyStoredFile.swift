import BeaconAdvertising
import Beacons
import Instants
import MonitorConfiguration
import Records
import Surveys
import Venues

/// The measured places of a venue, which `beaconmon survey` writes and a venue file names.
struct SurveyStoredFile: StoredFile {
  let name = "survey"
  let fileName = "survey.csv"
  let isDatabase = false

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, VenueSurvey) throws -> Void) throws {
    for form in Form.allCases {
      let text = SurveyedGallery.walk(using: &random).fingerprintFile ?? ""
      try Files.write(Array(text.utf8), to: "\(folder)/\(fileName)")
      try keep(form, try VenueSurvey(csv: text, file: fileName, of: try SurveyedGallery.venue()))
    }
  }

  func judge(_ folder: String, untouched: String, truths: [VenueSurvey]) throws -> Verdict {
    var verdict = Verdict()
    try Files.write(Array("survey = \"\(fileName)\"\n\(SurveyedGallery.text)".utf8), to: "\(folder)/gallery.toml")
    do throws(ConfigurationError) {
      let document = try VenueDocument.read(file: "\(folder)/gallery.toml")
      let (venue, readings) = (document.venue, document.venue.survey?.readings ?? [])
      verdict.expect(venue.survey != nil, "the file is ignored")
      verdict.expect(readings.allSatisfy { venue.level($0.level) != nil && $0.point.isFinite }, "a place is nowhere")
      verdict.expect(readings.allSatisfy { $0.height.isFinite && (-127...20).contains($0.rssi) }, "an RSSI or a height is impossible")
      let beacons = Set(venue.beacons.map(\.identity))
      verdict.expect(readings.allSatisfy { beacons.contains($0.beacon) }, "a beacon is not of the venue")
      let most = truths.map(\.readings.count).max() ?? 0
      if readings.count < most { verdict.reportedLosses += most - readings.count }
      for warning in document.warnings { verdict.expectClear("\(warning)") }
    } catch {
      for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) { verdict.expectClear(line) }
    }
    return verdict
  }
}

/// The report of a survey, which `beaconmon setup --from` reads.
struct SurveyReportStoredFile: StoredFile {
  let name = "survey-report"
  let fileName = "survey.json"
  let isDatabase = false

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, SurveyReport) throws -> Void) throws {
    for form in Form.allCases {
      let text = SurveyedGallery.walk(using: &random).report(source: "beaconmond") { _ in nil }.record.json + "\n"
      try Files.write(Array(text.utf8), to: "\(folder)/\(fileName)")
      try keep(form, SurveyReport(try Record(json: text)))
    }
  }

  func judge(_ folder: String, untouched: String, truths: [SurveyReport]) throws -> Verdict {
    var verdict = Verdict()
    guard let octets = try? Files.read("\(folder)/\(fileName)") else { return verdict }
    do throws(JSONError) {
      let report = SurveyReport(try Record(json: String(decoding: octets, as: UTF8.self)))
      guard report.version == SurveyReport.formVersion else { return verdict }
      let beacons = report.beacons ?? []
      verdict.expect(
        beacons.allSatisfy { $0.rssi?.median?.isFinite != false && $0.placedAt?.x?.isFinite != false }, "a number is not finite")
      let most = truths.map { $0.beacons?.count ?? 0 }.max() ?? 0
      let whole = beacons.count { $0.identity != nil }
      if whole < most { verdict.reportedLosses += most - whole }
    } catch {
      verdict.expectClear("\(fileName): \(error)")
    }
    return verdict
  }
}

/// A venue, and walks with places at which its beacons were measured.
private enum SurveyedGallery {
  static let text = """
    format = 1
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    [frame]
    latitude = 48.13715
    longitude = 11.57549
    [[level]]
    id = "ground"
    walkable = [[[0, 0], [40, 0], [40, 26], [0, 26]]]
    [[level]]
    id = "first"
    ordinal = 1
    walkable = [[[0, 0], [40, 0], [40, 26], [0, 26]]]
    \((1...12).map { "[[beacon]]\nmajor = 1\nminor = \($0)\nlevel = \"ground\"\nposition = [\($0 * 3), \($0 % 7)]" }.joined(separator: "\n"))
    """

  static func venue() throws -> Venue { try VenueDocument.parse(text: text, name: "gallery.toml").venue }

  static func walk(using random: inout some RandomNumberGenerator) -> Survey {
    let venue = try? venue()
    var survey = Survey(expected: venue.map { ExpectedBeacons($0, languages: []) }, venue: venue)
    var time = Instant(microseconds: 1_600_000_000_000_000)
    for number in 0..<Int.random(in: 2...12, using: &random) {
      let place = SurveyPlace(
        level: number % 2 == 0 ? "ground" : "first", point: PlanPoint(x: Double(number) * 3, y: Double(number % 5)))
      let sightings = (venue?.beacons ?? []).flatMap { beacon in
        (0..<4).map { _ in
          time += .milliseconds(20)
          let rssi = Int8.random(in: -95 ... -50, using: &random)
          return Sighting(beacon: beacon.identity, measuredPower: -59, rssi: rssi, adapter: 0, time: time)
        }
      }
      survey.hear(sightings, from: [], at: { _ in place })
    }
    return survey
  }
}
