import Captures
import Failures

extension Failure {
  /// Maps a capture that cannot be opened to a missing input, and one with wrong content to a data error.
  public init(_ error: CaptureFileError) {
    switch error.cause {
    case .systemCall: self.init(.noInput, "\(error)")
    case .content, .walk: self.init(.dataError, "\(error)")
    }
  }
}
