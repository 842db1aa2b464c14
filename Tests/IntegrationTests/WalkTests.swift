import Foundation
import Testing

/// The recorded walk and its expected events, in the form of `beaconmon replay --json`.
@Suite struct WalkTests {
  private static let expectedFile = Programs.fixture("gallery-rectangular_without_rotation.events.jsonl")

  private func expected() throws -> [JSON] {
    try String(contentsOfFile: Self.expectedFile, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  @Test func `an independent program finds the same events, times, levels and distances in the capture`() throws {
    let reference = try RunningProgram.result(Programs.python, [Programs.peer("reference.py"), Stage.walk, Stage.walkConfig])
      .split(separator: "\n").map { try JSON(parsing: String($0)) }
    let ours = try expected().map { event -> JSON in
      let reason = event["reason"]
      let fields: [String: JSON?] = [
        "event": event["event"], "region": event["region"], "time": try event["time"].map(microseconds), "state": event["state"],
        "cause": reason?["cause"], "rssi": event["rssi"], "distance": event["distance"], "samples": reason?["samples"],
        "lastSeen": try reason?["lastSeen"].map(microseconds),
      ]
      return .object(fields.compactMapValues(\.self))
    }
    #expect(ours == reference)
  }

  @Test(arguments: ["max", "50"])
  func `a client on the bus receives exactly these events at any speed`(speed: String) throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: speed)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    let heard = listener.signals.filter { $0.name == "RegionEvent" }
    let expected = try expected()
    #expect(heard.count == expected.count)
    for (signal, event) in zip(heard, expected) {
      #expect(signal.path == BusClient.root && signal.interface == "org.beaconmon.Monitor1.Manager" && signal.destination == nil)
      #expect(signal.arguments[0] == event["sequence"])
      #expect(signal.arguments[1] == event["event"])
      #expect(signal.details?.without("journal", "durable") == (try withMicroseconds(event)))
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test func `replay prints these events octet by octet`() throws {
    let printed = try RunningProgram.result(
      Programs.commandLine, ["replay", Stage.walk, "--config", Stage.walkConfig, "--json", "--drain"])
    #expect(try printed + "\n" == String(contentsOfFile: Self.expectedFile, encoding: .utf8))
  }

  @Test func `the details of an event have the documented D-Bus types`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    let approach = try listener.next("an approach") { $0.details?["reason"]?["cause"] == "approach" }
    #expect(
      approach.types == [
        "t", "s", "o",
        [
          "sequence": "t", "event": "s", "region": "s", "kind": "s", "time": "t", "state": "s",
          "beacon": ["uuid": "s", "major": "q", "minor": "q"], "rssi": "d", "distance": "d", "accuracy": "d", "distanceMethod": "s",
          "proximity": "s",
          "reason": ["cause": "s", "lastSeen": "t", "lastSeenAge": "d", "samples": "t", "threshold": "d", "adapter": "s"],
          "journal": "s", "durable": "b",
        ],
      ])
    daemon.signal(SIGTERM)
  }

  /// Returns an event of the file as on the bus, where times are numbers.
  private func withMicroseconds(_ event: JSON) throws -> JSON {
    var fields = event.object ?? [:]
    fields["time"] = try fields["time"].map(microseconds)
    var reason = event["reason"]?.object ?? [:]
    reason["lastSeen"] = try reason["lastSeen"].map(microseconds)
    fields["reason"] = .object(reason)
    return .object(fields)
  }

  /// Converts an RFC 3339 time in UTC with six decimals to microseconds since the Unix epoch.
  private func microseconds(_ time: JSON) throws -> JSON {
    let parts = (time.text ?? "").dropLast().split(separator: ".")
    try #require(parts.count == 2)
    let seconds = try Date("\(parts[0])Z", strategy: .iso8601).timeIntervalSince1970
    return .number(seconds * 1e6 + (try #require(Double(parts[1]))))
  }
}
