import Foundation
import TestSupport
import Testing

/// The limits of one user over all connections.
@Suite struct SessionLimitTests {
  private static let exceeded = "\(BusClient.busName).Error.LimitsExceeded"

  private func errors(_ report: JSON) -> Double { report["errors"]?[Self.exceeded]?.number ?? 0 }

  @Test func `a user may have 1024 sessions, and more after some have left the bus`() throws {
    let scene = try SessionScene()
    var crowd: Crowd? = try Crowd(scene.stage.bus, connections: 65, sessions: 16)
    try wait(for: "1040 answers") {
      let report = try crowd?.report() ?? [:]
      return (report["sessions"]?.number ?? 0) + errors(report) == 1040
    }
    let report = try #require(try crowd?.report())
    #expect(report["sessions"] == 1024 && errors(report) == 16)
    let user = getuid()
    #expect(report["errors"]?["message"] == .text("user \(user) has 1024 sessions over all connections, the maximum; close one"))
    guard case .error = try scene.client.call(BusClient.manager, "CreateSession", signature: "a{sv}", ["purpose": "a test"]) else {
      throw TimeoutError("an additional session was opened")
    }
    crowd = nil
    try wait(for: "room") {
      if case .values = try scene.client.call(BusClient.manager, "CreateSession", signature: "a{sv}", ["purpose": "a test"]) {
        true
      } else {
        false
      }
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a user may range 1024 constraints and monitor 256 regions over all sessions`() throws {
    let scene = try SessionScene()
    let clients = try (0..<5).map { _ in try scene.stranger() }
    let sessions = try clients.flatMap { client in try (0..<16).map { _ in (client, try client.openSession()) } }
    var number = 0
    func constraint() -> JSON {
      number += 1
      return ["uuid": .text(CaptureOctets.uuid), "major": 2, "minor": .number(Double(number))]
    }
    for (client, session) in sessions.prefix(64) {
      for _ in 0..<16 { #expect(try client.range(constraint(), on: session) == .values([])) }
    }
    let (client, last) = sessions[64]
    #expect(
      try client.range(constraint(), on: last)
        == .error(
          Self.exceeded, message: "user \(getuid()) ranges 1024 constraints over all sessions, the maximum; stop one, or range a wider one")
    )
    for (index, (client, session)) in sessions.prefix(13).enumerated() {
      for region in 0..<(index == 12 ? 16 : 20) {
        let region: JSON = ["identifier": .text("region \(region)"), "uuid": .text(CaptureOctets.uuid)]
        #expect(try client.monitor(region, on: session) == .values([]))
      }
    }
    #expect(
      try client.monitor(["identifier": "one more", "uuid": .text(CaptureOctets.uuid)], on: last)
        == .error(
          Self.exceeded,
          message: "user \(getuid()) has 256 regions over all sessions and apps, the maximum; stop one, or monitor a wider one"))
    // Stopped requests, and those of a closed session, no longer count.
    _ = try sessions[0].0.call(BusClient.session, "Close", at: sessions[0].1)
    #expect(try client.range(constraint(), on: last) == .values([]))
    #expect(try client.monitor(["identifier": "one more", "uuid": .text(CaptureOctets.uuid)], on: last) == .values([]))
    scene.daemon.signal(SIGTERM)
  }
}
