import Beacons
import EventLoop
import Failures
import Glibc
import ProgramSupport
import ProgramVersion
import Records
import Surveys
import Terminal
import Venues

/// A survey at its end.
struct SurveyResult {
  let report: SurveyReport
  let signals: [BeaconIdentity: SurveySignals]
  /// The lines of a survey file of the venue; nil without a measured place.
  let fingerprints: String?

  init(_ survey: Survey, _ report: SurveyReport) {
    (self.report, signals, fingerprints) = (report, survey.signals, survey.fingerprintFile)
  }
}

/// The files of a survey.
///
/// A walk cannot be repeated, so a file that cannot be written gets another chance under another name.
struct SurveyFiles {
  private let name: String
  private let replaces: Bool
  private let venue: (venue: Venue, languages: [String])?

  /// - Parameters:
  ///   - name: the path of the files without an extension.
  ///   - venue: the venue of the survey, and the languages of its names.
  init(name: String, replaces: Bool, venue: (venue: Venue, languages: [String])?) {
    self.name = Self.extensions.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
    (self.replaces, self.venue) = (replaces, venue)
  }

  private static let extensions = [".json", ".html", ".csv"]

  /// Throws before the walk for a file that exists, and for a folder in which no file can be made.
  func check() throws(Failure) {
    for suffix in Self.extensions where suffix != ".csv" || venue != nil {
      do throws(OutputError) {
        if !replaces { try OutputFile.check(path: name + suffix) }
      } catch {
        throw Failure(.ioError, "\(error)")
      }
    }
    let folder = Folder.parent(of: name)
    guard access(folder, W_OK) == 0 else {
      throw Failure(.ioError, "\(folder): \(String(cString: strerror(errno))); choose a folder in which files can be made")
    }
  }

  /// Writes all files. The first failure is thrown after the others were written.
  func write(_ result: SurveyResult, time: TimeFormat) throws {
    let page = SurveyPage(result.report, result.signals, time: time, program: "beaconmon \(ProgramVersion.current)", venue: venue)
    var texts = [(result.report.record.json + "\n", ".json"), (page.text, ".html")]
    if let fingerprints = result.fingerprints { texts.append((fingerprints, ".csv")) }
    for writing in texts.map({ text, suffix in Result { try write(text, suffix) } }) { try writing.get() }
  }

  private func write(_ text: String, _ suffix: String) throws {
    var (path, replaces) = (name + suffix, replaces)
    while true {
      do throws(OutputError) {
        try OutputFile.writeWhole(text, to: path, replaces: replaces)
        return ScreenOutput.note("\(path): written")
      } catch {
        guard isatty(STDIN_FILENO) == 1, TerminalOutput.standardError.isTerminal else { throw Failure(.ioError, "\(error)") }
        try TerminalOutput.standardError.write("beaconmon: \(error)\nAnother path, or nothing to do without this file: ")
        guard let answer = readLine(), !answer.isEmpty else { throw Failure(.ioError, "\(error)") }
        (path, replaces) = (answer, false)
      }
    }
  }
}
