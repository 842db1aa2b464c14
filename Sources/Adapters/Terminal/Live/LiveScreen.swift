public import EventLoop
import Glibc
import Instants

/// An interactive list on a terminal: owns its keys, its mode and its window until `finish`.
///
/// The screen is painted at most ten times a second, and never before the terminal has taken the frame before: on a slow line frames are
/// skipped, and the newest one comes next.
public final class LiveScreen<Content: ListContent> {
  private let loop: Loop
  private let output: TerminalOutput
  private let writer: FrameWriter?
  private var screen: ListScreen<Content>
  private var painter = ScreenPainter()
  private var keyboard: Keyboard?
  private var signals: [SignalSource] = []
  private lazy var timer = loop.timer { [unowned self] in paint() }
  private var isDirty = false
  private var isFinished = false
  private var hasFailed = false
  private var lastPaint: Instant?
  private var lastWhole: Instant?
  /// The number of frames that were painted.
  public private(set) var frames = 0
  /// The number of octets of these frames.
  public private(set) var octets = 0

  /// The callback when a key ends the program, or the terminal is gone.
  public var onQuit: () -> Void = {}
  /// The callback when an option of the content's choice is chosen.
  public var onChoice: (String) -> Void = { _ in }
  /// The callback, once, when the terminal takes no output any more.
  public var onFailure: (OutputError) -> Void = { _ in }

  private static var framePause: Span { .milliseconds(100) }
  /// The time after which all lines are painted again, because another program may have written over them.
  private static var wholePause: Span { .seconds(10) }
  /// The milliseconds to wait until the terminal has taken its last frame.
  private static var patience: Int32 { 1000 }

  /// - Parameters:
  ///   - output: the terminal.
  ///   - input: the descriptor of the keys; nil without a terminal to type at.
  public init(_ loop: Loop, _ screen: ListScreen<Content>, output: TerminalOutput, input: Int32?) throws(SystemCallError) {
    (self.loop, self.screen, self.output) = (loop, screen, output)
    writer = FrameWriter(loop, terminal: output.descriptor)
    self.screen.hasKeys = input != nil
    writer?.onIdle = { [weak self] in if self?.isDirty == true { self?.schedule() } }
    keyboard = input.map { descriptor in
      Keyboard(loop, terminal: descriptor) { [weak self] in
        self?.press($0)
      } onHangUp: { [weak self] in
        self?.onQuit()
      }
    }
    signals = [
      try loop.signal(SIGWINCH) { [weak self] in self?.repaint() },
      try loop.signal(SIGTSTP) { [weak self] in self?.suspend() },
      try loop.signal(SIGCONT) { [weak self] in self?.resume() },
    ]
  }

  /// The descriptor of the keys of this program; nil if standard input is not a terminal.
  public static var standardInput: Int32? { isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : nil }

  /// Whether a person can quit with a key.
  public var hasKeys: Bool { keyboard != nil }

  /// Changes the content.
  public func update(_ change: (inout Content) -> Void) {
    screen.update(change)
    redraw()
  }

  /// Shows a sentence below the list; nil for none.
  public func note(_ text: String?) {
    screen.note = text
    redraw()
  }

  /// Restores the terminal, and leaves the latest frame on it. Repeated calls do nothing.
  public func finish() {
    guard !isFinished else { return }
    paint(isLast: true)
    isFinished = true
    release()
    signals = []
  }

  // MARK: - Frames

  private func redraw() {
    isDirty = true
    schedule()
  }

  private func repaint() {
    painter.forget()
    redraw()
  }

  private func schedule() {
    guard !isFinished, timer.due == nil else { return }
    timer.arm(at: Swift.max(loop.now, lastPaint.map { $0 + Self.framePause } ?? loop.now))
  }

  /// Paints the latest state, unless the terminal is busy with the frame before or a shell has it.
  private func paint(isLast: Bool = false) {
    guard !isFinished, isDirty, output.isInForeground else { return }
    keyboard?.take()
    if isLast { attempt { () throws(OutputError) in try writer?.flush(milliseconds: Self.patience) } }
    guard writer?.isIdle ?? output.isReady else {
      // The writer reports when it is idle; a terminal without one is asked again.
      if writer == nil { timer.arm(after: Self.framePause) }
      return
    }
    if lastWhole.map({ loop.now - $0 >= Self.wholePause }) ?? true {
      painter.forget()
      lastWhole = loop.now
    }
    isDirty = false
    lastPaint = loop.now
    let size = output.size
    let bell = screen.takeBell() ? "\u{07}" : ""
    let text = painter.update(screen.lines(size: size), size: size) + bell
    guard !text.isEmpty else { return }
    frames += 1
    octets += text.utf8.count
    write(text)
  }

  private func write(_ text: String) {
    attempt { () throws(OutputError) in
      if let writer { try writer.write(text) } else { try output.write(text) }
    }
  }

  private func attempt(_ body: () throws(OutputError) -> Void) {
    do throws(OutputError) {
      try body()
    } catch {
      isFinished = true
      guard !hasFailed else { return }
      hasFailed = true
      keyboard?.restore()
      onFailure(error)
    }
  }

  // MARK: - Keys and signals

  private func press(_ keys: [TerminalKey]) {
    for key in keys where !isFinished {
      switch screen.press(key) {
      case .none: break
      case .redraw: redraw()
      case .repaint: repaint()
      case .chosen(let option):
        redraw()
        onChoice(option)
      case .quit:
        redraw()
        return onQuit()
      }
    }
  }

  private func suspend() {
    release()
    TerminalOutput.suspend()
    resume()
  }

  private func resume() {
    guard !isFinished else { return }
    // A program that continues in the background takes the terminal with its first frame in the foreground.
    if output.isInForeground { keyboard?.renew() } else { keyboard?.lose() }
    repaint()
  }

  /// Restores the mode of the terminal and the cursor.
  private func release() {
    attempt { () throws(OutputError) in try writer?.flush(milliseconds: Self.patience) }
    if output.isInForeground { write(painter.finish()) }
    attempt { () throws(OutputError) in try writer?.flush(milliseconds: Self.patience) }
    keyboard?.restore()
  }
}
