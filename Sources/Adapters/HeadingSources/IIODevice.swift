import EventLoop
import Glibc
import Headings

/// A device of industrial I/O in the kernel (Documentation/ABI/testing/sysfs-bus-iio).
struct IIODevice: Hashable, Sendable {
  let folder: String
  /// The name of the driver or chip.
  let label: String

  /// Returns the devices of a root such as `/sys/bus/iio/devices`, sorted by name.
  static func all(in root: String) -> [IIODevice] {
    Folder.names(in: root).filter { $0.hasPrefix("iio:device") }.map { name in
      let folder = "\(root)/\(name)"
      return IIODevice(folder: folder, label: SysfsFile.text(of: "\(folder)/name") ?? name)
    }
  }

  /// The name of the device file, such as `iio:device0`, which may be another one after the next start.
  var name: String { String(folder[(folder.lastIndex(of: "/").map { folder.index(after: $0) } ?? folder.startIndex)...]) }

  /// A name that stays the same: the chip, and its place on its bus as far as it is known.
  var identity: String {
    var octets = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(folder, &octets, octets.count - 1)
    guard count > 0 else { return label }
    let path = String(decoding: octets.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parent = path.split(separator: "/").dropLast().last.map(String.init)
    return parent.map { "\(label) \($0)" } ?? label
  }

  func has(_ quantity: IIOQuantity) -> Bool { access("\(folder)/in_\(quantity.rawValue)_x_raw", F_OK) == 0 }

  func number(_ file: String) -> Double? { SysfsFile.number(in: "\(folder)/\(file)") }

  func text(_ file: String) -> String? { SysfsFile.text(of: "\(folder)/\(file)") }
}

/// A quantity with three axes, as the kernel names it.
enum IIOQuantity: String, Sendable, CaseIterable {
  case field = "magn"
  case acceleration = "accel"
  case rotation = "anglvel"

  /// The factor from the kernel's unit, which is gauss for a field, to µT, m/s² or rad/s.
  var unit: Double { self == .field ? 100 : 1 }

  static let axes = ["x", "y", "z"]

  /// The order of samples of the same time: the heading of a field needs the others.
  var order: Int { self == .rotation ? 0 : self == .acceleration ? 1 : 2 }
}

/// The conversion of the three axes of a device to the frame of the machine.
struct IIOSensor: Sendable {
  /// The reason why a sensor cannot be used.
  struct Refusal: Error, Hashable {
    let part: SensorPart
    let reason: String
  }

  let device: IIODevice
  let quantity: IIOQuantity
  private let scale: SpaceVector
  private let offset: SpaceVector
  private let matrix: SpaceMatrix

  /// - Parameter sign: that of accelerations.
  init(_ device: IIODevice, _ quantity: IIOQuantity, sign: AccelerationSign = .auto) throws(Refusal) {
    self.device = device
    self.quantity = quantity
    let kind = "in_\(quantity.rawValue)"
    func settings(_ name: String, _ missing: Double) -> SpaceVector {
      let common = device.number("\(kind)_\(name)")
      return SpaceVector(IIOQuantity.axes.map { device.number("\(kind)_\($0)_\(name)") ?? common ?? missing })
    }
    let scale = settings("scale", 1) * quantity.unit
    guard scale.x != 0, scale.y != 0, scale.z != 0 else {
      throw Refusal(part: SensorPart(device, quantity), reason: "the scale of \(device.label) is zero")
    }
    var matrix = SpaceMatrix.identity
    if let text = device.text("\(kind)_mount_matrix") ?? device.text("in_mount_matrix") ?? device.text("mount_matrix") {
      guard let numbers = Self.numbers(text) else {
        throw Refusal(part: SensorPart(device, quantity), reason: "the mount matrix of \(device.label) is not nine numbers")
      }
      guard let known = SpaceMatrix(rowMajor: numbers) else {
        throw Refusal(part: SensorPart(device, quantity), reason: "the mount matrix of \(device.label) cannot be inverted")
      }
      matrix = known
    }
    let isNegative =
      switch sign {
      case .auto: device.isHub || matrix != .identity && device.isOfACPI
      case .positive: false
      case .negative: true
      }
    if quantity == .acceleration, isNegative {
      guard let turned = SpaceMatrix(rowMajor: matrix.rowMajor.map { -$0 }) else {
        throw Refusal(part: SensorPart(device, quantity), reason: "the mount matrix is invalid")
      }
      matrix = turned
    }
    (self.scale, offset, self.matrix) = (scale, settings("offset", 0), matrix)
  }

  /// Parses `1, 0, 0; 0, 1, 0; 0, 0, 1`.
  static func numbers(_ text: String) -> [Double]? {
    let numbers = text.split { ",; \t".contains($0) }.map { Double($0) }
    return numbers.count == 9 && numbers.allSatisfy { $0 != nil } ? numbers.compactMap(\.self) : nil
  }

  /// Returns the quantity in the frame of the machine; raw values are those of the kernel.
  func converted(_ raw: SpaceVector) -> SpaceVector { matrix * ((raw + offset) * scale) }
}

// The sign of an acceleration.
//
// A chip reports the force that holds it: +9.8 m/s² along the axis that points up. The kernel demands the same after its mount matrix,
// "9.81 m/s^2 upwards along the (z) axis, i.e. out of the screen" (Documentation/devicetree/bindings/iio/mount-matrix.txt), which is the
// convention of device trees. Windows demands -1 g for a device that lies face up, as iio-sensor-proxy does, and so do the matrices that
// manufacturers state in ACPI for its drivers, and the firmware of HID sensor hubs. Some drivers follow neither, so the configuration can
// state the sign.
extension IIODevice {
  /// Whether the device is one of a HID sensor hub, such as `magn_3d`.
  fileprivate var isHub: Bool { label.hasSuffix("_3d") }

  /// Whether ACPI describes the device, as on a PC, and no device tree.
  fileprivate var isOfACPI: Bool { access("\(folder)/../firmware_node", F_OK) == 0 && access("\(folder)/../of_node", F_OK) != 0 }
}

extension SpaceVector {
  /// - Parameter values: three numbers.
  init(_ values: [Double]) {
    self.init(values[0], values[1], values[2])
  }
}
