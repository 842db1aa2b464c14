import ClientCommands
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
  private let samples: SampleWatch

  init(_ path: String, replaces: Bool) throws {
    program = try ProgramLoop()
    samples = SampleWatch(program.loop)
    let environment = ChildCommand.ownEnvironment()
    source = environment["BEACONMON_IIO"].map { [loop = program.loop] in IIOSource(loop, root: $0) } ?? IIOSource(program.loop)
    guard source.isPresent else { throw Failure(.unavailable, "this machine has no magnetometer") }
    file = try OutputFile(path: path, replaces: replaces)
    samples.onSilence = { [program] in program.end(Failure(.unavailable, "the magnetometer sends no samples")) }
  }

  /// Runs until Ctrl-C, or until the sensors fail.
  func run() throws {
    recorder = SensorRecorder(source) { [unowned self] in
      samples.noteSample()
      write($0)
    }
    source.onHealthChange = { [unowned self] in
      guard [.gone, .failing].contains(source.health.state) else { return }
      program.end(Failure(.unavailable, source.health.note ?? "the sensors do not work"))
    }
    samples.begin(patience: source.patience)
    source.isFast = true
    source.start()
    defer { source.stop() }
    try program.run()
    if let failure { throw failure }
    ScreenOutput.note("\(recorder?.samples ?? 0) samples were recorded")
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
