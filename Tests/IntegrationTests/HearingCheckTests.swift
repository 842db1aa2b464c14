import Foundation
import TestSupport
import Testing

/// The exit codes of commands without reception: a script must not mistake a dead radio for an empty room.
@Suite struct HearingCheckTests {
  @Test(arguments: [false, true])
  func `scan and record with a daemon that cannot hear end with 69 and the advice of status`(isRecord: Bool) throws {
    let stage = try Stage()
    // The bus has no bluetoothd.
    let daemon = try stage.radioDaemon(config: RadioDaemonTests.config)
    let listener = try stage.listener()
    try listener.waitForDaemon()
    let file = stage.folder.file("nothing.btsnoop")
    let run = try CommandLine((isRecord ? ["record", file] : ["scan"]) + ["--bus", stage.bus.address])
    #expect(run.status == 69)
    #expect(
      run.errors == [
        "beaconmon: beaconmond cannot receive beacons (source auto: bluez, unavailable): \(AdvertiseCommandTests.adviceWithoutBluetoothd)"
      ])
    #expect(!FileManager.default.fileExists(atPath: file))
    daemon.signal(SIGTERM)
  }

  @Test func `scan with a capture that has ended ends with 69`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    let run = try CommandLine(["scan", "--json", "--bus", stage.bus.address])
    #expect(run.status == 69)
    #expect(
      run.errors == [
        "beaconmon: beaconmond cannot receive beacons (source capture:\(Stage.walk), ended): restart beaconmond to play it again"
      ])
    daemon.signal(SIGTERM)
  }

  @Test(arguments: [[], ["--json"], ["--once"]])
  func `range of a capture without a matching beacon ends with 69`(more: [String]) throws {
    let run = try CommandLine(["range", "00000000-0000-0000-0000-000000000001", "--capture", Stage.walk] + more)
    #expect(run.status == 69)
    #expect(run.errors.count == 1 && run.errors[0].contains("no beacon of 00000000-0000-0000-0000-000000000001"), "\(run.errors)")
  }

  @Test func `range of a capture shorter than a second shows its beacon`() throws {
    let stage = try Stage()
    let octets = CaptureOctets.header() + CaptureOctets.sighting(minor: 3, at: 0.1) + CaptureOctets.sighting(minor: 3, at: 0.3)
    let run = try CommandLine(["range", ReplayTests.walkUUID, "--capture", stage.file("short.btsnoop", octets), "--json"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try run.output.count == 1 && JSON(parsing: run.output[0])["beacons"]?.list?.first?["minor"] == 3)
  }
}
