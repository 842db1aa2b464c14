import Instants

extension BeaconRoomFilter {
  private static let versionOfOffsets: UInt8 = 1
  /// The octets of a site whose first hour is not over.
  private static let versionOfGuess: UInt8 = 2

  /// The learned offsets and levels of the devices, for the database.
  ///
  /// After the first hour they are the levels, which contain the offsets. Those of the 16 devices that are loudest near each one have 13
  /// octets each. Before, they are the guess of the offsets, with at most 14 octets of each device.
  public var offsets: [UInt8] {
    var writer = StateWriter()
    guard site.isSettled else {
      writeGuess(to: &writer)
      return writer.octets
    }
    writer.append(Self.versionOfOffsets)
    for cell in site.devices.indices {
      let first = site.devices[cell]
      let loudest = site.devices.indices.map { Int32($0) }.sorted {
        (site.levels[Int32(cell), $0].mean, $1) > (site.levels[Int32(cell), $1].mean, $0)
      }.prefix(RoomLevels.mostStored)
      for slot in loudest {
        let level = site.levels[Int32(cell), slot]
        writer.append(first.device.id)
        writer.append(site.devices[Int(slot)].device.id)
        writer.append(hundredths: level.mean)
        writer.append(hundredths: level.variance)
        writer.append(UInt8(clamping: level.count))
      }
    }
    return writer.octets
  }

  /// Continues with learned levels, or with a first hour.
  ///
  /// Devices that the site no longer has are left out. Throws if the octets are damaged; the filter is then unchanged.
  public mutating func restore(offsets octets: [UInt8]) throws(RoomStateError) {
    var reader = StateReader(octets)
    let version = try reader.next(UInt8.self)
    guard version != Self.versionOfGuess else { return try restoreGuess(from: &reader, size: octets.count) }
    guard version == Self.versionOfOffsets else { throw .unknownVersion(version) }
    var levels = site.levels
    while reader.offset < octets.count {
      let (first, slot) = (site.slots[try reader.next(Int32.self)], site.slots[try reader.next(Int32.self)])
      let mean = try reader.hundredths(in: RoomLevels.means)
      let variance = try reader.hundredths(in: RoomLevels.variances)
      let count = UInt16(try reader.next(UInt8.self))
      guard let first, let slot else { continue }
      levels[first, slot] = RoomLevels.Level(mean: mean, variance: variance, count: count)
    }
    if octets.count > 1 { site.settle(levels) }
  }

  /// Writes the time that is left of the first hour, and the loudest beacons of each device without their identities.
  private func writeGuess(to writer: inout StateWriter) {
    guard let left = site.guessTimeLeft else { return writer.append(Self.versionOfOffsets) }
    writer.append(Self.versionOfGuess)
    writer.append(UInt32(clamping: left / 1000))
    for record in site.devices {
      let entries = record.loudest?.entries ?? []
      writer.append(record.device.id)
      writer.append(UInt8(entries.count))
      for entry in entries {
        writer.append(entry.mark)
        writer.append(hundredths: entry.level)
      }
    }
  }

  private mutating func restoreGuess(from reader: inout StateReader, size: Int) throws(RoomStateError) {
    let left = Int64(try reader.next(in: 0...UInt32(RoomSite.longestGuess / 1000))) * 1000
    var loudest: [Int32: LoudestBeacons] = [:]
    while reader.offset < size {
      let slot = site.slots[try reader.next(Int32.self)]
      var entries: [LoudestBeacons.Entry] = []
      for _ in 0..<(try reader.next(in: 0...UInt8(LoudestBeacons.most))) {
        let mark = try reader.next(UInt8.self)
        entries.append(LoudestBeacons.Entry(beacon: nil, mark: mark, level: try reader.hundredths(in: Self.levels)))
      }
      if let slot { loudest[slot] = LoudestBeacons(entries) }
    }
    site.resume(guessTime: left, loudest)
  }
}
