import ClientCommands
import EventLoop
import Failures
import Glibc
import Instants
import Terminal

/// A picture of values that follow the daemon.
protocol FollowedPicture {
  /// A sentence below the picture; nil for none.
  var note: String? { get set }
  func lines(size: TerminalSize) -> [String]
}

extension GuideScreen: FollowedPicture {}
extension HeadingScreen: FollowedPicture {}

/// The output of a command that follows values of the daemon.
///
/// It is a picture that is repainted on a terminal, and lines elsewhere.
final class FollowedOutput<Picture: FollowedPicture> {
  var picture: Picture
  /// Whether there is a picture.
  let isScreen: Bool
  private let output = ScreenOutput()
  private var painter: Timer?
  /// The signals of a window and a shell: another size, Ctrl-Z, and the continuation after it.
  private var signals: [SignalSource] = []
  private var isOver = false

  init(isJSON: Bool, _ picture: (TerminalStyle) -> Picture) {
    isScreen = !isJSON && output.canRedraw
    self.picture = picture(output.style)
  }

  var isClosed: Bool { output.isClosed }
  var failure: Failure? { output.failure }

  /// Repaints for the window and the shell, and notes that the daemon goes and returns.
  ///
  /// - Parameter onAbsence: forgets the values of a daemon that has gone.
  func follow(_ link: CommandLink, onAbsence: @escaping () -> Void) throws(Failure) {
    painter = link.loop.timer { [unowned self] in redraw() }
    do throws(SystemCallError) {
      signals = [
        try link.loop.signal(SIGWINCH) { [unowned self] in redraw() },
        try link.loop.signal(SIGTSTP) { [unowned self] in output.suspend { redraw() } },
        try link.loop.signal(SIGCONT) { [unowned self] in redraw() },
      ]
    } catch {
      throw Failure(.osError, "\(error)")
    }
    link.onPresenceChange = { [unowned self] isAvailable in
      if !isAvailable { onAbsence() }
      note(isAvailable ? nil : DaemonWatch.absence)
    }
  }

  func write(_ line: String) { output.write(line + "\n") }

  /// Shows a sentence to the user: below the picture, or on standard error.
  func note(_ text: String?) {
    picture.note = text
    if !isScreen, let text { ScreenOutput.note(text) }
    paint()
  }

  /// Paints soon, and at most every 60 ms, because samples of sensors come 50 times a second.
  func paint() {
    if isScreen, !isOver, let painter, painter.due == nil { painter.arm(after: .milliseconds(60)) }
  }

  /// Paints at once. Later values are not painted.
  func paintLast() {
    isOver = true
    redraw()
  }

  private func redraw() {
    if isScreen { output.paint { picture.lines(size: $0) } }
  }

  /// Releases the terminal.
  func finish() {
    if isScreen { output.finish() }
  }
}
