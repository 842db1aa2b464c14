import EventLoop
import Foundation
import Headings
import Instants
import Locations
import Orientation
import TestSupport
import Testing

@testable import HeadingSources

/// The choice among several devices, also of one that fails or comes later.
@Suite struct SensorChoiceTests {
  /// A folder of devices in the form of sysfs, with the records of udev.
  private final class Machine {
    let folder: TemporaryDirectory
    var root: String { folder.file("devices") }
    var records: String { folder.file("run/udev/data") }

    init(hasRecords: Bool = true) throws {
      folder = try TemporaryDirectory()
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
      if hasRecords { try makeRecords() }
    }

    func makeRecords() throws { try FileManager.default.createDirectory(atPath: records, withIntermediateDirectories: true) }

    func plug(_ number: Int, _ values: [String: String]) throws {
      // As the kernel does, with all attributes at once.
      let (away, place) = (folder.file("away"), "\(root)/iio:device\(number)")
      try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
      for (name, value) in values { try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(away)/\(name)")) }
      try FileManager.default.moveItem(atPath: away, toPath: place)
      if FileManager.default.fileExists(atPath: records) { try record(number) }
    }

    func record(_ number: Int, _ text: String = "") throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(records)/c243:\(number)"))
    }

    func source(_ loop: Loop) -> IIOSource { IIOSource(loop, root: root, records: records, interval: .milliseconds(5)) }

    func choice(failed: [Int] = []) -> SensorChoice? {
      let parts = IIODevice.all(in: root).map { SensorPart($0, .field) }
      return SensorChoice(in: root, records: records, failed: failed.map { parts[$0] })
    }
  }

  private static let magnetometer = [
    "name": "ak8975", "in_magn_x_raw": "200", "in_magn_y_raw": "-100", "in_magn_z_raw": "300", "in_magn_scale": "0.001",
  ]
  private static let accelerometer = [
    "name": "bma180", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "981", "in_accel_scale": "0.01",
  ]
  private static let gyroscope = ["name": "l3g4200d", "in_anglvel_x_raw": "0", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "0"]

  private func merged(_ values: [String: String]...) -> [String: String] { values.reduce([:]) { $0.merging($1) { $1 } } }

