/// The adapters of a source: which number the sightings of each carry, and what the config says of it.
///
/// A number is one adapter's for as long as the source lives, wherever the adapter is plugged in meanwhile. So what was heard can be told
/// apart, and calibrated, by number alone, and a capture that names its adapters gives the same answer as the radio did.
public struct AdapterRoster: Sendable {
  /// More than any machine has. All that come after them share one number: a name is no reason to grow.
  public static let most = 64

  /// As the config has them, in its order.
  public private(set) var settings: [AdapterSettings] = []
  /// By number: an address, or what else an adapter is called whose address is not known.
  private var names: [String] = []

  public init(_ settings: [AdapterSettings] = []) {
    configure(settings)
  }

  /// Takes another config; numbers stay.
  public mutating func configure(_ settings: [AdapterSettings]) {
    self.settings = settings
    for adapter in settings { _ = number(of: adapter.address) }
  }

  /// Of an adapter that may be a new one.
  public mutating func number(of address: BluetoothAddress) -> UInt16 {
    number(of: address.description)
  }

  mutating func number(of name: String) -> UInt16 {
    if let number = names.firstIndex(of: name) { return UInt16(number) }
    guard names.count < Self.most else { return UInt16(Self.most) }
    names.append(name)
    return UInt16(names.count - 1)
  }

  /// Nil for a number that is nobody's, or everybody else's.
  public func name(of number: UInt16) -> String? { names.indices.contains(Int(number)) ? names[Int(number)] : nil }

  public func isUsed(_ address: BluetoothAddress) -> Bool { settings.first { $0.address == address }?.isUsed ?? true }

  /// The numbers of those that do not count.
  var unused: Set<UInt16> { numbers { !$0.isUsed } }

  /// By number, dB; those without an offset are not in it.
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
