import EventLoop
import Glibc
import Instants
import LocationArbitration
import Positioning

/// The accelerometer of this machine, read through industrial I/O of the kernel (Documentation/ABI/testing/sysfs-bus-iio).
public final class Accelerometer: MotionSensor {
  /// Called five times a second while the sensor is on.
  public var onSample: (Acceleration) -> Void = { _ in }
  private let folder: String
  private let loop: Loop
  private lazy var timer = loop.timer { [unowned self] in sample() }
  private static let interval = Span.milliseconds(200)

  /// Returns `nil` if the machine has no accelerometer, as most devices.
  ///
  /// - Parameter root: the folder of devices; another one in tests.
  public init?(_ loop: Loop, root: String = "/sys/bus/iio/devices") {
    guard let folder = Self.devices(in: root).first(where: { Self.value("in_accel_x_raw", in: $0) != nil }) else { return nil }
    self.folder = folder
    self.loop = loop
  }

  public var isOn = false {
    didSet { if isOn != oldValue { timer.arm(at: isOn ? loop.now : .never) } }
  }

  private func sample() {
    timer.arm(after: Self.interval)
    guard let x = axis("x"), let y = axis("y"), let z = axis("z") else { return }
    onSample(Acceleration(x: x, y: y, z: z))
  }

  /// Returns (raw + offset) × scale in m/s²; `nil` if the sensor was removed. Offset and scale can be per axis or common.
  private func axis(_ name: String) -> Double? {
    guard let raw = Self.value("in_accel_\(name)_raw", in: folder) else { return nil }
    func setting(_ setting: String) -> Double? {
      Self.value("in_accel_\(setting)", in: folder) ?? Self.value("in_accel_\(name)_\(setting)", in: folder)
    }
    return (raw + (setting("offset") ?? 0)) * (setting("scale") ?? 1)
  }

  /// Returns `iio:device0` and so on, sorted by name.
  private static func devices(in root: String) -> [String] {
    Folder.names(in: root).filter { $0.hasPrefix("iio:device") }.map { "\(root)/\($0)" }
  }

  private static func value(_ file: String, in folder: String) -> Double? {
    let raw = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: raw)
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor.number, &octets, octets.count)
    guard count > 0 else { return nil }
    return Double(String(decoding: octets.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self))
  }
}
