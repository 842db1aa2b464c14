import BeaconAdvertising
import Failures
import Glibc
import TrackRecordings

/// The reason why a named capture or walk cannot be read, or not to its end.
public struct CaptureFileError: Error, Equatable {
  public enum Cause: Equatable, Sendable {
    case systemCall(String, code: CInt)
    case content(CaptureError)
    case walk(WalkError)
  }

  public var name: String
  public var cause: Cause

  public init(name: String, cause: Cause) {
    self.name = name
    self.cause = cause
  }
}

extension CaptureFileError {
  /// Whether the capture only ends inside its last record, as after its writer was stopped.
  public var isTruncation: Bool {
    if case .content(.recordTruncated) = cause { true } else { false }
  }
}

extension CaptureFileError: CustomStringConvertible {
  /// One line: file, place, fault and remedy.
  public var description: String {
    switch cause {
    case .content(let error): "\(name): \(error)"
    case .walk(let error): "\(name): \(error)"
    case .systemCall(let call, let code): "\(name): \(call): \(String(cString: strerror(code))); \(Self.advice(call, code))"
    }
  }

  static let openForWriting = "open for writing"

  private static func advice(_ call: String, _ code: CInt) -> String {
    switch code {
    case ENOENT, ENOTDIR: "check the path"
    case EACCES, EPERM:
      call == openForWriting ? "specify a file in a folder that this user may write to" : "make the file readable for this user"
    case EISDIR: "specify a file in this directory"
    case EEXIST: "specify another file, or replace it with --force"
    case ENOSPC, EDQUOT, EFBIG: "free some space; the file ends after its last complete record"
    case EMFILE, ENFILE: "close other files, or raise the limit"
    default: "check the file and the device it is on"
    }
  }
}

extension Failure {
  /// Maps a capture that cannot be opened to a missing input, and one with wrong content to a data error.
  public init(_ error: CaptureFileError) {
    switch error.cause {
    case .systemCall: self.init(.noInput, "\(error)")
    case .content, .walk: self.init(.dataError, "\(error)")
    }
  }
}
