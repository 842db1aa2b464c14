import Beacons
import Diagnostics

extension FleetMessage {
  private static let version: Int64 = 1
  /// The largest number that a double of JSON and JavaScript holds exactly.
  static let largestNumber: Int64 = 1 << 53
  /// The end of the year 9999 in milliseconds.
  static let latestTime: Int64 = 253_402_300_799_999
  /// The largest number of items in an array of fixed meaning, for those that a later version adds.
  static let mostItems = 16

  /// Decodes a message, and skips items that a later version has added to the end of an array.
  public init(_ octets: [UInt8]) throws(FleetMessageError) {
    guard octets.count <= Self.maximumSize else { throw .tooLong(octets.count) }
    var reader = CBORReader(octets)
    let count = try reader.array(atLeast: 7, upTo: Self.mostItems)
    let version = try reader.unsigned(upTo: .max)
    guard version == Self.version else { throw .unknownVersion(version) }
    let begin = reader.offset
    guard let stream = Stream(rawValue: UInt8(try reader.unsigned(upTo: 255))) else { throw .outOfRange(at: begin) }
    let journal = try reader.words()
    let sequence = try reader.integer(in: 1...Self.largestNumber)
    let floor = try reader.integer(in: 0...sequence)
    let time = try reader.unsigned(upTo: Self.latestTime)
    let body: Body =
      switch stream {
      case .events: .event(json: try reader.text(upTo: Self.maximumEventSize))
      case .digests: .digest(try Self.sightings(&reader))
      case .reports: .report(try DeviceReport(&reader))
      case .sharing: .share(try ShareMessage(&reader))
      }
    for _ in 7..<count { try reader.skip() }
    guard reader.isAtEnd else { throw .trailingOctets(at: reader.offset) }
    self.init(
      journal: StreamJournal(high: journal.high, low: journal.low), sequence: sequence, floor: floor, time: time, body: body)
  }

  /// Whether octets are an event. The first two items of a message are the version and the stream in every version.
  public static func isEvent(_ octets: [UInt8]) -> Bool {
    var reader = CBORReader(octets)
    do throws(FleetMessageError) {
      _ = try reader.array(atLeast: 2, upTo: mostItems)
      _ = try reader.unsigned(upTo: .max)
      return try reader.unsigned(upTo: 255) == Int64(Stream.events.rawValue)
    } catch {
      return false
    }
  }

  private static func sightings(_ reader: inout CBORReader) throws(FleetMessageError) -> [FleetSighting] {
    let count = try reader.array(upTo: maximumSightings)
    var sightings: [FleetSighting] = []
    sightings.reserveCapacity(count)
    for _ in 0..<count {
      let items = try reader.array(atLeast: 7, upTo: mostItems)
      let uuid = try reader.words()
      let major = UInt16(try reader.unsigned(upTo: 0xFFFF))
      let minor = UInt16(try reader.unsigned(upTo: 0xFFFF))
      let level = Int(try reader.integer(in: -128...20))
      let distance = reader.null() ? nil : Int(try reader.unsigned(upTo: 1_000_000))
      let rate = Int(try reader.unsigned(upTo: 0xFFFF))
      let age = Int(try reader.unsigned(upTo: 0xFFFF))
      for _ in 7..<items { try reader.skip() }
      let beacon = BeaconIdentity(uuid: BeaconUUID(high: uuid.high, low: uuid.low), major: major, minor: minor)
      sightings.append(FleetSighting(beacon: beacon, level: level, distance: distance, rate: rate, age: age))
    }
    return sightings
  }

  /// The octets of the message. Values beyond a limit are brought to it, and surplus sightings and problems are left out.
  public var octets: [UInt8] {
    var writer = CBORWriter()
    writer.array(7)
    writer.integer(Self.version)
    writer.integer(Int64(stream.rawValue))
    writer.words(journal.high, journal.low)
    writer.integer(sequence)
    writer.integer(min(floor, sequence))
    writer.integer(min(max(time, 0), Self.latestTime))
    switch body {
    case .event(let json): writer.text(json)
    case .digest(let sightings):
      writer.array(min(sightings.count, Self.maximumSightings))
      for sighting in sightings.prefix(Self.maximumSightings) { sighting.write(to: &writer) }
    case .report(let report): report.write(to: &writer)
    case .share(let share): share.write(to: &writer)
    }
    return writer.octets
  }
}

extension FleetSighting {
  fileprivate func write(to writer: inout CBORWriter) {
    writer.array(7)
    writer.words(beacon.uuid.high, beacon.uuid.low)
    writer.integer(Int64(beacon.major))
    writer.integer(Int64(beacon.minor))
    writer.integer(Int64(min(max(level, -128), 20)))
    writer.optional(distance.map { Int64(min(max($0, 0), 1_000_000)) })
    writer.integer(Int64(min(max(rate, 0), 0xFFFF)))
    writer.integer(Int64(min(max(age, 0), 0xFFFF)))
  }
}

extension DeviceReport {
  fileprivate init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let items = try reader.array(atLeast: 7, upTo: 16)
    // The texts are shown to people, and PostgreSQL refuses a zero octet.
    version = try reader.text(upTo: 64).printableLine
    revision = try reader.unsigned(upTo: 1 << 53)
    let begin = reader.offset
    configuration = reader.null() ? nil : try reader.octets(upTo: 32)
    guard configuration.map({ $0.count == 32 }) ?? true else { throw .outOfRange(at: begin) }
    freeSpace = reader.null() ? nil : try reader.unsigned(upTo: .max)
    droppedDigests = try reader.unsigned(upTo: 1 << 53)
    isClockSynchronised = try reader.optionalBool()
    (problems, acknowledged) = ([], [])
    for _ in 0..<(try reader.array(upTo: Self.maximumProblems)) { problems.append(try reader.text(upTo: 128).printableLine) }
    // A version without messages of the hub sends seven items.
    if items > 7 {
      for _ in 0..<(try reader.array(upTo: Self.maximumAcknowledged)) {
        acknowledged.append(try reader.integer(in: 1...FleetMessage.largestNumber))
      }
    }
    // A version without rollouts sends eight items.
    if items > 8, !reader.null() { rollout = try RolloutReport(&reader) }
    for _ in min(9, items)..<items { try reader.skip() }
  }

  fileprivate func write(to writer: inout CBORWriter) {
    writer.array(9)
    writer.text(version.prefix(octets: 64))
    writer.integer(max(revision, 0))
    if let configuration, configuration.count == 32 { writer.octets(configuration) } else { writer.null() }
    writer.optional(freeSpace.map { max($0, 0) })
    writer.integer(max(droppedDigests, 0))
    writer.optional(isClockSynchronised)
    writer.array(min(problems.count, Self.maximumProblems))
    for problem in problems.prefix(Self.maximumProblems) { writer.text(problem.prefix(octets: 128)) }
    writer.array(min(acknowledged.count, Self.maximumAcknowledged))
    for number in acknowledged.prefix(Self.maximumAcknowledged) { writer.integer(number) }
    if let rollout { rollout.write(to: &writer) } else { writer.null() }
  }
}

extension CBORReader {
  mutating func array(atLeast least: Int, upTo limit: Int) throws(FleetMessageError) -> Int {
    let begin = offset
    let count = try array(upTo: limit)
    guard count >= least else { throw .outOfRange(at: begin) }
    return count
  }
}

extension String {
  /// Returns the longest beginning of whole characters that has at most `count` octets.
  func prefix(octets count: Int) -> String {
    var result = ""
    for character in self {
      guard result.utf8.count + character.utf8.count <= count else { break }
      result.append(character)
    }
    return result
  }
}
