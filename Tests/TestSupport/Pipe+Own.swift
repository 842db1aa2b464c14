import Foundation

extension Pipe {
  /// One that only the child it is given to gets.
  ///
  /// What another thread starts at the same moment inherits Foundation's pipes as they are, keeps their ends open, and whoever reads waits for an end that does not come.
  public static func own() -> Pipe {
    let pipe = Pipe()
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] { _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) }
    return pipe
  }
}
