extension RoomSurvey {
  private static let version: UInt8 = 1
  /// The largest number of octets of a survey that is read.
  ///
  /// An earlier version stored as many for the longest walk through a site of the largest size.
  public static let mostOctets = 1 << 20
  /// The octet of a sample without the tag: no receiver reports this level.
  private static let unheard = Int8.min

  /// The survey for the database. A sample has three octets.
  public var octets: [UInt8] {
    var writer = StateWriter()
    writer.append(Self.version)
    writer.append(text: room)
    writer.append(UInt16(clamping: seconds))
    writer.append(UInt8(clamping: doors.count))
    for door in doors.prefix(Int(UInt8.max)) { writer.append(text: door) }
    writer.append(UInt16(clamping: listeners.count))
    for listener in listeners.prefix(Int(UInt16.max)) {
      writer.append(listener.device)
      writer.append(text: listener.room)
      let samples = listener.samples.prefix(Int(UInt16.max))
      writer.append(UInt16(samples.count))
      for sample in samples {
        writer.append(sample.time)
        writer.append(sample.level ?? Self.unheard)
      }
    }
    return writer.octets
  }

  /// Reads a survey from the database. Throws if the octets are damaged.
  ///
  /// An earlier version may have stored more samples, of which the survey has a part.
  public init(octets: [UInt8]) throws(RoomStateError) {
    guard octets.count <= Self.mostOctets else { throw .wrongLength(octets.count) }
    var reader = StateReader(octets)
    let version = try reader.next(UInt8.self)
    guard version == Self.version else { throw .unknownVersion(version) }
    let room = try reader.text()
    let seconds = Int(try reader.next(in: UInt16(0)...UInt16(Self.longest)))
    var doors: [String] = []
    for _ in 0..<(try reader.next(UInt8.self)) { doors.append(try reader.text()) }
    var listeners: [Listener] = []
    for _ in 0..<(try reader.next(UInt16.self)) {
      var listener = Listener(device: try reader.next(Int32.self), room: try reader.text())
      for _ in 0..<(try reader.next(UInt16.self)) {
        let time = try reader.next(in: 0...UInt16(seconds * 10))
        let level = try reader.next(in: Self.unheard...20)
        listener.samples.append(Sample(time: time, level: level == Self.unheard ? nil : level))
      }
      listeners.append(listener)
    }
    try reader.end()
    self = RoomSurvey(room: room, doors: doors, seconds: seconds, listeners: listeners).limited
  }
}
