/// A reason why an archive cannot be read or written at all.
public struct IMDFError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// A library is not installed.
    case unavailable
    /// The file cannot be read.
    case unreadable
    /// The archive or the venue cannot be converted.
    case invalid
  }

  public let kind: Kind
  /// The reason, and what to do about it.
  public let description: String

  static func unreadable(_ text: String) -> IMDFError { IMDFError(kind: .unreadable, description: text) }

  static func invalid(_ text: String) -> IMDFError { IMDFError(kind: .invalid, description: text) }

  /// - Parameters:
  ///   - problem: the loader's message.
  ///   - package: the Debian package to install.
  static func missing(_ problem: UnsafePointer<CChar>, package: String) -> IMDFError {
    IMDFError(kind: .unavailable, description: "\(String(cString: problem)); install the Debian package \(package)")
  }
}
