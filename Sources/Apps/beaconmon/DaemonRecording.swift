import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import EventLoop
import Failures
import Instants
import Records
import Terminal

/// Requests a recording from the daemon, and writes it to a file of this program.
/// The daemon neither opens the file nor waits for it.
final class DaemonRecording {
  /// The time limit, in milliseconds, for data that is still in transit at the end.
  private static let patience: Int32 = 2000

  private let link: CommandLink
  private let options: RecordingOptions
  private let json: Bool
  private let sink: CaptureSink
  private let screen = TerminalOutput.standardError
  private let reader: RecordingReader
  private let recording: PacketRecording
  private var progress: Timer?

  /// Opens the file, so that an error is known before the recording begins.
  init(_ link: CommandLink, _ path: String, _ options: RecordingOptions, json: Bool, replacesFile: Bool) throws(Failure) {
    (self.link, self.options, self.json) = (link, options, json)
    do throws(CaptureFileError) { sink = try CaptureSink(path: path, replaces: replacesFile) } catch {
      throw Failure(.ioError, "\(error)")
    }
    var take: (ArraySlice<UInt8>) -> Void = { _ in }
    var end = {}
    do throws(SystemCallError) {
      reader = try RecordingReader(link.loop, onRecords: { take($0) }, onEnd: { end() })
    } catch {
      throw Failure(.osError, "\(error)")
    }
    recording = PacketRecording(link.loop, duration: options.duration, sink, reader)
    // The end of this object removes an empty file, so nothing keeps it.
    take = { [unowned self] in recording.take($0) }
    end = { [unowned self] in recording.noteEnd() }
    recording.onRequest = { [unowned self] in record() }
    recording.onEnd = { [unowned self] in self.link.end($0) }
  }

  func run() throws {
    sink.attach(to: link.loop)
    sink.onProgress = { [unowned self] in recording.settle() }
    try link.run { [unowned self] in recording.begin(HearingCheck.question($0)) }
    guard reader.farEnd == nil || sink.size > 0 || sink.failure != nil else { return }
    // The recording may have ended before the daemon has answered.
    reader.releaseFarEnd()
    reader.stop(patience: Self.patience)
    sink.flush(patience: Self.patience)
    try finish()
  }

  private func record() {
    link.record(into: reader, options) { [unowned self] in recording.noteStart() }
    guard screen.style.canRedraw else { return }
    progress = link.loop.timer { [unowned self] in showProgress() }
    progress?.arm(after: .zero)
  }

  // MARK: - Output

  private func finish() throws {
    if progress != nil { try screen.write(ProgressBar.erase) }
    if let failure = recording.writeFailure { throw failure }
    if json { try TerminalOutput.standardOutput.write(line.record(file: sink.name, reason: reader.reason).json + "\n") }
    ScreenOutput.note("\(sink.name): \(line.summary)" + (reader.reason.map { "; \($0)" } ?? ""))
    if let failure = recording.failure(of: sink.name) { throw failure }
  }

  private var line: RecordingLine {
    let counts = reader.counts
    return RecordingLine(
      advertisements: counts.kinds.total, iBeacons: counts.iBeacons, altBeacons: counts.altBeacons, lostPackets: counts.lostPackets,
      octets: sink.size, elapsed: recording.elapsed)
  }

  private func showProgress() {
    progress?.arm(after: .seconds(1))
    let columns = screen.size.columns
    let text = line.progress(limitSize: options.limitSize.octets, duration: options.duration, columns: columns, style: screen.style)
    do {
      try screen.write(text)
    } catch {
      // Standard error has no reader.
    }
  }
}

extension CaptureSink: RecordedFile {
  public var obstacle: RecordedFileObstacle? { failure.map { $0.isClosedPipe ? .closedPipe : .failure("\($0)") } }
}

extension RecordingReader: RecordedPackets {
  public var advertisements: UInt64 { UInt64(counts.kinds.total) }
}
