import EventLoop
import Glibc
import Headings

/// A sensor of a device that has several, such as the magnetometer of a chip with an accelerometer.
struct SensorPart: Hashable {
  let folder: String
  let quantity: IIOQuantity

  init(_ device: IIODevice, _ quantity: IIOQuantity) { (folder, self.quantity) = (device.folder, quantity) }
}

/// The devices of a machine that are used together.
struct SensorChoice: Hashable {
  let magnetometer: IIODevice
  let accelerometer: IIODevice?
  let gyroscope: IIODevice?

  /// Returns nil for a machine without a magnetometer.
  ///
  /// - Parameters:
  ///   - root: the folder of devices.
  ///   - records: the folder of udev's records, which have the places of accelerometers.
  ///   - failed: the sensors that did not work, the latest last; others are preferred.
  ///   - present: the magnetometer that is in use; it stays so while it exists.
  init?(in root: String, records: String, failed: [SensorPart] = [], keeping present: IIODevice? = nil) {
    let devices = IIODevice.all(in: root)
    let magnetometers = Self.sorted(devices, .field, failed)
    guard let magnetometer = magnetometers.first(where: { $0 == present }) ?? magnetometers.first else { return nil }
    self.magnetometer = magnetometer
    let others = Self.byPlace(devices, records: records)
    // The chip of the magnetometer itself has the same axes.
    accelerometer = Self.sorted([magnetometer] + others, .acceleration, failed).first
    gyroscope = Self.sorted([magnetometer] + others, .rotation, failed).first
  }

  /// Returns the devices with those in the display of a convertible first, and those in its base last.
  static func byPlace(_ devices: [IIODevice], records: String) -> [IIODevice] {
    let places = devices.map { $0.place(records: records).rawValue }
    return devices.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { devices[$0] }
  }

  /// Returns the devices that measure a quantity: those that have not failed, then those that failed the longest time ago.
  private static func sorted(_ all: [IIODevice], _ quantity: IIOQuantity, _ failed: [SensorPart]) -> [IIODevice] {
    let devices = all.filter { $0.has(quantity) }
    let ranks = devices.map { failed.lastIndex(of: SensorPart($0, quantity)) ?? -1 }
    return devices.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { devices[$0] }
  }

  var fieldPart: SensorPart { SensorPart(magnetometer, .field) }
  var accelerationPart: SensorPart? { accelerometer.map { SensorPart($0, .acceleration) } }

  /// Whether the magnetometer or the accelerometer is one of these.
  func uses(anyOf parts: [SensorPart]) -> Bool {
    parts.contains { $0 == fieldPart || $0 == accelerationPart }
  }

  /// The conversions of all sensors, and the reason why a gyroscope is not used.
  struct Conversions {
    var sensors: [IIOSensor] = []
    var remark: String?
  }

  /// Returns the conversions; the field is last, because its heading needs the others.
  ///
  /// A gyroscope with impossible settings is ignored, because it is not necessary.
  func conversions(_ sign: AccelerationSign) throws(IIOSensor.Refusal) -> Conversions {
    var conversions = Conversions()
    if let gyroscope {
      do throws(IIOSensor.Refusal) {
        conversions.sensors.append(try IIOSensor(gyroscope, .rotation))
      } catch {
        conversions.remark = "the gyroscope is not used: \(error.reason)"
      }
    }
    if let accelerometer { conversions.sensors.append(try IIOSensor(accelerometer, .acceleration, sign: sign)) }
    conversions.sensors.append(try IIOSensor(magnetometer, .field))
    return conversions
  }
}

/// The part of a convertible that an accelerometer is in.
private enum SensorPlace: Int {
  case display, unknown, base
}

extension IIODevice {
  /// Returns the part of a convertible that the device is in.
  ///
  /// It is stated by the driver's `label` (accel-display, accel-base), by `location` of a ChromeOS controller (lid, base), or by the
  /// property ACCEL_LOCATION of udev (display, base).
  fileprivate func place(records: String) -> SensorPlace {
    let texts = [text("label"), text("location"), text("dev").flatMap { Self.property("ACCEL_LOCATION", in: "\(records)/c\($0)") }]
    for case let text? in texts {
      switch text {
      case "accel-display", "display", "lid": return .display
      case "accel-base", "base": return .base
      default: break
      }
    }
    return .unknown
  }

  /// Returns the value of a property in a record of udev; nil if it has none.
  private static func property(_ name: String, in path: String) -> String? {
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: raw)
    var octets = [UInt8](repeating: 0, count: 16_384)
    let count = pread(descriptor.number, &octets, octets.count, 0)
    guard count > 0 else { return nil }
    let prefix = "E:\(name)="
    return String(decoding: octets.prefix(count), as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }
}
