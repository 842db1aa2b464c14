import Captures
import Failures
import Instants
import Locations
import Proximity
import Regions
import TrackRecordings

/// The fixes of a recorded walk, which a replay applies as a daemon does that plays the walk.
struct RecordedFixes {
  private var reports: ArraySlice<WalkReport>

  init() { reports = [] }

  /// Reads a whole walk.
  init(path: String) throws(Failure) {
    var reports: [WalkReport] = []
    do throws(CaptureFileError) {
      var reader = try WalkReader(path: path)
      while try reader.read(into: &reports) {}
    } catch {
      throw Failure(error)
    }
    self.reports = reports[...]
  }

  /// The time of the first report; nil if none is left.
  var next: Instant? { reports.first?.time }

  /// Removes and returns the reports up to `time`, in the order of the recording.
  mutating func take(through time: Instant) -> ArraySlice<WalkReport> {
    let due = reports.prefix { $0.time <= time }
    reports = reports.dropFirst(due.count)
    return due
  }
}

extension EngineDriver {
  /// Advances to `time`, applies the fix of a report to circles and venues, and returns the outputs in order.
  mutating func step(_ report: WalkReport, at time: Instant) -> [Output] {
    guard case .reading(let reading) = report.report else { return [] }
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .capture, at: Receipt(recorded: report.time))
    } catch {
      return []
    }
    guard location.isCurrent(at: location.received), let fix = Fix(location, at: report.time) else { return [] }
    return apply(fix, at: time)
  }

  /// Applies a fix to venues and circles, as the daemon does.
  mutating func apply(_ fix: Fix, at time: Instant) -> [Output] {
    (tracker == nil ? [] : step(gating: fix, at: time)) + step(fix, at: time)
  }
}
