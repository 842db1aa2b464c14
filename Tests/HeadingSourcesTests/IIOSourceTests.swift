import EventLoop
import Foundation
import HeadingSources
import Headings
import Instants
import Locations
import Orientation
import Records
import TestSupport
import Testing

/// A folder of devices in the form of sysfs.
private struct FakeSensors {
  let folder: TemporaryDirectory
  var device: String { "\(folder.path)/iio:device0" }

  init(_ values: [String: String]) throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    for (name, value) in values { try set(name, value) }
  }

  func set(_ name: String, _ value: String) throws {
    try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(device)/\(name)"))
  }

  static let magnetometer = [
    "name": "ak8975", "in_magn_x_raw": "200", "in_magn_y_raw": "-100", "in_magn_z_raw": "300", "in_magn_scale": "0.001",
  ]
}

@Suite struct IIOSourceTests {
  @Test func `a field has the scale, the offset and the mount matrix of its device, in µT`() throws {
    var values = FakeSensors.magnetometer
    values["in_magn_offset"] = "100"
    values["in_magn_mount_matrix"] = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    let sensors = try FakeSensors(values)
    let loop = try Loop()
    let source = IIOSource(loop, root: sensors.folder.path, interval: .milliseconds(5))
    var field: SpaceVector?
    source.onMeasurement = { measurement, _ in
      if case .field(let value) = measurement {
        field = value
        loop.stop()
      }
    }
    #expect(source.isPresent && source.device == "ak8975" && !source.hasAccelerometer)
    source.start()
    _ = try loop.run()
    source.stop()
    let value = try #require(field)
    #expect(abs(value.x - 0) < 1e-9 && abs(value.y + 30) < 1e-9 && abs(value.z - 40) < 1e-9)
  }

  @Test func `a magnetometer that is plugged in or removed is noticed while the source is off`() throws {
    let folder = try TemporaryDirectory()
    let (root, records) = (folder.file("devices"), folder.file("records"))
    for name in [root, records] { try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false) }
    let loop = try Loop()
    let source = IIOSource(loop, root: root, records: records)
    source.onHealthChange = { loop.stop() }
    #expect(!source.isPresent)
    let sensors = try FakeSensors(FakeSensors.magnetometer)
    try FileManager.default.moveItem(atPath: sensors.device, toPath: "\(root)/iio:device0")
    try Data().write(to: URL(fileURLWithPath: "\(records)/+iio:iio:device0"))
    _ = try loop.run()
    #expect(source.isPresent && source.health == HeadingHealth(.off))
    try FileManager.default.removeItem(atPath: "\(root)/iio:device0")
    try FileManager.default.removeItem(atPath: "\(records)/+iio:iio:device0")
    _ = try loop.run()
    #expect(!source.isPresent)
  }

  @Test func `a sensor that failed is offered again after a pause, even if no client waits`() throws {
    let sensors = try FakeSensors(FakeSensors.magnetometer.merging(["in_magn_scale": "0"]) { $1 })
    let loop = try Loop()
    let source = IIOSource(loop, root: sensors.folder.path)
    source.start()
    #expect(!source.isPresent)
    source.onHealthChange = { loop.stop() }
    _ = try loop.run()
    #expect(source.isPresent)
  }

  @Test(arguments: [
    ("in_magn_scale", "0", "the scale of ak8975 is zero"),
    ("in_magn_mount_matrix", "1, 0, 0; 1, 0, 0; 0, 0, 1", "the mount matrix of ak8975 cannot be inverted"),
    ("in_magn_mount_matrix", "1, 0, x", "the mount matrix of ak8975 is not nine numbers"),
  ])
  func `a device with impossible settings is refused by name`(file: String, value: String, note: String) throws {
    let sensors = try FakeSensors(FakeSensors.magnetometer.merging([file: value]) { $1 })
    let source = IIOSource(try Loop(), root: sensors.folder.path)
    source.start()
    #expect(source.health == HeadingHealth(.failing, note))
  }

  @Test(arguments: [("0", "zero"), ("9000000", "saturated"), ("fail", "error")])
  func `unusable samples are counted, and the source fails`(raw: String, reason: String) throws {
    let axes = ["in_magn_x_raw": raw, "in_magn_y_raw": raw, "in_magn_z_raw": raw]
    let sensors = try FakeSensors(FakeSensors.magnetometer.merging(axes) { $1 })
    let loop = try Loop()
    let source = IIOSource(loop, root: sensors.folder.path, interval: .milliseconds(5))
    source.onHealthChange = { loop.stop() }
    source.onMeasurement = { measurement, _ in if case .field = measurement { Issue.record("a field was delivered") } }
    source.start()
    _ = try loop.run()
    #expect(source.health.state == .failing && source.counts.refused.entries.map(\.name) == [reason])
  }

  @Test func `a machine without a magnetometer has no source, and one that is plugged in appears`() throws {
    let sensors = try FakeSensors(["name": "bma180", "in_accel_x_raw": "1"])
    #expect(!IIOSource(try Loop(), root: sensors.folder.path).isPresent)
    for (name, value) in FakeSensors.magnetometer { try sensors.set(name, value) }
    let source = IIOSource(try Loop(), root: sensors.folder.path)
    #expect(source.isPresent && source.hasAccelerometer)
  }

  @Test func `a source starts again at once after a stop`() throws {
    let sensors = try FakeSensors(FakeSensors.magnetometer)
    let source = IIOSource(try Loop(), root: sensors.folder.path)
    for _ in 1...3 {
      source.start()
      #expect(source.health == HeadingHealth(.starting))
      source.stop()
    }
  }

  @Test func `an accelerometer without samples is a failure`() throws {
    let axes = ["in_accel_x_raw": "fail", "in_accel_y_raw": "fail", "in_accel_z_raw": "fail"]
    let sensors = try FakeSensors(FakeSensors.magnetometer.merging(axes) { $1 })
    let loop = try Loop()
    let source = IIOSource(loop, root: sensors.folder.path, interval: .milliseconds(5))
    source.onHealthChange = { [unowned source] in if source.health.state == .failing { loop.stop() } }
    source.start()
    _ = try loop.run()
    #expect(source.health == HeadingHealth(.failing, "the accelerometer sends no samples"))
  }
}
