import Foundation
import TestSupport

/// A device on the move: a daemon with only a satellite receiver, and a client that hears every public signal.
///
/// The test sets the daemon's clocks.
final class CircleScene {
  let stage: Stage
  let traveller: SleepSimulator
  private(set) var daemon: RunningProgram
  private let config: String

  /// - Parameter regions: Further tables of the config.
  init(_ regions: String) throws {
    stage = try Stage()
    traveller = try SleepSimulator(stage.listener())
    config = try stage.file(
      "config.toml", "\(traveller.receiver.config)[journal]\npath = \"\(stage.folder.file("journal.db"))\"\n\(regions)")
    daemon = try Self.start(stage, config, traveller.clocks)
    try client.waitForDaemon()
  }

  /// Ends the daemon with a signal, and starts another.
  func replaceDaemon(_ signal: Int32) throws {
    daemon.signal(signal)
    _ = try daemon.exitStatus()
    daemon = try Self.start(stage, config, traveller.clocks)
    try client.waitForDaemon()
  }

  private static func start(_ stage: Stage, _ config: String, _ clocks: TestClocks) throws -> RunningProgram {
    try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none"], environment: clocks.environment)
  }

  var client: BusClient { traveller.client }

  func pass(_ seconds: Double) throws { try traveller.pass(seconds) }

  func stand(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0) throws {
    try traveller.stand(latitude, longitude, hdop: hdop, knots: knots)
  }

  /// The events so far at the regions of the config: `enter inside approach`.
  var told: [String] { client.signals.filter { $0.interface == BusClient.manager }.compactMap(\.details).map(\.inBrief) }

  /// Returns all events of the journal.
  func journal() throws -> [JSON] {
    let journal = try client.property("Journal", "Manager") ?? .null
    guard case .values(let values) = try client.call(BusClient.manager, "EventsSince", signature: "stu", journal, 0, 250) else {
      throw TimeoutError("no answer")
    }
    return values.first?.list ?? []
  }

  func region(_ property: String, of identifier: String) throws -> JSON? {
    try client.property(property, "Region", at: "\(BusClient.root)/region/\(identifier)")
  }

  static func circle(_ identifier: String, _ latitude: Double, _ longitude: Double, radius: Double, _ more: String = "") -> String {
    """

    [[region]]
    identifier = "\(identifier)"
    latitude = \(latitude)
    longitude = \(longitude)
    radius = \(radius)
    \(more)
    """
  }
}

extension JSON {
  /// The event in short form: `enter inside approach`.
  var inBrief: String { "\(self["event"]?.text ?? "") \(self["state"]?.text ?? "") \(self["reason"]?["cause"]?.text ?? "")" }
}
