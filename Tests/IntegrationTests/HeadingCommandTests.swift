import Foundation
import TestSupport
import Testing

/// `beaconmon heading` beside a daemon whose receiver has a compass.
@Suite struct HeadingCommandTests {
  private func scene() throws -> (receiver: Receiver, scene: LocationScene) {
    let receiver = Receiver()
    return (receiver, try LocationScene(receiver.config + "[heading]\nsource = \"receiver\"\n"))
  }

  @Test func `in a pipe each heading is one line of JSON`() throws {
    let (receiver, scene) = try scene()
    let run = try RunningProgram(Programs.commandLine, ["heading", "--bus", scene.stage.bus.address])
    var line: String?
    try wait(for: "a heading") {
      receiver.point(359.9)
      line = try? run.output.next(within: 0.2)
      return line != nil
    }
    let heading = try JSON(parsing: try #require(line))
    #expect(heading["magneticHeading"] == 359.9 && heading["kind"] == "heading" && heading["timestamp"] != nil)
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  /// A photo that is taken at rest gets the direction of a line that is at most 5 s old.
  @Test(arguments: [("1s", 3...8), ("0s", 1...1)] as [(String, ClosedRange<Int>)])
  func `a device that rests gives a heading in each interval`(interval: String, expected: ClosedRange<Int>) throws {
    let (receiver, scene) = try scene()
    let run = try RunningProgram(Programs.commandLine, ["heading", "--interval", interval, "--bus", scene.stage.bus.address])
    var lines: [String] = []
    func point() {
      receiver.point(200)
      if let line = try? run.output.next(within: 0.1) { lines.append(line) }
    }
    try wait(for: "the first heading") {
      point()
      return !lines.isEmpty
    }
    let end = Date(timeIntervalSinceNow: 5)
    while end.timeIntervalSinceNow > 0 { point() }
    #expect(expected.contains(lines.count), "\(lines)")
    #expect(try lines.allSatisfy { try JSON(parsing: $0)["magneticHeading"] == 200 })
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: ["25h", "10ms", "soon"])
  func `an impossible interval is an error of the command line`(interval: String) throws {
    let run = try CommandLine(["heading", "--interval", interval])
    #expect(run.status == 64 && !run.errors.isEmpty, "\(run.errors)")
  }

  @Test(arguments: [60, 80] as [UInt16])
  func `a terminal shows a rose that follows the window, and Ctrl-C restores the terminal`(columns: UInt16) throws {
    let (receiver, scene) = try scene()
    let run = try TerminalProgram(["heading", "--bus", scene.stage.bus.address], columns: columns)
    try wait(for: "the rose") {
      receiver.point(100)
      return run.shows("100° magnetic E")
    }
    #expect(run.text.contains("▲") && run.text.contains("\u{1B}[?25l"))
    run.forget()
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    try run.waitForText("\u{1B}[?25h")
    scene.daemon.signal(SIGTERM)
  }

  /// A folder with a magnetometer and an accelerometer in the form of sysfs, at rest.
  private func sensors(in folder: TemporaryDirectory) throws -> String {
    let device = folder.file("devices/iio:device0")
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    // 20, -10 and 30 µT; 1 G is 100 µT.
    let values = [
      "name": "ak8975", "in_magn_x_raw": "200", "in_magn_y_raw": "-100", "in_magn_z_raw": "300", "in_magn_scale": "0.001",
      "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "981", "in_accel_scale": "0.01",
    ]
    for (name, value) in values { try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(device)/\(name)")) }
    return device
  }

  @Test func `a magnetometer gives its field until it is calibrated, and is used again after its driver has failed`() throws {
    let folder = try TemporaryDirectory()
    let device = try sensors(in: folder)
    let scene = try LocationScene(
      LocationScene.fixed + "\n[heading]\nsource = \"iio\"\n", environment: ["BEACONMON_IIO": folder.file("devices")])
    let run = try RunningProgram(Programs.commandLine, ["heading", "--json", "--filter", "0", "--bus", scene.stage.bus.address])
    let first = try JSON(parsing: try run.output.next(within: 10))
    #expect(first["source"] == "iio" && first["magneticHeading"] == nil && first["accuracy"] == nil)
    // An uncalibrated field includes that of the device.
    #expect(first["magnitude"]?.number.map { abs($0 - 37.4) < 0.1 } == true, "\(first)")
    _ = try run.log.next("the need of a calibration") { $0.contains("calibrat") }
    let axis = URL(fileURLWithPath: "\(device)/in_magn_x_raw")
    try Data("fail\n".utf8).write(to: axis)
    _ = try run.log.next("the loss") { $0.contains("the driver of ak8975 reports errors") }
    while (try? run.output.next(within: 0.2)) != nil {}
    try Data("200\n".utf8).write(to: axis)
    #expect(try JSON(parsing: try run.output.next(within: 60))["magnitude"] != nil)
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device without a compass is a failure with a reason`() throws {
    let scene = try LocationScene("[heading]\nsource = \"off\"\n")
    let run = try CommandLine(["heading", "--bus", scene.stage.bus.address])
    #expect(run.status == 69 && run.errors.count == 1, "\(run.errors)")
    scene.daemon.signal(SIGTERM)
  }
}
