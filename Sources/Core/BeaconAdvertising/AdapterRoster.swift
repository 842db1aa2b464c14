import Beacons

/// The adapters of a source: the number in the sightings of each, and its configuration.
///
/// A number belongs to one adapter for the lifetime of the source, wherever the adapter is plugged in. Sightings can therefore be told
/// apart, and calibrated, by number alone. A capture that names its adapters gives the same result as the live radio.
public struct AdapterRoster: Sendable {
  /// A limit above the number of adapters of any machine.
  /// All adapters beyond it share one number, so that new names cannot grow the roster without bound.
  public static let most = 64

  /// The configured adapters, in the order of the configuration.
  public private(set) var settings: [AdapterSettings] = []
  /// The adapter's address for each number, or another name if the address is unknown.
  private var names: [String] = []

  public init(_ settings: [AdapterSettings] = []) {
    configure(settings)
  }

  /// Replaces the configuration; numbers are unchanged.
  public mutating func configure(_ settings: [AdapterSettings]) {
    self.settings = settings
    for adapter in settings { _ = number(of: adapter.address) }
  }

  /// Returns the number of an adapter; a new adapter gets a new number.
  public mutating func number(of address: BluetoothAddress) -> UInt16 {
    number(of: address.description)
  }

  mutating func number(of name: String) -> UInt16 {
    if let number = names.firstIndex(of: name) { return UInt16(number) }
    guard names.count < Self.most else { return UInt16(Self.most) }
    names.append(name)
    return UInt16(names.count - 1)
  }

  /// Gives sightings of another source the numbers of this roster. An adapter without an address keeps its number.
  public mutating func renumber(_ sightings: inout [Sighting], of other: AdapterRoster) {
    for index in sightings.indices {
      if let address = other.address(of: sightings[index].adapter) { sightings[index].adapter = number(of: address) }
    }
  }

  /// Returns the adapter's name, or nil for an unassigned number and for the shared number.
  public func name(of number: UInt16) -> String? { names.indices.contains(Int(number)) ? names[Int(number)] : nil }

  /// Returns the adapter's address; nil if it is unknown.
  public func address(of number: UInt16) -> BluetoothAddress? { name(of: number).flatMap { BluetoothAddress($0) } }

  public func isUsed(_ address: BluetoothAddress) -> Bool { settings.first { $0.address == address }?.isUsed ?? true }

  /// The numbers of the ignored adapters.
  var unused: Set<UInt16> { numbers { !$0.isUsed } }

  /// The numbers of the adapters whose offset is configured.
  public var calibrated: Set<UInt16> { numbers(where: \.isCalibrated) }

  /// The offset in dB of an adapter; zero for one without an offset.
  public func rssiOffset(of number: UInt16) -> Double {
    guard let name = name(of: number) else { return 0 }
    return settings.first { $0.address.description == name }?.rssiOffset ?? 0
  }

  /// The offsets in dB by number; adapters without an offset are absent.
  public var rssiOffsets: [UInt16: Double] {
    var offsets: [UInt16: Double] = [:]
    for (number, name) in names.enumerated() {
      guard let adapter = settings.first(where: { $0.address.description == name }), adapter.rssiOffset != 0 else { continue }
      offsets[UInt16(number)] = adapter.rssiOffset
    }
    return offsets
  }

  private func numbers(where condition: (AdapterSettings) -> Bool) -> Set<UInt16> {
    let addresses = Set(settings.filter(condition).map(\.address.description))
    return Set(names.indices.filter { addresses.contains(names[$0]) }.map { UInt16($0) })
  }
}

/// The configuration of one adapter.
public struct AdapterSettings: Hashable, Sendable {
  public var address: BluetoothAddress
  /// Whether the adapter is used; if false, its sightings are ignored and it is not asked to scan.
  public var isUsed: Bool
  /// The offset in dB that is added to the adapter's RSSI: positive for an adapter that is less sensitive than the others.
  public var rssiOffset: Double
  /// Whether the configuration states the offset, zero or not, so that the level of the adapter is known.
  public var isCalibrated: Bool

  public init(address: BluetoothAddress, isUsed: Bool = true, rssiOffset: Double = 0, isCalibrated: Bool = false) {
    self.address = address
    self.isUsed = isUsed
    self.rssiOffset = rssiOffset
    self.isCalibrated = isCalibrated
  }
}
