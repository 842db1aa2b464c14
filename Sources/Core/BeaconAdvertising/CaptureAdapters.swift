import Beacons

/// The adapters of a capture.
/// An adapter that a Linux monitor capture introduces is identified by its address, whatever its hciN; any other by its number there.
/// BlueZ, `struct btsnoop_opcode_new_index` and `btsnoop_opcode_index_info`.
struct CaptureAdapters {
  private(set) var roster = AdapterRoster()
  private var unused: Set<UInt16> = []
  /// The roster's number for each of the capture's numbers.
  private var numbers: [UInt16: UInt16] = [:]
  /// The adapter of the last lookup and the number for its sightings; most captures have only one adapter.
  private var last: (index: UInt16, number: UInt16?)?

  mutating func configure(_ settings: [AdapterSettings]) {
    roster.configure(settings)
    unused = roster.unused
    last = nil
  }

  /// Returns the number for the adapter's sightings; nil if the adapter is ignored.
  @inline(__always)  // a part of every event
  mutating func number(of index: UInt16) -> UInt16? {
    if let last, last.index == index { return last.number }
    return lookUp(index)
  }

  /// Returns the number in a capture that has one adapter and does not name it.
  @inline(__always)
  mutating func onlyNumber() -> UInt16 {
    if let number = last?.number { return number }
    let number = roster.number(of: "capture")
    last = (0, number)
    return number
  }

  @inline(never)
  private mutating func lookUp(_ index: UInt16) -> UInt16? {
    let number = numbers[index] ?? roster.number(of: "hci\(index)")
    assign(number, to: index)
    let counted = unused.contains(number) ? nil : number
    last = (index, counted)
    return counted
  }

  /// Takes a record that is not a packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    let index = UInt16(record.flags >> 16)
    let start = range.lowerBound
    switch BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) {
    case .newAdapter where range.count >= 16:
      let name = String(decoding: bytes.octets(start + 8..<start + 16).prefix { $0 != 0 }, as: UTF8.self)
      learn(bytes.octets(start + 2..<start + 8), name.isEmpty ? nil : name, of: index)
    case .adapterInformation where range.count >= 8: learn(bytes.octets(start..<start + 6), nil, of: index)
    case .deletedAdapter: forget(index)
    default: break
    }
  }

  /// Learns an adapter's name or address; the address is zero until the controller has been asked for it.
  private mutating func learn(_ octets: [UInt8], _ name: String?, of index: UInt16) {
    let address = BluetoothAddress(reversed: octets)
    guard let name = address.isZero ? name : address.description else { return }
    forget(index)
    assign(roster.number(of: name), to: index)
  }

  /// Remembers a number; adapters beyond a limit above that of any machine are looked up every time.
  private mutating func assign(_ number: UInt16, to index: UInt16) {
    if numbers.count < AdapterRoster.most { numbers[index] = number }
  }

  private mutating func forget(_ index: UInt16) {
    numbers[index] = nil
    last = nil
  }
}
