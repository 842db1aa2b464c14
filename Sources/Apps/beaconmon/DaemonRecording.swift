import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorProtocol
import Records
import Terminal

/// Requests a recording from the daemon, and writes it to a file of this program.
/// The daemon neither opens the file nor waits for it.
final class DaemonRecording {
  /// The time for a daemon to end a recording that has reached its duration.
  private static let grace = Span.milliseconds(4500)
  /// The time limit, in milliseconds, for data that is still in transit at the end.
  private static let patience: Int32 = 2000

  private let link: CommandLink
  private let options: RecordingOptions
  private let json: Bool
  private let sink: CaptureSink
  private let screen = TerminalOutput.standardError
  private var reader: RecordingReader?
  private var progress: Timer?
  private lazy var overdue = link.loop.timer { [unowned self] in
    isOverdue = true
    link.end()
  }
  /// Whether the daemon has not ended the recording after its duration.
  private var isOverdue = false
  private var began: Instant
  private lazy var hearing = HearingCheck(link.loop)
  /// The obstacle that kept the daemon from receiving, at the end of an empty recording.
  private var obstacle: String?

  /// Opens the file, so that an error is known before the recording begins.
  init(_ link: CommandLink, _ path: String, _ options: RecordingOptions, json: Bool, replacesFile: Bool) throws(Failure) {
    self.link = link
    self.options = options
    self.json = json
    began = link.loop.now
    do throws(CaptureFileError) {
      sink = try CaptureSink(path: path, replaces: replacesFile)
    } catch {
      throw Failure(.ioError, "\(error)")
    }
  }

  func run() throws {
    sink.attach(to: link.loop)
    do {
      reader = try RecordingReader(
        link.loop, onRecords: { [unowned self] in take($0) }, onEnd: { [unowned self] in end() })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    sink.onProgress = { [unowned self] in settle() }
    try link.run { [unowned self] in begin($0) }
    guard let reader, reader.farEnd == nil || sink.size > 0 || sink.failure != nil else { return }
    // The recording may have ended before the daemon has answered.
    reader.releaseFarEnd()
    reader.stop(patience: Self.patience)
    sink.flush(patience: Self.patience)
    try finish(reader)
  }

  private func begin(_ client: MonitorClient) {
    began = link.loop.now
    // The file stays empty until then, and one that is empty is removed.
    hearing.begin(client) { [unowned self] obstacle in
      if let obstacle { link.end(Failure(.unavailable, obstacle)) } else { record() }
    }
  }

  private func record() {
    guard let reader else { return }
    link.record(into: reader, options) { [unowned self] in overdue.arm(after: options.duration + Self.grace) }
    guard screen.style.canRedraw else { return }
    progress = link.loop.timer { [unowned self] in showProgress() }
    progress?.arm(after: .zero)
  }

  /// Asks for the obstacle if the recording is empty.
  private func end() {
    guard line.advertisements == 0 else { return link.end() }
    hearing.again { [unowned self] in
      obstacle = $0
      link.end()
    }
  }

  private func take(_ records: ArraySlice<UInt8>) {
    sink.write(records)
    settle()
  }

  private func settle() {
    if sink.failure != nil { link.end() }
    if let reader, reader.isHeld != sink.isFull { reader.isHeld = sink.isFull }
  }

  // MARK: - Output

  private func finish(_ reader: RecordingReader) throws {
    if progress != nil { try screen.write(ProgressBar.erase) }
    if let failure = sink.failure, !failure.isClosedPipe { throw Failure(.ioError, "\(failure)") }
    let reason = reader.reason
    if json { try TerminalOutput.standardOutput.write(line.record(file: sink.name, reason: reason).json + "\n") }
    tell("\(sink.name): \(line.summary)" + (reason.map { "; \($0)" } ?? ""))
    if reason == nil, sink.failure == nil {
      throw Failure(
        .unavailable, "beaconmond \(isOverdue ? "does not respond" : "has stopped"); \(sink.name) contains the packets received until then")
    }
    if let obstacle { throw Failure(.unavailable, obstacle) }
  }

  private var line: RecordingLine {
    let counts = reader?.counts ?? AdvertisementCounts()
    return RecordingLine(
      advertisements: counts.kinds.total, iBeacons: counts.iBeacons, altBeacons: counts.altBeacons, lostPackets: counts.lostPackets,
      octets: sink.size, elapsed: link.loop.now - began)
  }

  private func showProgress() {
    progress?.arm(after: .seconds(1))
    let columns = screen.size.columns
    write(line.progress(limitSize: options.limitSize.octets, duration: options.duration, columns: columns, style: screen.style))
  }

  private func tell(_ text: String) {
    write("beaconmon: \(text)\n")
  }

  private func write(_ text: String) {
    do {
      try screen.write(text)
    } catch {
      // Standard error has no reader.
    }
  }
}