  @Test func `a gyroscope with impossible settings is left out, with a line in the log`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, merged(Self.gyroscope, Self.magnetometer, ["in_anglvel_scale": "0"]))
    let source = machine.source(loop)
    var measurements: [HeadingMeasurement] = []
    source.onMeasurement = { measurement, _ in measurements.append(measurement) }
    source.start()
    try loop.wait { source.health.state == .measuring && !measurements.isEmpty }
    #expect(source.health.note == nil && source.health.remark == "the gyroscope is not used: the scale of ak8975 is zero")
    #expect(!measurements.contains { if case .rotation = $0 { true } else { false } })
  }

  @Test func `an accelerometer that appears while the source is on is used at once`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, Self.magnetometer)
    let source = machine.source(loop)
    var accelerations = 0
    source.onMeasurement = { measurement, _ in if case .acceleration = measurement { accelerations += 1 } }
    source.start()
    try loop.wait { source.health.state == .measuring }
    #expect(!source.hasAccelerometer)
    try machine.plug(1, Self.accelerometer)
    try loop.wait { accelerations > 3 }
    #expect(source.hasAccelerometer && source.device == "ak8975")
    try loop.wait { source.health.state == .measuring }
  }

  @Test func `a fast source reads 50 samples a second`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, Self.magnetometer)
    let source = IIOSource(loop, root: machine.root, records: machine.records, interval: .seconds(5))
    var times: [Instant] = []
    source.onMeasurement = { _, time in times.append(time) }
    source.isFast = true
    source.start()
    // A source that is not fast would take 50 s.
    try loop.wait { times.count >= 11 }
    #expect(times[10] - times[0] >= .milliseconds(190))
  }

  @Test func `another magnetometer that appears does not replace the one in use`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(3, Self.magnetometer)
    let source = machine.source(loop)
    source.start()
    try loop.wait { source.health.state == .measuring }
    try machine.plug(1, merged(Self.magnetometer, ["name": "hmc5843"]))
    // The kernel reports the new record in the next turn of the loop.
    try loop.run(for: .milliseconds(200))
    #expect(source.device == "ak8975" && source.health.state == .measuring)
  }

  @Test func `a sensor is noticed although the records of udev appear after the start`() throws {
    let (machine, loop) = (try Machine(hasRecords: false), try Loop())
    let source = machine.source(loop)
    var changes = 0
    source.onHealthChange = { changes += 1 }
    #expect(!source.isPresent)
    // The folder is made level by level.
    try machine.makeRecords()
    // The kernel reports the new folder in the next turn of the loop.
    try loop.run(for: .milliseconds(100))
    try machine.plug(0, Self.magnetometer)
    try loop.wait { changes > 0 }
    #expect(source.isPresent)
  }

  @Test func `records that are removed and made again are watched again`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    let source = machine.source(loop)
    var changes = 0
    source.onHealthChange = { changes += 1 }
    try FileManager.default.removeItem(atPath: machine.folder.file("run"))
    // The kernel reports the removal in the next turn of the loop.
    try loop.run(for: .milliseconds(100))
    try machine.makeRecords()
    // The kernel reports the new folder in the next turn of the loop.
    try loop.run(for: .milliseconds(100))
    try machine.plug(0, Self.magnetometer)
    try loop.wait { changes > 0 }
    #expect(source.isPresent)
  }

  @Test func `after a failure the next magnetometer is tried`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, merged(Self.magnetometer, ["name": "broken", "in_magn_x_raw": "fail"]))
    try machine.plug(1, Self.magnetometer)
    let source = machine.source(loop)
    source.start()
    #expect(source.device == "broken")
    try loop.wait { source.health.state == .failing }
    #expect(source.health.note?.hasPrefix("the driver of broken reports errors") == true)
    source.stop()
    source.start()
    try loop.wait { source.health.state == .measuring }
    #expect(source.device == "ak8975")
  }

  @Test func `a magnetometer with impossible settings is passed over`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, merged(Self.magnetometer, ["name": "broken", "in_magn_scale": "0"]))
    try machine.plug(1, Self.magnetometer)
    let source = machine.source(loop)
    source.start()
    try loop.wait { source.health.state == .measuring }
    #expect(source.device == "ak8975")
  }

  @Test func `a failure of an accelerometer that works again does not keep another magnetometer from being tried`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, merged(Self.accelerometer, ["in_accel_x_raw": "fail"]))
    try machine.plug(3, Self.magnetometer)
    let source = machine.source(loop)
    source.start()
    try loop.wait { source.health == HeadingHealth(.failing, "the accelerometer sends no samples") }
    try Data("0\n".utf8).write(to: URL(fileURLWithPath: "\(machine.root)/iio:device0/in_accel_x_raw"))
    var accelerations = 0
    source.onMeasurement = { measurement, _ in if case .acceleration = measurement { accelerations += 1 } }
    source.start()
    try loop.wait { accelerations > 0 }
    source.stop()
    try machine.plug(2, merged(Self.magnetometer, ["name": "broken", "in_magn_scale": "0"]))
    source.start()
    #expect(source.health == HeadingHealth(.starting) && source.device == "ak8975")
    source.stop()
  }

  @Test func `a working accelerometer does not bring back the broken magnetometer of its chip`() throws {
    let (machine, loop) = (try Machine(), try Loop())
    try machine.plug(0, merged(Self.accelerometer, Self.magnetometer, ["name": "broken", "in_magn_scale": "0"]))
    try machine.plug(1, Self.magnetometer)
    let source = machine.source(loop)
    var accelerations = 0
    source.onMeasurement = { measurement, _ in if case .acceleration = measurement { accelerations += 1 } }
    source.start()
    #expect(source.health == HeadingHealth(.starting) && source.device == "ak8975")
    try loop.wait { accelerations > 0 }
    source.stop()
    #expect(source.device == "ak8975")
  }

  @Test func `devices that failed are tried again in turn`() throws {
    let machine = try Machine()
    for number in 0..<3 { try machine.plug(number, Self.magnetometer) }
    #expect(machine.choice()?.magnetometer.name == "iio:device0")
    #expect(machine.choice(failed: [0])?.magnetometer.name == "iio:device1")
    #expect(machine.choice(failed: [0, 1, 2])?.magnetometer.name == "iio:device0")
    #expect(machine.choice(failed: [1, 2, 0])?.magnetometer.name == "iio:device1")
  }

  @Test(
    arguments: [
      (["label": "accel-base"], ["label": "accel-display"]), (["location": "base"], ["location": "lid"]), (["label": "accel-base"], [:]),
      ([:], ["label": "accel-display"]),
    ] as [([String: String], [String: String])])
  func `the accelerometer of a convertible's display takes precedence over that of its base`(
    base: [String: String], display: [String: String]
  ) throws {
    let machine = try Machine()
    try machine.plug(0, merged(Self.accelerometer, base))
    try machine.plug(1, merged(Self.accelerometer, display))
    try machine.plug(2, Self.magnetometer)
    #expect(machine.choice()?.accelerometer?.name == "iio:device1")
  }

  @Test func `udev's property of the place counts, and that of the magnetometer's own chip comes first`() throws {
    let machine = try Machine()
    try machine.plug(0, merged(Self.accelerometer, ["dev": "243:0"]))
    try machine.plug(1, merged(Self.accelerometer, ["dev": "243:1"]))
    try machine.plug(2, Self.magnetometer)
    try machine.record(0, "I:1\nE:ACCEL_LOCATION=base\n")
    try machine.record(1, "I:1\nE:ACCEL_LOCATION=display\n")
    #expect(machine.choice()?.accelerometer?.name == "iio:device1")
    try machine.plug(3, merged(Self.accelerometer, Self.magnetometer, ["label": "accel-base"]))
    try FileManager.default.removeItem(atPath: "\(machine.root)/iio:device2")
    #expect(machine.choice()?.accelerometer?.name == "iio:device3")
  }
}

