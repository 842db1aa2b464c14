import EventLoop
import Foundation
import Glibc
import Headings
import Instants
import Locations
import Motion
import Orientation
import Records
import TestSupport
import Testing

@testable import HeadingSources

@Suite struct IIOBufferTests {
  @Test func `a buffer is switched on, read with the times of the kernel, and switched off`() throws {
    let device = try BufferedDevice(["trigger/current_trigger": ""])
    let trigger = "\(device.root)/trigger0"
    try FileManager.default.createDirectory(atPath: trigger, withIntermediateDirectories: false)
    try Data("lis3mdl-dev0\n".utf8).write(to: URL(fileURLWithPath: "\(trigger)/name"))
    let collector = try Collector(device)
    try collector.start(device)
    #expect(device.text("trigger/current_trigger") == "lis3mdl-dev0" && device.text("buffer/length") == "512")
    #expect(["x_en", "y_en", "z_en"].allSatisfy { device.text("scan_elements/in_magn_\($0)") == "1" })
    #expect(device.text("scan_elements/in_timestamp_en") == "1")
    device.add(BufferedDevice.scan(200, -100, 300, at: 1_000_000_000) + BufferedDevice.scan(210, -100, 300, at: 1_100_000_000))
    try collector.loop.wait { collector.fields.count == 2 }
    let (first, second) = (collector.fields[0], collector.fields[1])
    #expect((first.value - SpaceVector(20, -10, 30)).length < 1e-9 && (second.value - SpaceVector(21, -10, 30)).length < 1e-9)
    #expect(second.time - first.time == .milliseconds(100))
    collector.source.stop()
    try collector.loop.wait { device.text("buffer/enable") == "0" }
  }

