import Foundation
import TestSupport

/// A private bus, a folder, and our programs.
final class Stage {
  let bus: PrivateBus
  let folder: TemporaryDirectory

  /// - Parameter bus: The bus; nil creates a session bus.
  init(on bus: PrivateBus? = nil) throws {
    self.bus = try bus ?? PrivateBus()
    folder = try TemporaryDirectory()
  }

  static let walk = Programs.fixture("gallery-rectangular_without_rotation.btsnoop")
  static let walkConfig = Programs.fixture("gallery-rectangular_without_rotation.toml")

  /// Starts a daemon, and waits for the end of its start.
  func daemon(config: String, source: String, speed: String = "max", environment: [String: String] = [:], input: Pipe = Pipe()) throws
    -> RunningProgram
  {
    try RunningProgram(
      Programs.daemon, ["--bus", bus.address, "--config", config, "--source", "capture:\(source)", "--speed", speed],
      environment: environment, input: input)
  }

  /// Starts a daemon that looks for bluetoothd on the same bus.
  func radioDaemon(config: String, source: String = "auto", environment: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram(
      Programs.daemon, ["--bus", bus.address, "--config", try file("radio.toml", config), "--source", source],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "STATE_DIRECTORY": folder.path].merging(environment) { $1 })
  }

  /// Starts a notifier, and waits until it has looked for the daemon.
  func notifier(config: String, _ more: String...) throws -> RunningProgram {
    let program = try RunningProgram(Programs.notifier, ["--bus", bus.address, "--config", config] + more)
    _ = try program.log.next("the notifier's readiness") { $0.contains("beaconmond is") }
    return program
  }

  /// Returns a client that receives every broadcast.
  func listener() throws -> BusClient { try BusClient(bus, matching: "type='signal'") }

  /// Writes a file into the folder, and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
  }

  func file(_ name: String, _ octets: [UInt8]) throws -> String {
    let path = folder.file(name)
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }
}