@Suite struct StaleTestTests {
  private func instant(_ second: Double) -> Instant { Instant(microseconds: Int64(second * 1e6)) }

  /// Repeats a field for five seconds during a rotation in rad/s about the vertical.
  private func repeated(_ rotation: SpaceVector?, acceleration: (Double) -> SpaceVector = { _ in [0, 0, 9.8] }) -> Bool {
    var test = StaleReadingTest()
    for step in 0...50 {
      let time = instant(Double(step) / 10)
      test.take(acceleration: acceleration(Double(step) / 50))
      if let rotation { test.take(rotation: rotation, at: time) }
      test.take(field: [20, 0, -40], at: time)
    }
    return test.isStale
  }

  @Test func `a field that is repeated at rest is that of a sensor hub, which reports changes only`() {
    #expect(!repeated(nil))
    #expect(!repeated([0.005, -0.004, 0.006]))
  }

  @Test func `a field that is repeated during a turn about the vertical is old`() {
    #expect(repeated([0, 0, 0.5]))
    #expect(!repeated([0, 0, 0.02]))
  }

  @Test func `a field that is repeated while the device is tilted is old, and a new one ends that`() {
    #expect(repeated(nil) { [9.8 * $0, 0, 9.8 * (1 - $0)] })
    var test = StaleReadingTest()
    for step in 0...50 {
      test.take(rotation: [0, 0, 1], at: instant(Double(step) / 10))
      test.take(field: [20, 0, -40], at: instant(Double(step) / 10))
    }
    #expect(test.isStale)
    test.take(field: [21, 0, -40], at: instant(6))
    #expect(!test.isStale)
  }
}
