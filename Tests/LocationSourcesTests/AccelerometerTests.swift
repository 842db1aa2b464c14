import EventLoop
import Foundation
import LocationArbitration
import LocationSources
import TestSupport
import Testing

@Suite struct AccelerometerTests {
  /// Creates the files of a device of the kernel's industrial I/O.
  private func device(_ files: [String: String]) throws -> TemporaryDirectory {
    let root = try TemporaryDirectory()
    let folder = root.file("iio:device0")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    return root
  }

  @Test func `an acceleration is the raw value plus offset, times scale`() throws {
    let root = try device([
      "in_accel_x_raw": "10", "in_accel_y_raw": "-20", "in_accel_z_raw": "1000", "in_accel_scale": "0.01", "in_accel_z_offset": "-20",
    ])
    let loop = try Loop()
    let sensor = try #require(Accelerometer(loop, root: root.path))
    let felt = try loop.value { (done: @escaping (Acceleration) -> Void) in
      sensor.onSample = done
      sensor.isOn = true
    }
    #expect(abs(felt.x - 0.1) < 1e-9 && abs(felt.y + 0.2) < 1e-9 && abs(felt.z - 9.8) < 1e-9)
    sensor.isOn = false
  }

  @Test func `a machine without an accelerometer has no sensor`() throws {
    let root = try device(["in_magn_x_raw": "1"])
    #expect(Accelerometer(try Loop(), root: root.path) == nil)
    #expect(Accelerometer(try Loop(), root: root.file("nothing")) == nil)
  }
}
