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

/// A device whose buffer is a FIFO.
final class BufferedDevice {
  let folder: TemporaryDirectory
  private let writer: Int32

  var root: String { folder.file("devices") }
  var characterDevices: String { folder.file("dev") }
  var device: String { "\(root)/iio:device0" }
  private var fifo: String { "\(characterDevices)/iio:device0" }

  /// A magnetometer of 0.1 µT a step with 16 bits an axis, and times.
  static let attributes = [
    "name": "lis3mdl", "in_magn_scale": "0.001", "in_magn_x_raw": "1000", "in_magn_y_raw": "1000", "in_magn_z_raw": "1000",
    "scan_elements/in_magn_x_en": "0", "scan_elements/in_magn_x_index": "0", "scan_elements/in_magn_x_type": "le:s16/16>>0",
    "scan_elements/in_magn_y_en": "0", "scan_elements/in_magn_y_index": "1", "scan_elements/in_magn_y_type": "le:s16/16>>0",
    "scan_elements/in_magn_z_en": "0", "scan_elements/in_magn_z_index": "2", "scan_elements/in_magn_z_type": "le:s16/16>>0",
    "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "3", "scan_elements/in_timestamp_type": "le:s64/64>>0",
    "buffer/enable": "0", "buffer/length": "0",
  ]

  init(_ changes: [String: String] = [:]) throws {
    folder = try TemporaryDirectory()
    for name in ["devices/iio:device0/scan_elements", "devices/iio:device0/buffer", "devices/iio:device0/trigger", "dev"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    let path = "\(folder.path)/dev/iio:device0"
    try #require(mkfifo(path, 0o600) == 0)
    // The FIFO exists for both ends, so that it is neither closed nor refuses a writer.
    writer = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    for (name, value) in Self.attributes.merging(changes, uniquingKeysWith: { $1 }) { try set(name, value) }
  }

  deinit { close(writer) }

  func set(_ name: String, _ value: String) throws {
    let path = "\(device)/\(name)"
    try FileManager.default.createDirectory(atPath: Folder.parent(of: path), withIntermediateDirectories: true)
    try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: path))
  }

  func text(_ name: String) -> String? { SysfsFile.text(of: "\(device)/\(name)") }

  func add(_ octets: [UInt8]) { _ = octets.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } }

  /// Adds a scan in the form of `attributes`.
  func add(_ x: Int16, _ y: Int16, _ z: Int16, at nanoseconds: Int64) { add(Self.scan(x, y, z, at: nanoseconds)) }

  static func scan(_ x: Int16, _ y: Int16, _ z: Int16, at nanoseconds: Int64) -> [UInt8] {
    let axes = [x, y, z, 0].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    return axes + (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> (8 * $0)) }
  }

  /// The changes that add an accelerometer of 12 bits to the scan.
  static var withAccelerometer: [String: String] {
    var changes = ["in_accel_scale": "0.01", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "981"]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      changes["scan_elements/in_accel_\(axis)_en"] = "0"
      changes["scan_elements/in_accel_\(axis)_index"] = "\(index)"
      changes["scan_elements/in_accel_\(axis)_type"] = "be:s12/16>>4"
      changes["scan_elements/in_magn_\(axis)_index"] = "\(index + 4)"
    }
    changes["scan_elements/in_timestamp_index"] = "9"
    return changes
  }

  /// Returns a scan with 9.81 m/s² and a field of 20, -10 and 30 µT.
  static func scanWithAcceleration(at nanoseconds: Int64) -> [UInt8] {
    // 0, 0 and 981 of 12 bits, big-endian and shifted; 200, -100 and 300; padding up to the time.
    let octets: [UInt8] = [0, 0, 0, 0, 0x3D, 0x50, 200, 0, 0x9C, 0xFF, 0x2C, 0x01, 0, 0, 0, 0]
    return octets + (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> (8 * $0)) }
  }

  func remove() throws {
    try FileManager.default.removeItem(atPath: device)
    try FileManager.default.removeItem(atPath: fifo)
  }

  func loseCharacterDevice() throws { try FileManager.default.removeItem(atPath: fifo) }
}
