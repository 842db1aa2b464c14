import Foundation

extension Process {
  /// A child inherits the mask of the thread that starts it. The threads of tests block nearly everything, and neither a shell nor what a bus starts would
  /// ever hear of SIGTERM.
  public func runWithNoSignalBlocked() throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try runAlone()
  }
}
