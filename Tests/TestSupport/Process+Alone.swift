import Foundation

extension Process {
  private static let turn = NSLock()

  /// Starts it while no other is started.
  ///
  /// Foundation knows of a child's end by a socket that the child inherits. What another thread starts at the same moment inherits it
  /// too, and then the end is not seen before that one's.
  public func runAlone() throws {
    try Self.turn.withLock { try run() }
  }
}
