import Foundation
import Glibc
import TestSupport

/// Devices of industrial I/O that umockdev imitates for the programs of a test, in /sys and in /dev.
final class SensorTestbed {
  /// A device with its attributes.
  struct Device {
    /// The path of its parent in sysfs, such as `/devices/platform/i2c-1/1-000c`.
    let parent: String
    let number: Int
    var attributes: [String: String]

    var name: String { "iio:device\(number)" }

    fileprivate var description: String {
      let attributes = attributes.sorted { $0.key < $1.key }.map { "A: \($0.key)=\($0.value)\\n\n" }.joined()
      return "P: \(parent)/\(name)\nN: \(name)\nE: DEVNAME=/dev/\(name)\nE: DEVTYPE=iio_device\nE: SUBSYSTEM=iio\n\(attributes)\n"
    }

    static let magnetometer = [
      "name": "ak8975", "in_magn_x_raw": "200", "in_magn_y_raw": "-100", "in_magn_z_raw": "300", "in_magn_scale": "0.001",
    ]
    static let accelerometer = [
      "name": "bma180", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "981", "in_accel_scale": "0.01",
    ]

    static let gyroscope = ["in_anglvel_x_raw": "0", "in_anglvel_y_raw": "0", "in_anglvel_z_raw": "3", "in_anglvel_scale": "0.001"]

    /// An accelerometer with a gyroscope at an I²C bus.
    static let inertial = Device(
      parent: "/devices/platform/i2c-1/1-0068", number: 2,
      attributes: accelerometer.merging(gyroscope) { $1 }.merging(["name": "mpu6050"]) { $1 })

    /// A magnetometer at an I²C bus.
    static let chip = Device(parent: "/devices/platform/i2c-1/1-000c", number: 0, attributes: magnetometer)

    /// The magnetometer and the accelerometer of a HID sensor hub, with buffers and triggers of their own.
    static let hub: [Device] = [("magn_3d", "magn", 0, "0.001"), ("accel_3d", "accel", 1, "0.01")].map { name, quantity, number, scale in
      var attributes = ["name": name, "in_\(quantity)_scale": scale, "buffer/enable": "0", "buffer/length": "2"]
      for (index, axis) in ["x", "y", "z"].enumerated() {
        attributes["in_\(quantity)_\(axis)_raw"] = axis == "z" ? "-981" : "0"
        attributes["scan_elements/in_\(quantity)_\(axis)_en"] = "0"
        attributes["scan_elements/in_\(quantity)_\(axis)_index"] = "\(index)"
        attributes["scan_elements/in_\(quantity)_\(axis)_type"] = "le:s32/32>>0"
      }
      attributes["scan_elements/in_timestamp_en"] = "0"
      attributes["scan_elements/in_timestamp_index"] = "3"
      attributes["scan_elements/in_timestamp_type"] = "le:s64/64>>0"
      let parent = "/devices/pci0000:00/0000:00:13.0/001F:8087:0AC2.0001/HID-SENSOR-2000\(number).auto"
      return Device(parent: parent, number: number, attributes: attributes)
    }
  }

  private let process: RunningProgram
  private let folder = try? TemporaryDirectory()
  private let root: String

  init(_ devices: [Device]) throws {
    guard let file = folder?.file("devices.umockdev") else { throw TimeoutError("no folder") }
    try Data(devices.map(\.description).joined().utf8).write(to: URL(fileURLWithPath: file))
    // The testbed is removed at the end of its input.
    process = try RunningProgram("/usr/bin/umockdev-run", ["-d", file, "--", "sh", "-c", "echo $UMOCKDEV_DIR; exec cat"])
    root = try process.output.next(within: 20)
  }

  deinit {
    try? process.input.close()
    _ = try? process.exitStatus()
  }

  /// The variables of a program that sees the devices.
  var environment: [String: String] { ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root] }

  private func path(_ device: Device, _ attribute: String) -> String { "\(root)/sys\(device.parent)/\(device.name)/\(attribute)" }

  func set(_ attribute: String, of device: Device, _ value: String) throws {
    let path = path(device, attribute)
    // A link is that of `fail`; a file stays, because a program may have it open.
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { unlink(path) }
    try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Writes a value of the same width as those before, as a driver does: a reader never sees a part of it.
  func measure(_ attribute: String, of device: Device, _ value: Int) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(device, attribute)))
    try file.write(contentsOf: Data(String(format: "%07d\n", value).utf8))
    try file.close()
  }

  func text(_ attribute: String, of device: Device) -> String? {
    (try? String(contentsOfFile: path(device, attribute), encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Lets each read of an attribute fail with EIO, as that of the first octet of a process' memory does.
  func fail(_ attribute: String, of device: Device) throws {
    let path = path(device, attribute)
    // A program that has the file open opens it again if it is empty.
    truncate(path, 0)
    unlink(path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
  }

  private func link(_ device: Device) -> String { "\(root)/sys/bus/iio/devices/\(device.name)" }
  private func stored(_ device: Device) -> String { "\(root)/sys\(device.parent)/\(device.name)" }

  /// Removes a device, as when it is unplugged.
  func unplug(_ device: Device) throws {
    unlink(link(device))
    let (stored, away) = (stored(device), "\(stored(device)).away")
    try FileManager.default.copyItem(atPath: stored, toPath: away)
    // An attribute that is open gives an error after the removal.
    for name in device.attributes.keys { truncate("\(stored)/\(name)", 0) }
    try FileManager.default.removeItem(atPath: stored)
  }

  func plug(_ device: Device) throws {
    try FileManager.default.moveItem(atPath: "\(stored(device)).away", toPath: stored(device))
    let up = String(repeating: "../", count: 3)
    try FileManager.default.createSymbolicLink(
      atPath: link(device), withDestinationPath: "\(up)\(device.parent.dropFirst())/\(device.name)")
  }

  /// Adds a trigger of the kernel.
  func addTrigger(_ number: Int, named name: String) throws {
    let folder = "\(root)/sys/bus/iio/devices/trigger\(number)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data("\(name)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/name"))
  }

  /// Replaces the character device by a FIFO, and returns its other end.
  func buffer(of device: Device) throws -> Int32 {
    let path = "\(root)/dev/\(device.name)"
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw TimeoutError("no FIFO at \(path)") }
    return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
  }
}
