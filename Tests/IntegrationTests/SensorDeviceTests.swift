import Foundation
import Glibc
import TestSupport
import Testing

/// The shipped programs with sensors that umockdev imitates.
@Suite(.serialized) struct SensorDeviceTests {
  private static let config = LocationScene.fixed + "\n[heading]\nsource = \"iio\"\n"

  private func scene(_ testbed: SensorTestbed) throws -> LocationScene {
    try LocationScene(Self.config, environment: testbed.environment)
  }

  private func follow(_ scene: LocationScene) throws -> RunningProgram {
    try RunningProgram(Programs.commandLine, ["heading", "--json", "--filter", "0", "--bus", scene.stage.bus.address])
  }

  private func heading(_ run: RunningProgram, within limit: TimeInterval = 20) throws -> JSON {
    try JSON(parsing: try run.output.next(within: limit))
  }

  @Test func `a magnetometer at an I²C bus without an accelerometer gives its field`() throws {
    let testbed = try SensorTestbed([.chip])
    let scene = try scene(testbed)
    let run = try follow(scene)
    let first = try heading(run)
    #expect(first["source"] == "iio" && first["magnitude"]?.number.map { abs($0 - 37.4) < 0.1 } == true, "\(first)")
    let status = try CommandLine(["status", "--json", "--bus", scene.stage.bus.address]).output.joined()
    #expect(status.contains("ak8975 1-000c"), "\(status)")
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the chips of a sensor hub are read through their buffers, which are switched off at the end`() throws {
    let hub = SensorTestbed.Device.hub
    let testbed = try SensorTestbed(
      hub.map { device in
        var device = device
        device.attributes["trigger/current_trigger"] = ""
        return device
      })
    for (number, name) in ["magn_3d-dev0", "accel_3d-dev1"].enumerated() { try testbed.addTrigger(number, named: name) }
    let writers = try hub.map { try testbed.buffer(of: $0) }
    defer { for writer in writers { close(writer) } }
    let scene = try scene(testbed)
    let run = try follow(scene)
    try wait(for: "the buffers") { hub.allSatisfy { testbed.text("buffer/enable", of: $0) == "1" } }
    #expect(hub.map { testbed.text("trigger/current_trigger", of: $0) } == ["magn_3d-dev0", "accel_3d-dev1"])
    var time: Int64 = 0
    func scan(_ x: Int32, _ y: Int32, _ z: Int32) -> [UInt8] {
      let axes = [x, y, z, 0].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
      return axes + (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
    }
    var line: String?
    try wait(for: "a field") {
      time += 100_000_000
      for (writer, octets) in zip(writers, [scan(200, -100, 400), scan(0, 0, -981)]) {
        _ = octets.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
      }
      line = try? run.output.next(within: 0.2)
      return line != nil
    }
    let field = try JSON(parsing: try #require(line))
    #expect(field["x"]?.number == 20 && field["y"]?.number == -10 && field["z"]?.number == 40, "\(field)")
    run.signal(SIGINT)
    _ = try run.exitStatus()
    try wait(for: "the buffers to be off") { hub.allSatisfy { testbed.text("buffer/enable", of: $0) == "0" } }
    let next = try follow(scene)
    try wait(for: "the buffers") { hub.allSatisfy { testbed.text("buffer/enable", of: $0) == "1" } }
    scene.daemon.signal(SIGTERM)
    _ = try scene.daemon.exitStatus()
    #expect(hub.allSatisfy { testbed.text("buffer/enable", of: $0) == "0" } && next.isRunning)
  }

  @Test func `a sensor that is unplugged is a failure, and plugged in again it is used`() throws {
    let testbed = try SensorTestbed([.chip])
    let scene = try scene(testbed)
    let run = try follow(scene)
    _ = try heading(run)
    try testbed.unplug(.chip)
    _ = try run.log.next("the loss") { $0.contains("ak8975 was removed") }
    while (try? run.output.next(within: 0.2)) != nil {}
    try testbed.plug(.chip)
    #expect(try heading(run, within: 60)["magnitude"] != nil)
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a driver that returns EIO is named with its error, and used again when it works`() throws {
    let testbed = try SensorTestbed([.chip])
    let scene = try scene(testbed)
    let run = try follow(scene)
    _ = try heading(run)
    try testbed.fail("in_magn_y_raw", of: .chip)
    _ = try run.log.next("the error") { $0.contains("the driver of ak8975 reports errors: Input/output error") }
    while (try? run.output.next(within: 0.2)) != nil {}
    let status = try CommandLine(["status", "--json", "--bus", scene.stage.bus.address]).output.joined()
    #expect(status.contains("\"error\":"), "\(status)")
    try testbed.set("in_magn_y_raw", of: .chip, "-100")
    #expect(try heading(run, within: 60)["magnitude"] != nil)
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a driver that repeats its field while the device turns is a failure`() throws {
    let accelerometer = SensorTestbed.Device(
      parent: "/devices/platform/i2c-1/1-0040", number: 1, attributes: SensorTestbed.Device.accelerometer)
    let testbed = try SensorTestbed([.chip, accelerometer])
    let scene = try scene(testbed)
    let run = try follow(scene)
    _ = try heading(run)
    try testbed.set("in_accel_z_raw", of: accelerometer, "0")
    try testbed.set("in_accel_x_raw", of: accelerometer, "981")
    _ = try run.log.next("the loss") { $0.contains("ak8975 repeats old values") }
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a recording of the sensors plays in a daemon, with the field that was recorded`() throws {
    let testbed = try SensorTestbed([.chip])
    let folder = try TemporaryDirectory()
    let file = folder.file("walk.jsonl")
    let recording = try RunningProgram(Programs.commandLine, ["heading", "--record", file], environment: testbed.environment)
    try wait(for: "samples") { (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").count ?? 0 > 20 }
    recording.signal(SIGINT)
    #expect(try recording.exitStatus() == 0)
    let first = try #require(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").first)
    #expect(try JSON(parsing: String(first))["device"] == "ak8975 1-000c")
    let again = try CommandLine(["heading", "--record", file])
    #expect(again.status != 0)

    let scene = try LocationScene(LocationScene.fixed + "\n[heading]\nsource = \"capture\"\ncapture = \"\(file)\"\n")
    let run = try follow(scene)
    let field = try heading(run)
    #expect(field["source"] == "capture" && field["x"]?.number == 20 && field["y"]?.number == -10 && field["z"]?.number == 30, "\(field)")
    _ = try run.log.next("the end") { $0.contains("the recording \(file) has ended") }
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the simulator calibrates itself while a client follows it`() throws {
    let scene = try LocationScene(LocationScene.fixed + "\n[heading]\nsource = \"simulator\"\n")
    let run = try follow(scene)
    let first = try heading(run)
    #expect(first["source"] == "simulator" && first["magneticHeading"] == nil)
    _ = try run.log.next("the calibration", within: 60) { $0.contains("the compass is calibrated") }
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `beaconmon heading waits for a sensor that is missing after a restart of the daemon`() throws {
    let testbed = try SensorTestbed([.chip])
    let scene = try scene(testbed)
    let run = try follow(scene)
    _ = try heading(run)
    try testbed.unplug(.chip)
    let (daemon, _) = try scene.restart(environment: testbed.environment)
    _ = try run.log.next("the wait") { $0.contains("waiting for it") && $0.contains("magnetometer") }
    while (try? run.output.next(within: 0.2)) != nil {}
    try testbed.plug(.chip)
    #expect(try heading(run, within: 60)["magnitude"] != nil)
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    daemon.signal(SIGTERM)
  }
}
