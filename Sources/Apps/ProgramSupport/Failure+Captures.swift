import Captures
import Failures

extension Failure {
  /// A capture that cannot be opened is no input; one with wrong content is a data error.
  public init(_ error: CaptureFileError) {
    switch error.cause {
    case .systemCall: self.init(.noInput, "\(error)")
    case .content, .walk: self.init(.dataError, "\(error)")
    }
  }
}
