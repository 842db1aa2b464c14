import Captures
import Instants
import Terminal

/// The bar on standard error while a replay runs, and the elapsed time.
struct ReplayProgress {
  private static let interval = Span.milliseconds(100)

  private let output = TerminalOutput.standardError
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var shown = Span.zero
  private var isVisible = false
  private let bar: ProgressBar?

  init() {
    start = clock.now
    bar = output.style.canRedraw ? ProgressBar(style: output.style) : nil
  }

  var elapsed: Span {
    let (seconds, attoseconds) = (clock.now - start).components
    return Span(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  mutating func show(_ progress: CaptureProgress) throws(OutputError) {
    let elapsed = elapsed
    guard let bar, !isVisible && shown > .zero || elapsed > shown + Self.interval else { return }
    shown = elapsed
    isVisible = true
    try output.write(
      bar.text(
        done: Int64(progress.octets), total: progress.total.map { Int64($0) }, captured: progress.captured,
        rate: Double(progress.advertisements) / elapsed.seconds, columns: output.size.columns))
  }

  /// Hides the bar before lines of text, which may go to the same terminal; the next `show` restores it.
  mutating func hide() throws(OutputError) {
    guard isVisible else { return }
    isVisible = false
    try output.write(ProgressBar.erase)
  }
}
