import EventLoop
import Failures
import HeadingSources
import Instants
import Locations
import Orientation
import ProgramSupport
import Terminal

/// Records the sensors of this machine, which every user may read, into a file.
final class HeadingRecording {
  private let program: ProgramLoop
  private let source: IIOSource
  private var file: OutputFile?
  private var failure: OutputError?
  private var recorder: SensorRecorder?
  private lazy var silence = program.loop.timer { [unowned self] in
    program.end(Failure(.unavailable, "the magnetometer sends no samples"))
  }

  init(_ path: String, replaces: Bool) throws {
    program = try ProgramLoop()
    let environment = ChildCommand.ownEnvironment()
    source = environment["BEACONMON_IIO"].map { [loop = program.loop] in IIOSource(loop, root: $0) } ?? IIOSource(program.loop)
    guard source.isPresent else { throw Failure(.unavailable, "this machine has no magnetometer") }
    file = try OutputFile(path: path, replaces: replaces)
  }

  /// Runs until Ctrl-C, or until the sensors fail.
  func run() throws {
    recorder = SensorRecorder(source) { [unowned self] in write($0) }
    source.onHealthChange = { [unowned self] in
      guard [.gone, .failing].contains(source.health.state) else { return silence.disarm() }
      program.end(Failure(.unavailable, source.health.note ?? "the sensors do not work"))
    }
    silence.arm(after: source.patience)
    source.isFast = true
    source.start()
    defer { source.stop() }
    try program.run()
    if let failure { throw failure }
    ScreenOutput.tell("\(recorder?.samples ?? 0) samples were recorded")
  }

  private func write(_ text: String) {
    guard failure == nil else { return }
    do throws(OutputError) {
      try file?.write(text)
    } catch {
      failure = error
      program.end()
    }
  }
}