  @Test func `scans within 20 ms become one sample of their mean`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    try collector.start(device)
    device.add((0..<8).flatMap { BufferedDevice.scan(Int16(200 + $0), 0, 0, at: Int64($0) * 5_000_000) })
    try collector.loop.wait { collector.fields.count == 2 }
    #expect(collector.fields.map { ($0.value.x * 100).rounded() / 100 } == [20.15, 20.55])
    collector.source.stop()
  }

  @Test func `a scan that arrives in two reads is used once it is whole`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    try collector.start(device)
    let scan = BufferedDevice.scan(200, -100, 300, at: 1_000_000_000)
    device.add(Array(scan[..<5]))
    // The source reads every 5 ms.
    try collector.loop.run(for: .milliseconds(50))
    #expect(collector.fields.isEmpty)
    device.add(Array(scan[5...]))
    try collector.loop.wait { collector.fields.count == 1 }
    #expect((collector.fields[0].value - SpaceVector(20, -10, 30)).length < 1e-9)
    collector.source.stop()
  }

  @Test func `scans with the same time and values are counted as stale, and an overrun is counted`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    try collector.start(device)
    let scan = BufferedDevice.scan(200, -100, 300, at: 1_000_000_000)
    device.add(scan + scan + scan)
    try collector.loop.wait { collector.source.counts.refused.entries.contains { $0.name == "stale" && $0.count == 2 } }
    #expect(collector.fields.count == 1)
    device.add((1...600).flatMap { BufferedDevice.scan(Int16($0), 0, 0, at: 1_000_000_000 + Int64($0) * 1_000_000) })
    try collector.loop.wait { collector.source.counts.refused.entries.contains { $0.name == "overrun" && $0.count == 1 } }
    collector.source.stop()
  }

  @Test func `a clock of the kernel that goes back does not reverse the order of the samples`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    try collector.start(device)
    for (count, milliseconds) in [5_000, 5_100, 1_000, 1_100].enumerated() {
      device.add(Int16(200 + count), 0, 0, at: Int64(milliseconds) * 1_000_000)
      try collector.loop.wait { collector.fields.count == count + 1 }
    }
    // In one read, the later clock counts: the first two scans are not from the future.
    device.add([5_000, 5_100, 1_200, 1_300].flatMap { BufferedDevice.scan(300, 0, 0, at: $0 * 1_000_000) })
    try collector.loop.wait { collector.fields.count > 4 }
    let times = collector.fields.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } && times.allSatisfy { $0 <= collector.loop.now })
    collector.source.stop()
  }

  @Test func `a magnetometer with an accelerometer in one scan gives both, in the order that a heading needs`() throws {
    let device = try BufferedDevice(BufferedDevice.withAccelerometer)
    let collector = try Collector(device)
    try collector.start(device)
    device.add(BufferedDevice.scanWithAcceleration(at: 1))
    try collector.loop.wait { collector.fields.count == 1 }
    #expect((collector.fields[0].value - SpaceVector(20, -10, 30)).length < 1e-9)
    #expect(collector.accelerations.count == 1 && abs(collector.accelerations[0].z - 9.81) < 1e-9)
    collector.source.stop()
  }

  /// The kernel refuses the attributes of a chip whose buffer is on. Here they are empty meanwhile.
  @Test func `motion uses the samples of the heading's buffer, and its own once that is off`() throws {
    let device = try BufferedDevice(BufferedDevice.withAccelerometer)
    let shared = MachineSensors()
    let collector = try Collector(device, shared)
    let motion = IIOMotionSensors(
      collector.loop, root: device.root, records: device.folder.path, interval: .milliseconds(5), batch: 4, shared: shared)
    var accelerations: [Double] = []
    var times: [Instant] = []
    motion.onSamples = { samples in
      times += samples.map(\.time)
      accelerations += samples.compactMap { if case .acceleration(let value) = $0.value { value.z } else { nil } }
    }
    try collector.start(device)
    for axis in ["x", "y", "z"] { try device.set("in_accel_\(axis)_raw", "") }
    motion.isOn = true
    let feed = collector.loop.timer { [loop = collector.loop] in
      device.add(BufferedDevice.scanWithAcceleration(at: loop.now.microseconds * 1000))
      loop.stop()
    }
    try collector.loop.wait {
      if feed.due == nil { feed.arm(after: .milliseconds(5)) }
      return accelerations.count > 10
    }
    #expect(accelerations.allSatisfy { abs($0 - 9.81) < 1e-9 } && collector.fields.count > 10)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })

    // Attributes with another value show who reads them.
    collector.source.stop()
    try device.set("in_accel_x_raw", "0")
    try device.set("in_accel_y_raw", "0")
    try device.set("in_accel_z_raw", "500")
    try collector.loop.wait { accelerations.last.map { abs($0 - 5) < 1e-9 } == true }
    // And back, with the motion on all the time.
    collector.source.start()
    try collector.loop.wait {
      if feed.due == nil { feed.arm(after: .milliseconds(5)) }
      return accelerations.last.map { abs($0 - 9.81) < 1e-9 } == true
    }
    motion.isOn = false
    let (count, fields) = (accelerations.count, collector.fields.count)
    try collector.loop.wait {
      if feed.due == nil { feed.arm(after: .milliseconds(5)) }
      return collector.fields.count > fields + 5
    }
    #expect(accelerations.count == count)
    collector.source.stop()
  }

  @Test(arguments: [(AccelerationSign.positive, 9.81), (.negative, -9.81), (.auto, 9.81)])
  func `the configured sign of accelerations applies to headings and to motion`(sign: AccelerationSign, z: Double) throws {
    let device = try BufferedDevice(BufferedDevice.withAccelerometer)
    let shared = MachineSensors(accelerationSign: sign)
    let collector = try Collector(device, shared)
    try collector.start(device)
    device.add(BufferedDevice.scanWithAcceleration(at: 1))
    try collector.loop.wait { collector.accelerations.count == 1 }
    #expect(abs(collector.accelerations[0].z - z) < 1e-9)
    collector.source.stop()
    let motion = IIOMotionSensors(
      collector.loop, root: device.root, records: device.folder.path, interval: .milliseconds(5), batch: 4, shared: shared)
    var received: [MotionSample] = []
    motion.onSamples = { received = $0 }
    motion.isOn = true
    try collector.loop.wait { !received.isEmpty }
    motion.isOn = false
    guard case .acceleration(let felt)? = received.first?.value else { return #expect(Bool(false), "\(received)") }
    #expect(abs(felt.z - z) < 1e-9)
  }

  @Test(arguments: [
    ("scan_elements/in_magn_y_type", "le:f32/32>>0", "the form of in_magn_y in the buffer of lis3mdl is not supported"),
    ("scan_elements/in_magn_y_index", "0", "the elements in the buffer of lis3mdl have the same index"),
    ("trigger/current_trigger", "", "no trigger of this device: No such file or directory (ENOENT)"),
  ])
  func `a buffer that cannot be used is explained, and the attributes are read`(file: String, value: String, reason: String) throws {
    let device = try BufferedDevice([file: value])
    let collector = try Collector(device)
    collector.source.start()
    try collector.loop.wait { !collector.fields.isEmpty }
    #expect(collector.fields[0].value == SpaceVector(100, 100, 100))
    #expect(collector.source.health.remark == "attributes are read 200 times a second instead of a buffer: \(reason)")
    #expect(collector.source.health.note == nil && device.text("buffer/enable") == "0")
    collector.source.stop()
  }

  @Test func `without a character device the attributes are read, and the reason is reported`() throws {
    let device = try BufferedDevice()
    try device.loseCharacterDevice()
    let collector = try Collector(device)
    collector.source.start()
    try collector.loop.wait { !collector.fields.isEmpty }
    #expect(collector.source.health.remark?.hasSuffix("/iio:device0: No such file or directory") == true)
    collector.source.stop()
  }

  @Test func `a device without a buffer is read by its attributes, without a remark`() throws {
    let device = try BufferedDevice()
    try FileManager.default.removeItem(atPath: "\(device.root)/iio:device0/scan_elements")
    let collector = try Collector(device)
    collector.source.start()
    try collector.loop.wait { !collector.fields.isEmpty }
    #expect(collector.source.health == HeadingHealth(.measuring))
    collector.source.stop()
  }

  @Test func `a source whose buffer has no samples reads the attributes`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    try collector.start(device)
    try collector.loop.wait { !collector.fields.isEmpty }
    let remark = "attributes are read 200 times a second instead of a buffer: it has no new samples"
    #expect(collector.source.health.state == .measuring && collector.source.health.remark == remark)
    #expect(collector.fields[0].value == SpaceVector(100, 100, 100) && device.text("buffer/enable") == "0")
    collector.source.stop()
  }

  @Test func `an error of the gyroscope is not taken for one of the magnetometer, whose buffer has no samples`() throws {
    let device = try BufferedDevice()
    let gyroscope = ["name": "l3g4200d", "in_anglvel_x_raw": "fail", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "0"]
    for (name, value) in gyroscope { try device.set("../iio:device1/\(name)", value) }
    let collector = try Collector(device)
    try collector.start(device)
    try collector.loop.wait { !collector.fields.isEmpty || collector.source.health.state == .failing }
    #expect(collector.source.health.state == .measuring && collector.source.health.remark?.hasSuffix("it has no new samples") == true)
    collector.source.stop()
  }

  @Test func `a source that is stopped and started at once has its buffer again`() throws {
    let device = try BufferedDevice()
    let collector = try Collector(device)
    for _ in 1...3 {
      try collector.start(device)
      collector.source.stop()
    }
    try collector.start(device)
    // The thread of the last stop ends within 5 ms.
    try collector.loop.run(for: .milliseconds(50))
    device.add(200, -100, 300, at: 1)
    try collector.loop.wait { !collector.fields.isEmpty }
    #expect(abs(collector.fields[0].value.x - 20) < 1e-9 && collector.source.health.remark == nil)
    collector.source.stop()
  }
}
