extension SurveyedPlaces {
  /// A later version may form other places of the same walk, and has another number then.
  private static let version: UInt8 = 1
  /// The largest correction of a level in dB. Greater ones are damage: a device that differs so much hangs elsewhere.
  private static let corrections: ClosedRange<Float> = -30...30

  /// Returns what beacons have taught a room for the database, with at most 490 octets.
  ///
  /// These are the samples of each place, and the differences to the survey for each device. They have no meaning without this survey.
  func octets(ofRoom room: Int, devices: [DeviceRecord]) -> [UInt8] {
    var writer = StateWriter()
    writer.append(Self.version)
    for place in 0..<8 { writer.append(UInt8(clamping: Int(rooms[room].counts[place]))) }
    writer.append(UInt8(clamping: rooms[room].listeners.count))
    for listener in rooms[room].listeners {
      writer.append(devices[Int(listener.slot)].device.id)
      let corrections = (listener.means - listener.surveyed).clamped(
        lowerBound: SIMD8(repeating: Self.corrections.lowerBound), upperBound: SIMD8(repeating: Self.corrections.upperBound))
      for place in 0..<8 { writer.append(hundredths: corrections[place]) }
    }
    return writer.octets
  }

  /// Continues with what beacons have taught a room. Throws if the octets are damaged; the room is then unchanged.
  ///
  /// Returns false, and changes nothing, if the places are those of other devices: one was moved, removed or added since.
  mutating func restore(_ octets: [UInt8], ofRoom room: Int, devices: [DeviceRecord]) throws(RoomStateError) -> Bool {
    var reader = StateReader(octets)
    let version = try reader.next(UInt8.self)
    guard version == Self.version else { throw .unknownVersion(version) }
    var restored = rooms[room]
    for place in 0..<8 { restored.counts[place] = Float(try reader.next(in: 0...UInt8(Self.mostCount))) }
    let count = Int(try reader.next(UInt8.self))
    var fits = count == restored.listeners.count
    for index in 0..<count {
      let device = try reader.next(Int32.self)
      fits = fits && devices[Int(restored.listeners[index].slot)].device.id == device
      for place in 0..<8 {
        let begin = reader.offset
        let correction = try reader.hundredths(in: Self.corrections)
        guard fits else { continue }
        let mean = restored.listeners[index].surveyed[place] + correction
        // Half a hundredth is lost by writing. Without a sample there is no correction.
        let limits = RoomLevels.means
        guard limits.lowerBound - 0.01...limits.upperBound + 0.01 ~= mean, correction == 0 || restored.counts.max() > 0 else {
          throw .outOfRange(at: begin)
        }
        restored.listeners[index].means[place] = Swift.max(limits.lowerBound, Swift.min(limits.upperBound, mean))
      }
    }
    try reader.end()
    guard fits else { return false }
    rooms[room] = restored
    return true
  }
}

extension BeaconRoomFilter {
  /// Returns what beacons have taught the surveyed rooms since the call before, for the database.
  public mutating func takeCorrections() -> [String: [UInt8]] {
    guard var places = site.places else { return [:] }
    var corrections: [String: [UInt8]] = [:]
    for room in places.rooms.indices where places.rooms[room].hasNews {
      corrections[site.rooms[room]] = places.octets(ofRoom: room, devices: site.devices)
      places.rooms[room].hasNews = false
    }
    site.places = places
    return corrections
  }

  /// Continues with what beacons have taught a surveyed room.
  ///
  /// Returns false, and changes nothing, if the octets are those of other devices. Throws if they are damaged; the room then begins with
  /// its survey.
  public mutating func restore(corrections octets: [UInt8], ofRoom name: String) throws(RoomStateError) -> Bool {
    guard let room = site.rooms.firstIndex(of: name) else { return false }
    return try site.places?.restore(octets, ofRoom: room, devices: site.devices) ?? false
  }
}
