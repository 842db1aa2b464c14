import Glibc

/// The reason why a text could not be written.
public enum OutputError: Error, Hashable, Sendable {
  /// The reader has closed the pipe, as after `| head`; programs then end without a message.
  case closed
  /// `write` failed with this `errno`.
  case failed(code: Int32)
  /// The file exists already.
  case exists(path: String)
  /// A file cannot be created or written, with this `errno`.
  case file(path: String, code: Int32)
}

extension OutputError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .closed: "the reader of the output has closed it"
    case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
    case .exists(let path): "\(path): already exists; --force replaces it"
    case .file(let path, let code): "\(path): cannot be written: \(String(cString: strerror(code))); check the path and its disk"
    }
  }
}
