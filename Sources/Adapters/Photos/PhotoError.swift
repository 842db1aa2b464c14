import EventLoop

/// A reason why a photo cannot be read or written.
public struct PhotoError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// gexiv2 is not installed.
    case unavailable
    /// The file cannot be opened or read.
    case unreadable
    /// The file is not a photo, its tags are damaged, or they cannot be written.
    case invalid
    /// The result cannot be written.
    case unwritable
  }

  public let kind: Kind
  /// The reason, and what to do about it.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }

  static func unreadable(_ code: Int32) -> PhotoError { PhotoError(.unreadable, "cannot be read: \(SystemCallError.text(of: code))") }

  static func unwritable(_ path: String, _ code: Int32) -> PhotoError {
    PhotoError(.unwritable, "\(path) cannot be written: \(SystemCallError.text(of: code)); the photo is unchanged")
  }
}
