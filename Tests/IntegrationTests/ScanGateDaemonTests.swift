import Foundation
import TestSupport
import Testing

/// A circle with scan-only-near. A Python program stands for bluetoothd and sees whether the daemon scans.
@Suite struct ScanGateDaemonTests {
  private let stage: Stage
  private let bluetoothd: RunningProgram
  private let traveller: SleepSimulator
  private let daemon: RunningProgram

  init() throws {
    stage = try Stage()
    bluetoothd = try RunningProgram(Programs.python, [Programs.repository("Tests/TestSupport/Peers/fake_bluez.py"), stage.bus.address])
    for command in ["add hci0 00:1A:7D:DA:71:13", "own"] {
      try bluetoothd.input.write(contentsOf: Data((command + "\n").utf8))
      _ = try bluetoothd.output.next(command) { $0 == "done" }
    }
    traveller = try SleepSimulator(stage.listener())
    let venue = CircleScene.circle("venue", 52.52, 13.405, radius: 200, "scan-only-near = true\nscan-only-below = 2.5\n")
    daemon = try stage.radioDaemon(
      config: traveller.receiver.config + venue + RadioDaemonTests.config, source: "bluez", environment: traveller.clocks.environment)
    try traveller.client.waitForDaemon()
  }

  private func next(_ call: String) throws {
    _ = try bluetoothd.output.next("\(call) hci0") { $0 == "\(call) hci0" }
  }

  private var isOff: Bool {
    get throws { try traveller.client.property("SourceNote", "Manager")?.text?.hasPrefix("scanning paused: ") == true }
  }

  @Test func `the scan pauses far from a circle with scan-only-near, and runs near it or without a fix`() throws {
    try next("StartDiscovery")
    try traveller.stand(52.6, 13.405)
    try traveller.pass(10)
    #expect(try !isOff)
    try traveller.pass(11)
    try next("StopDiscovery")
    #expect(try isOff)
    let status = try CommandLine(["status", "--bus", stage.bus.address]).output
    #expect(status.contains { $0.contains("the device is far from every circle with scan-only-near, or too fast for it") }, "\(status)")
    // The beacon region is paused, and has no exit.
    #expect(!traveller.client.signals.contains { $0.details?["region"] == "hall" })
    try traveller.stand(52.521, 13.405)
    try next("StartDiscovery")
    #expect(try !isOff)
    try traveller.stand(52.6, 13.405)
    try traveller.pass(22)
    try next("StopDiscovery")
    // A dead satellite receiver must not end a visit.
    try traveller.pass(300)
    try next("StartDiscovery")
    #expect(try !isOff)
    daemon.signal(SIGTERM)
  }

  @Test func `the scan pauses while the device drives past the venue, and runs when it walks`() throws {
    try next("StartDiscovery")
    try traveller.stand(52.52, 13.405, knots: 20)
    try traveller.pass(22)
    try next("StopDiscovery")
    #expect(try isOff)
    try traveller.stand(52.5201, 13.405, knots: 2)
    try next("StartDiscovery")
    #expect(try !isOff)
    daemon.signal(SIGTERM)
  }
}
