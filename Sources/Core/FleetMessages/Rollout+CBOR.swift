extension SignedRollout {
  private static let format: Int64 = 1

  /// Decodes the octets without verifying the signature, and skips items that a later version has added to the end.
  public init(_ octets: [UInt8]) throws(FleetMessageError) {
    guard octets.count <= HubMessage.maximumPayloadSize else { throw .outOfRange(at: 0) }
    var reader = CBORReader(octets)
    let items = try reader.array(atLeast: 3, upTo: FleetMessage.mostItems)
    let version = try reader.unsigned(upTo: .max)
    guard version == Self.format else { throw .unknownVersion(version) }
    envelope = try reader.octets(upTo: HubMessage.maximumPayloadSize)
    let begin = reader.offset
    signature = try reader.octets(upTo: Self.signatureSize)
    guard signature.count == Self.signatureSize else { throw .outOfRange(at: begin) }
    for _ in 3..<items { try reader.skip() }
    guard reader.isAtEnd else { throw .trailingOctets(at: reader.offset) }
  }

  /// The octets, which a reader refuses if they are more than 28,672.
  public var octets: [UInt8] {
    var writer = CBORWriter()
    writer.array(3)
    writer.integer(Self.format)
    writer.octets(envelope)
    writer.octets(signature)
    return writer.octets
  }
}

extension Rollout {
  private static let version: Int64 = 1

  /// Decodes an envelope, and skips items that a later version has added to the end of an array.
  public init(_ octets: [UInt8]) throws(FleetMessageError) {
    guard octets.count <= HubMessage.maximumPayloadSize else { throw .outOfRange(at: 0) }
    var reader = CBORReader(octets)
    let items = try reader.array(atLeast: 6, upTo: FleetMessage.mostItems)
    let version = try reader.unsigned(upTo: .max)
    guard version == Self.version else { throw .unknownVersion(version) }
    revision = try reader.integer(in: 1...FleetMessage.largestNumber)
    created = try reader.unsigned(upTo: FleetMessage.latestTime)
    audience = []
    for _ in 0..<(try reader.array(atLeast: 1, upTo: Self.mostAudience)) {
      let begin = reader.offset
      guard let entry = RolloutAudience(try reader.text(upTo: RolloutAudience.longestText)) else { throw .outOfRange(at: begin) }
      audience.append(entry)
    }
    dropIn = try reader.text(upTo: Self.largestDropIn)
    venues = []
    for _ in 0..<(try reader.array(upTo: Self.mostVenues)) { venues.append(try RolloutVenue(&reader)) }
    for _ in 6..<items { try reader.skip() }
    guard reader.isAtEnd else { throw .trailingOctets(at: reader.offset) }
  }

  /// The octets. Values beyond a limit are written as they are, so that the author decodes the octets before signing them.
  public var octets: [UInt8] {
    var writer = CBORWriter()
    writer.array(6)
    writer.integer(Self.version)
    writer.integer(revision)
    writer.integer(created)
    writer.array(audience.count)
    for entry in audience { writer.text(entry.description) }
    writer.text(dropIn)
    writer.array(venues.count)
    for venue in venues {
      writer.array(2)
      writer.text(venue.name)
      writer.octets(venue.octets)
    }
    return writer.octets
  }
}

extension RolloutAudience {
  /// Two names and a dot.
  fileprivate static let longestText = 65
}

extension RolloutVenue {
  fileprivate init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let items = try reader.array(atLeast: 2, upTo: FleetMessage.mostItems)
    let begin = reader.offset
    name = try reader.text(upTo: 32)
    guard FleetAddress.isName(name) else { throw .outOfRange(at: begin) }
    octets = try reader.octets(upTo: HubMessage.maximumPayloadSize)
    for _ in 2..<items { try reader.skip() }
  }
}

extension RolloutReport {
  init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let items = try reader.array(atLeast: 3, upTo: FleetMessage.mostItems)
    revision = try reader.unsigned(upTo: FleetMessage.largestNumber)
    let begin = reader.offset
    guard let state = State(rawValue: try reader.unsigned(upTo: 255)) else { throw .outOfRange(at: begin) }
    self.state = state
    text = try reader.printableText(upTo: Self.longestText)
    for _ in 3..<items { try reader.skip() }
  }

  func write(to writer: inout CBORWriter) {
    writer.array(3)
    writer.integer(min(max(revision, 0), FleetMessage.largestNumber))
    writer.integer(state.rawValue)
    writer.text(text.prefix(octets: Self.longestText))
  }
}
