import EventLoop
import Foundation

/// A process that owns org.bluez on a private bus, without any of our code. It is killed with this object.
public final class FakeBlueZ {
  /// The calls that the fake bluetoothd received, as it printed them.
  public private(set) var calls: [String] = []
  /// Runs after each line that it printed.
  public var onOutput: () -> Void = {}

  // Released before the pipe that it watches.
  private var source: IOSource?
  private let process: Child
  private let input = Pipe()
  private let output = Pipe()
  private var rest = ""
  private var answers = 0
  private var commands = 0

  public init(_ loop: Loop, _ bus: PrivateBus) throws {
    process = try Child("/usr/bin/python3", [Self.script, bus.address], input: .pipe(input), output: .pipe(output))
    source = try loop.io(output.fileHandleForReading.fileDescriptor, .readable) { [unowned self] _ in read() }
  }

  /// The script, for tests that start it themselves.
  public static let script =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    + "/Peers/fake_bluez.py"

  /// Whether every command was run.
  public var isIdle: Bool { answers == commands }

  public func send(_ command: String) throws {
    commands += 1
    try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Kills the fake bluetoothd.
  public func kill() {
    source = nil
    process.kill()
  }

  private func read() {
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    if text.isEmpty { source = nil }
    var lines = (rest + text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    rest = lines.removeLast()
    answers += lines.count { $0 == "done" }
    calls += lines.filter { $0 != "done" }
    onOutput()
  }
}
