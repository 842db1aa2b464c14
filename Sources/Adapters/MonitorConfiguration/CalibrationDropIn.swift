import Beacons
import Glibc
public import SignalCalibration

/// The drop-in with a calibration of the ranging, which leaves the main file and its comments as they are.
public struct CalibrationDropIn: Sendable {
  /// The name of the file in the folder of drop-ins.
  public static let name = "calibration.toml"
  /// The offsets that a config can have, in dB.
  private static let offsets = -40.0...40.0
  private static let exponents = 1.0...6.0

  /// The text of the file.
  public let text: String

  /// - Parameters:
  ///   - origin: A line for people about the measurement, without a line end.
  ///   - address: Returns the address of an adapter. The offset of a single adapter, or of one without an address, becomes that of all.
  public init(_ calibration: SignalCalibration, origin: String, address: (UInt16) -> BluetoothAddress?) {
    var lines = ["# Written by `beaconmon calibrate`, which replaces it as a whole.", "# \(origin)"]
    let offsets = calibration.adapters.sorted { $0.key < $1.key }
    let addresses = offsets.compactMap { address($0.key) }
    let listsAdapters = offsets.count > 1 && addresses.count == offsets.count
    let receiver = listsAdapters ? nil : offsets.first?.value
    if calibration.exponent != nil || receiver != nil {
      lines += ["", "[ranging]"]
      if let exponent = calibration.exponent {
        lines.append("path-loss-exponent = \(Self.text(exponent.value, in: Self.exponents, digits: 100))")
      }
      if let receiver { lines.append(Self.offset(receiver)) }
    }
    if listsAdapters {
      for (address, offset) in zip(addresses, offsets) {
        lines += ["", "[[adapter]]", "address = \"\(address)\"", Self.offset(offset.value)]
      }
    }
    for beacon in calibration.beacons {
      lines += [
        "", "[[beacon]]", "uuid = \"\(beacon.identity.uuid)\"", "major = \(beacon.identity.major)", "minor = \(beacon.identity.minor)",
        Self.offset(beacon.offset),
      ]
    }
    text = lines.map { $0 + "\n" }.joined()
  }

  private static func offset(_ estimate: Estimate) -> String { "rssi-offset = \(text(estimate.value, in: offsets, digits: 10))" }

  private static func text(_ value: Double, in range: ClosedRange<Double>, digits: Double) -> String {
    "\((min(max(value, range.lowerBound), range.upperBound) * digits).rounded() / digits + 0)"
  }

  /// Writes the file into the folder of drop-ins beside a config, unless the config would be invalid with it.
  ///
  /// The previous calibration is kept with the extension `old`, which is no drop-in.
  ///
  /// - Returns: The path of the file.
  public func write(beside main: String) throws(ConfigurationError) -> String {
    var files = try ConfigurationFiles(beside: main)
    let path = "\(files.folder)/\(Self.name)"
    files.add(dropIn: path)
    _ = try MergedConfiguration(files.texts(isOptional: true, replacing: (path, text))).document()
    guard mkdir(files.folder, 0o755) == 0 || errno == EEXIST else { throw .unwritable(file: files.folder, code: errno) }
    if access(path, F_OK) == 0 { try ConfigurationFile.replace("\(path).old", with: ConfigurationFile.text(of: path)) }
    try ConfigurationFile.replace(path, with: text)
    return path
  }
}
