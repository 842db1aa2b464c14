import EventLoop
import Foundation
import HeadingSources
import Headings
import Instants
import Motion
import TestSupport
import Testing

@Suite struct IIOMotionSensorsTests {
  /// A folder of devices in the form of sysfs.
  private struct Devices {
    let folder: TemporaryDirectory
    var root: String { folder.file("devices") }
    var records: String { folder.file("records") }

    init() throws {
      folder = try TemporaryDirectory()
      for path in [root, records] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    }

    func plug(_ values: [String: String], as name: String = "iio:device0") throws {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
      for (file, value) in values { try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)/\(file)")) }
      try Data().write(to: URL(fileURLWithPath: "\(records)/+iio:\(name)"))
    }

    func unplug(_ name: String = "iio:device0") throws {
      try FileManager.default.removeItem(atPath: "\(root)/\(name)")
      try FileManager.default.removeItem(atPath: "\(records)/+iio:\(name)")
    }

    func sensors(_ loop: Loop) -> IIOMotionSensors {
      IIOMotionSensors(loop, root: root, records: records, interval: .milliseconds(5), batch: 4)
    }
  }

  private static let accelerometer = [
    "name": "bmc150", "in_accel_x_raw": "10", "in_accel_y_raw": "-20", "in_accel_z_raw": "1000", "in_accel_scale": "0.01",
    "in_accel_z_offset": "-20",
  ]
  private static let gyroscope = [
    "in_anglvel_x_raw": "0", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "500", "in_anglvel_scale": "0.001",
  ]

  /// Runs the loop until samples arrive, and returns them.
  private func samples(_ sensors: IIOMotionSensors, _ loop: Loop, before action: () throws -> Void = {}) throws -> [MotionSample] {
    var received: [MotionSample] = []
    sensors.onSamples = {
      received = $0
      loop.stop()
    }
    try action()
    _ = try loop.run()
    return received
  }

  @Test func `samples of the accelerometer and of the gyroscope come together, in m/s² and rad/s`() throws {
    let (devices, loop) = (try Devices(), try Loop())
    try devices.plug(Self.accelerometer.merging(Self.gyroscope) { $1 })
    let sensors = devices.sensors(loop)
    let received = try samples(sensors, loop) { sensors.isOn = true }
    sensors.isOn = false
    var (accelerations, rotations): ([SpaceVector], [SpaceVector]) = ([], [])
    for sample in received {
      switch sample.value {
      case .acceleration(let value): accelerations.append(value)
      case .rotation(let value): rotations.append(value)
      }
    }
    #expect(accelerations.count == 4 && rotations.count == 4)
    let felt = try #require(accelerations.first)
    #expect(abs(felt.x - 0.1) < 1e-9 && abs(felt.y + 0.2) < 1e-9 && abs(felt.z - 9.8) < 1e-9)
    #expect(rotations.allSatisfy { abs($0.z - 0.5) < 1e-9 })
    #expect(zip(received, received.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  /// The conventions: IIODevice.swift.
  @Test(
    arguments: [
      (name: "bmc150", matrix: nil, nodes: ["firmware_node"], z: 9.8), ("accel_3d", nil, ["firmware_node"], -9.8),
      ("bmc150", "-1, 0, 0; 0, 1, 0; 0, 0, 1", ["firmware_node"], -9.8), ("bmc150", "-1, 0, 0; 0, 1, 0; 0, 0, 1", ["of_node"], 9.8),
      ("bmc150", "-1, 0, 0; 0, 1, 0; 0, 0, 1", ["firmware_node", "of_node"], 9.8),
      ("bmc150", "1, 0, 0; 0, 1, 0; 0, 0, 1", ["of_node"], 9.8),
      ("bmc150", nil, [], 9.8),
    ] as [(name: String, matrix: String?, nodes: [String], z: Double)])
  func `hubs and matrices of ACPI follow Windows, and all others the kernel`(
    _ machine: (name: String, matrix: String?, nodes: [String], z: Double)
  )
    throws
  {
    let (devices, loop) = (try Devices(), try Loop())
    var values = Self.accelerometer
    values["name"] = machine.name
    values["in_accel_mount_matrix"] = machine.matrix
    try devices.plug(values)
    for node in machine.nodes {
      try FileManager.default.createDirectory(atPath: "\(devices.root)/\(node)", withIntermediateDirectories: false)
    }
    let sensors = devices.sensors(loop)
    let received = try samples(sensors, loop) { sensors.isOn = true }
    sensors.isOn = false
    guard case .acceleration(let felt)? = received.first?.value else { return #expect(Bool(false), "\(received)") }
    #expect(abs(felt.z - machine.z) < 1e-9, "\(felt)")
  }

  @Test func `no file is read while the sensors are off`() throws {
    let (devices, loop) = (try Devices(), try Loop())
    // A read of a pipe without a writer would be an error, but no file is read before the start.
    try devices.plug(Self.accelerometer)
    let sensors = devices.sensors(loop)
    sensors.onSamples = { _ in Issue.record("samples came while the sensors are off") }
    let timer = loop.timer { loop.stop() }
    timer.arm(after: .milliseconds(100))
    _ = try loop.run()
    // Switched off again, nothing follows either.
    _ = try samples(sensors, loop) { sensors.isOn = true }
    sensors.isOn = false
    sensors.onSamples = { _ in Issue.record("samples came after the sensors were switched off") }
    timer.arm(after: .milliseconds(100))
    _ = try loop.run()
  }

  @Test func `an accelerometer that is plugged in while motion is wanted is used, even in place of one that was removed`() throws {
    let (devices, loop) = (try Devices(), try Loop())
    let sensors = devices.sensors(loop)
    let first = try samples(sensors, loop) {
      sensors.isOn = true
      try devices.plug(Self.accelerometer)
    }
    #expect(!first.isEmpty)
    try devices.unplug()
    // The search after the failure finds nothing; the next device ends the pause.
    let timer = loop.timer { loop.stop() }
    timer.arm(after: .seconds(4))
    sensors.onSamples = { _ in }
    _ = try loop.run()
    let second = try samples(sensors, loop) { try devices.plug(Self.accelerometer, as: "iio:device1") }
    #expect(!second.isEmpty)
  }

  @Test func `a gyroscope that comes after the accelerometer is used at once`() throws {
    let (devices, loop) = (try Devices(), try Loop())
    try devices.plug(Self.accelerometer)
    let sensors = devices.sensors(loop)
    let first = try samples(sensors, loop) { sensors.isOn = true }
    #expect(!first.isEmpty)
    var rotations = 0
    sensors.onSamples = { rotations += $0.count { if case .rotation = $0.value { true } else { false } } }
    try devices.plug(Self.gyroscope.merging(["name": "bmg160"]) { $1 }, as: "iio:device1")
    try loop.wait { rotations > 0 }
    sensors.isOn = false
  }

  @Test func `a machine without an accelerometer gives no samples and no failure`() throws {
    let (devices, loop) = (try Devices(), try Loop())
    try devices.plug(["name": "ak8975", "in_magn_x_raw": "1"])
    let sensors = devices.sensors(loop)
    sensors.onSamples = { _ in Issue.record("samples came without an accelerometer") }
    sensors.isOn = true
    let timer = loop.timer { loop.stop() }
    timer.arm(after: .milliseconds(100))
    _ = try loop.run()
    sensors.isOn = false
  }
}
