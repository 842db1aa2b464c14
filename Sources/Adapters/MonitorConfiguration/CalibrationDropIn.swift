import BeaconAdvertising
public import Beacons
import Glibc
import Ranging
import RealModule
public import SignalCalibration

/// The drop-in with a calibration of the ranging, which leaves the main file and its comments as they are.
public struct CalibrationDropIn: Sendable {
  /// The name of the file in the folder of drop-ins.
  public static let name = "calibration.toml"
  /// The offsets that a config can have, in dB.
  private static let offsets = -40.0...40.0
  private static let exponents = 1.0...6.0

  /// The path of the file.
  public let path: String
  /// The beacons of the previous calibration that this one has not measured, whose offsets it keeps.
  public private(set) var kept: [BeaconIdentity] = []

  private let main: String
  private let origin: String
  private let writer: String
  private var exponent: Double?
  private var receiver: Double?
  private var adapters: [BluetoothAddress: Double] = [:]
  private var beacons: [BeaconIdentity: Double] = [:]

  /// Combines a calibration with the previous one beside a config: values that only the previous one has measured stay.
  ///
  /// - Parameters:
  ///   - main: The path of the config.
  ///   - configured: The adapters of the config.
  ///   - writer: The command for people.
  ///   - origin: A line for people about the measurement, without a line end.
  ///   - common: The current offset of all adapters, which stays because some were not measured; nil if all were.
  ///   - address: Returns the address of an adapter. The offset of a single adapter, or of one without an address, becomes that of all.
  public init(
    _ calibration: CalibrationOffsets, beside main: String, configured: [BluetoothAddress], origin: String,
    by writer: String = "`beaconmon calibrate`", common: Double? = nil, address: (UInt16) -> BluetoothAddress?
  ) throws(ConfigurationError) {
    (self.main, self.origin, self.writer) = (main, origin, writer)
    path = try "\(ConfigurationFiles(beside: main).folder)/\(Self.name)"
    if access(path, F_OK) == 0 { try keepPrevious() }
    exponent = calibration.exponent ?? exponent
    let offsets = calibration.adapters.sorted { $0.key < $1.key }
    let addresses = offsets.compactMap { address($0.key) }
    // Offsets of all adapters and of one add up.
    if let common, addresses.count == offsets.count {
      for (address, offset) in zip(addresses, offsets) { adapters[address] = offset.value - common }
    } else if offsets.count > 1, addresses.count == offsets.count {
      receiver = 0
      for (address, offset) in zip(addresses, offsets) { adapters[address] = offset.value }
    } else if let offset = offsets.first {
      receiver = offset.value
      for address in configured { adapters[address] = 0 }
    }
    for (beacon, offset) in calibration.beacons { beacons[beacon] = offset }
    kept = beacons.keys.filter { calibration.beacons[$0] == nil }.sorted()
  }

  private mutating func keepPrevious() throws(ConfigurationError) {
    let previous = try MergedConfiguration([(path, ConfigurationFile.text(of: path))]).document().configuration
    let model = previous.ranging.model
    if model != PathLossModel() { exponent = Double.log(10) / (10 * model.slope) }
    if previous.ranging.isCalibrated { receiver = previous.ranging.rssiOffset }
    for adapter in previous.adapters where adapter.isCalibrated { adapters[adapter.address] = adapter.rssiOffset }
    beacons = previous.ranging.beaconOffsets
  }

  /// The text of the file.
  public var text: String {
    var lines = ["# Written by \(writer).", "# \(origin)"]
    if exponent != nil || receiver != nil { lines += ["", "[ranging]"] }
    if let exponent { lines.append("path-loss-exponent = \(Self.text(exponent, in: Self.exponents, digits: 100))") }
    if let receiver { lines.append(Self.offset(receiver)) }
    for (address, offset) in adapters.sorted(by: { $0.key.description < $1.key.description }) {
      lines += ["", "[[adapter]]", "address = \"\(address)\"", Self.offset(offset)]
    }
    for (beacon, offset) in beacons.sorted(by: { $0.key < $1.key }) {
      lines += [
        "", "[[beacon]]", "uuid = \"\(beacon.uuid)\"", "major = \(beacon.major)", "minor = \(beacon.minor)", Self.offset(offset),
      ]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func offset(_ value: Double) -> String { "rssi-offset = \(text(value, in: offsets, digits: 10))" }

  private static func text(_ value: Double, in range: ClosedRange<Double>, digits: Double) -> String {
    "\((min(max(value, range.lowerBound), range.upperBound) * digits).rounded() / digits + 0)"
  }

  /// Writes the file into the folder of drop-ins, unless the config would be invalid with it, or would have other values.
  ///
  /// The previous file is kept with the extension `old`, which is not a drop-in.
  public func write() throws(ConfigurationError) {
    var files = try ConfigurationFiles(beside: main)
    files.add(dropIn: path)
    let result = try MergedConfiguration(files.texts(isOptional: true, replacing: (path, text))).document().configuration
    let own = try MergedConfiguration([(path, text)]).document().configuration.ranging
    let isOverridden =
      own.beaconOffsets.contains { result.ranging.beaconOffsets[$0.key] != $0.value }
      || receiver != nil && result.ranging.rssiOffset != own.rssiOffset || exponent != nil && result.ranging.model != own.model
    guard !isOverridden else {
      throw .invalid([
        ConfigurationProblem(
          file: path, line: nil, column: nil,
          message: "a drop-in with a later name has other offsets or another exponent; remove them there")
      ])
    }
    guard mkdir(files.folder, 0o755) == 0 || errno == EEXIST else { throw .unwritable(file: files.folder, code: errno) }
    if access(path, F_OK) == 0 { try ConfigurationFile.replace("\(path).old", with: ConfigurationFile.text(of: path)) }
    try ConfigurationFile.replace(path, with: text)
  }
}
