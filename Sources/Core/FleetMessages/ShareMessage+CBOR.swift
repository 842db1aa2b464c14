import Diagnostics

extension ShareMessage {
  fileprivate enum Kind: Int64 {
    case offer = 0
    case position = 1
    case end = 2
    case answer = 3
    case refresh = 4
  }

  /// The largest number of items in an array, for those that a later version adds.
  private static let mostItems = 16

  init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let items = try reader.array(atLeast: 1, upTo: Self.mostItems)
    let begin = reader.offset
    guard let kind = Kind(rawValue: try reader.unsigned(upTo: 255)) else { throw .outOfRange(at: begin) }
    guard items >= kind.items else { throw .outOfRange(at: begin) }
    switch kind {
    case .offer: self = .offer(try ShareOffer(&reader))
    case .position:
      let id = try ShareID(&reader)
      self = .position(id, reader.null() ? nil : try SharedPosition(&reader))
    case .end: self = .end(try ShareID(&reader))
    case .answer:
      let id = try ShareID(&reader)
      let begin = reader.offset
      guard let isAccepted = try reader.optionalBool() else { throw .unexpectedItem(at: begin) }
      self = .answer(id, isAccepted: isAccepted)
    case .refresh: self = .refresh
    }
    for _ in kind.items..<items { try reader.skip() }
  }

  func write(to writer: inout CBORWriter) {
    switch self {
    case .offer(let offer):
      Kind.offer.write(offer.id, to: &writer)
      writer.integer(max(offer.ends, 0))
      writer.text(offer.purpose.prefix(octets: ShareOffer.longestPurpose))
      writer.array(min(offer.recipients.count, ShareOffer.mostRecipients))
      for party in offer.recipients.prefix(ShareOffer.mostRecipients) {
        writer.array(2)
        writer.integer(party.kind.rawValue)
        writer.text(party.name)
      }
    case .position(let id, let position):
      Kind.position.write(id, to: &writer)
      if let position { position.write(to: &writer) } else { writer.null() }
    case .end(let id): Kind.end.write(id, to: &writer)
    case .answer(let id, let isAccepted):
      Kind.answer.write(id, to: &writer)
      writer.optional(isAccepted)
    case .refresh: Kind.refresh.write(nil, to: &writer)
    }
  }
}

extension ShareID {
  fileprivate init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let words = try reader.words()
    self.init(high: words.high, low: words.low)
  }
}

extension ShareMessage.Kind {
  /// The number of items of the message.
  fileprivate var items: Int {
    switch self {
    case .offer: 5
    case .position, .answer: 3
    case .end: 2
    case .refresh: 1
    }
  }

  fileprivate func write(_ id: ShareID?, to writer: inout CBORWriter) {
    writer.array(items)
    writer.integer(rawValue)
    if let id { writer.words(id.high, id.low) }
  }
}

extension ShareOffer {
  fileprivate init(_ reader: inout CBORReader) throws(FleetMessageError) {
    id = try ShareID(&reader)
    ends = try reader.unsigned(upTo: FleetMessage.latestTime)
    let begin = reader.offset
    purpose = try reader.printableText(upTo: Self.longestPurpose)
    guard !purpose.isEmpty else { throw .outOfRange(at: begin) }
    recipients = []
    for _ in 0..<(try reader.array(upTo: Self.mostRecipients)) {
      let begin = reader.offset
      let items = try reader.array(atLeast: 2, upTo: 16)
      guard let kind = ShareParty.Kind(rawValue: try reader.unsigned(upTo: 255)),
        let party = ShareParty(kind, try reader.text(upTo: ShareParty.longestName))
      else { throw .outOfRange(at: begin) }
      for _ in 2..<items { try reader.skip() }
      if !recipients.contains(party) { recipients.append(party) }
    }
  }
}

extension SharedPosition {
  /// Degrees as whole numbers of 1e-7, which is 1 cm.
  private static let scale = 1e7

  fileprivate init(_ reader: inout CBORReader) throws(FleetMessageError) {
    let items = try reader.array(atLeast: 7, upTo: 16)
    latitude = Double(try reader.integer(in: -900_000_000...900_000_000)) / Self.scale
    longitude = Double(try reader.integer(in: -1_800_000_000...1_800_000_000)) / Self.scale
    accuracy = reader.null() ? nil : Double(try reader.unsigned(upTo: 1 << 32)) / 100
    floor = reader.null() ? nil : Int(try reader.integer(in: -1000...1000))
    level = reader.null() ? nil : try reader.printableText(upTo: Self.longestText)
    venue = reader.null() ? nil : try reader.printableText(upTo: Self.longestText)
    place = reader.null() ? nil : try reader.printableText(upTo: Self.longestText)
    for _ in 7..<items { try reader.skip() }
  }

  fileprivate func write(to writer: inout CBORWriter) {
    writer.array(7)
    writer.integer(Self.whole(latitude * Self.scale, 900_000_000))
    writer.integer(Self.whole(longitude * Self.scale, 1_800_000_000))
    writer.optional(accuracy.map { Self.whole(max($0, 0) * 100, 1 << 32) })
    writer.optional(floor.map { Int64(min(max($0, -1000), 1000)) })
    for text in [level, venue, place] {
      if let text { writer.text(text.prefix(octets: Self.longestText)) } else { writer.null() }
    }
  }

  private static func whole(_ value: Double, _ limit: Int64) -> Int64 {
    value.isNaN ? 0 : Int64(min(max(value, -Double(limit)), Double(limit)).rounded())
  }
}

extension CBORReader {
  /// Reads a text that is safe to display. PostgreSQL also refuses a zero octet.
  mutating func printableText(upTo limit: Int) throws(FleetMessageError) -> String {
    let begin = offset
    let text = try text(upTo: limit)
    guard !text.unicodeScalars.contains(where: \.isUnprintable) else { throw .unexpectedItem(at: begin) }
    return text
  }
}
