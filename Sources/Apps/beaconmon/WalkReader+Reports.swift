import Captures
import Failures
import TrackRecordings

extension WalkReader {
  /// Reads a whole walk.
  static func reports(path: String) throws(Failure) -> [WalkReport] {
    var reports: [WalkReport] = []
    do throws(CaptureFileError) {
      var reader = try WalkReader(path: path)
      while try reader.read(into: &reports) {}
    } catch {
      throw Failure(error)
    }
    return reports
  }
}
