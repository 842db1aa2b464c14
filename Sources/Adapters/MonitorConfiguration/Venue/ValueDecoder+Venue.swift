import Beacons
import ConfigurationTree
import Diagnostics
import Instants
import Venues

extension ValueDecoder where Value == String {
  /// The id of a part of a venue, which is used in addresses, topics and file names.
  static func venueID(of thing: String, example: String) -> ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      if let scalar = text.invisibleScalar {
        throw DecodingIssue("\(text.quoted) contains the invisible character \(scalar.codePoint); remove it")
      }
      guard VenueID.isValid(text) else {
        // A letter of another alphabet can look like one of a to z.
        if let scalar = text.unicodeScalars.first(where: { !$0.isASCII && !$0.isUnprintable }) {
          throw DecodingIssue(
            "\(text.quoted) is not an id, because of \(String(scalar).quoted), \(scalar.codePoint); write letters a to z, such as \"\(example)\""
          )
        }
        throw DecodingIssue(
          "\(text.quoted) is not an id; write 1 to \(VenueID.most) letters a to z, digits, hyphens, dots and underscores for the \(thing), such as "
            + "\"\(example)\"")
      }
      return text
    }
  }

  /// A file relative to the folder of the venue file.
  static func venueFile(example: String) -> ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      try checkFile(text, example)
      return text
    }
  }

  /// A file relative to the folder of the venue file, or an https address.
  static func media(example: String) -> ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      try checkMedia(text, example)
      return text
    }
  }

  static func checkMedia(_ text: String, _ example: String) throws(DecodingIssue) {
    guard text.contains("://") else { return try checkFile(text, example) }
    try checkLink(text)
  }

  private static func checkFile(_ text: String, _ example: String) throws(DecodingIssue) {
    guard !text.isEmpty, text.utf8.count <= 1024, !text.unicodeScalars.contains(where: \.isUnprintable) else {
      throw DecodingIssue("\(text.quoted) is not a file; write one such as \"\(example)\"")
    }
    let isInside = !text.hasPrefix("/") && !text.split(separator: "/", omittingEmptySubsequences: false).contains("..")
    guard isInside else {
      throw DecodingIssue("\(text.quoted) is not in the folder of the venue file; move the file there, and write \"\(example)\"")
    }
  }

  /// Throws unless the text is an https address of printable ASCII characters with a host.
  static func checkLink(_ text: String) throws(DecodingIssue) {
    let scheme = "https://"
    guard text.lowercased().hasPrefix(scheme) else {
      throw DecodingIssue("\(text.quoted) is not an https address; only https:// is allowed in a venue")
    }
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }) else {
      throw DecodingIssue("\(text.quoted) is not an address; write other characters than those of addresses as %XX")
    }
    let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    guard !host.isEmpty, !host.contains("@") else {
      throw DecodingIssue("\(text.quoted) has no plain host; write an address such as \"https://example.org/lodestone\"")
    }
  }

  /// A language tag of BCP 47.
  static var language: ValueDecoder {
    ValueDecoder(.language) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "de").decode(node)
      try checkLanguage(text)
      return text
    }
  }

  static func checkLanguage(_ text: String) throws(DecodingIssue) {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag =
      subtags.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(VenueID.isLetterOrDigit) }
      && (subtags.first.map { (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(VenueID.isLetter) } ?? false)
    guard isTag else { throw DecodingIssue("\(text.quoted) is not a language; write a tag such as \"de\" or \"pt-BR\"") }
  }
}

/// The form of ids.
enum VenueID {
  static let most = 64

  static func isLetter(_ octet: UInt8) -> Bool { (0x61...0x7A).contains(octet | 0x20) }
  static func isLetterOrDigit(_ octet: UInt8) -> Bool { isLetter(octet) || (0x30...0x39).contains(octet) }

  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= most else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
  }
}

extension ConfigurationNode {
  /// The position as a value that sorts, before all others if there is none.
  var place: UInt64 {
    position.map { UInt64(UInt32(clamping: $0.line)) << 32 | UInt64(UInt32(clamping: $0.column)) } ?? 0
  }
}

// MARK: Links, majors and other values

extension ValueDecoder where Value == [Place.Link] {
  static var links: ValueDecoder {
    let example = "[\"https://example.org/lodestone\"]"
    return .list(
      of: ValueDecoder<Place.Link> { node throws(DecodingIssue) in
        guard case .table(let nodes) = node.value else {
          let address = try ValueDecoder<String>.text(example: "https://example.org/lodestone").decode(node)
          try ValueDecoder<String>.checkLink(address)
          return Place.Link(address: address)
        }
        guard let url = nodes["url"] else {
          throw DecodingIssue("has no url; write { url = \"https://example.org\", title = \"Example\" }")
        }
        if let other = nodes.keys.filter({ $0 != "url" && $0 != "title" }).min() {
          throw DecodingIssue("unknown key \(other.quoted); the keys of a link are url and title")
        }
        let address = try ValueDecoder<String>.text(example: "https://example.org/lodestone").decode(url)
        try ValueDecoder<String>.checkLink(address)
        return Place.Link(address: address, title: try nodes["title"].map(ValueDecoder<LocalizedText>.title.decode) ?? LocalizedText())
      }, example: example)
  }
}

extension ValueDecoder where Value == [UInt16: String] {
  /// The meaning of majors: `{ entry = 1, exhibit = 2 }`.
  static var majors: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      guard case .table(let nodes) = node.value else { throw .needs("a table such as { entry = 1, exhibit = 2 }", not: node) }
      var roles: [UInt16: String] = [:]
      for (role, node) in nodes.sorted(by: { ($0.value.place, $0.key) < ($1.value.place, $1.key) }) {
        guard VenueID.isValid(role) else {
          throw DecodingIssue("\(role.quoted) is not a role; write a name such as exhibit", at: node.position)
        }
        let major = try ValueDecoder<UInt16>.short.decode(node)
        if let other = roles[major] { throw DecodingIssue("\(other) and \(role) have the same major \(major)", at: node.position) }
        roles[major] = role
      }
      return roles
    }
  }
}

extension ValueDecoder where Value == [BeaconUUID] {
  /// A UUID or a list of UUIDs.
  static var uuids: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      guard case .list = node.value else { return [try ValueDecoder<BeaconUUID>.uuid.decode(node)] }
      let uuids = try ValueDecoder.list(of: .uuid, example: "[\"8ec76ea3-6668-48da-9866-75be8bc86f4d\"]").decode(node)
      guard !uuids.isEmpty, Set(uuids).count == uuids.count else { throw DecodingIssue("must have at least one UUID, each once") }
      return uuids
    }
  }
}

extension ValueDecoder where Value == (major: UInt16, minor: UInt16) {
  static var majorAndMinor: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let numbers = try ValueDecoder<[UInt16]>.list(of: .short, example: "[2, 3]").decode(node)
      guard numbers.count == 2 else { throw DecodingIssue("has \(numbers.count) numbers; write the major and the minor, such as [2, 3]") }
      return (numbers[0], numbers[1])
    }
  }
}

extension ValueDecoder where Value: CaseIterable & RawRepresentable<String> {
  /// One of the names of a list.
  static func choice(of thing: String) -> ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let names = Value.allCases.map(\.rawValue)
      let text = try ValueDecoder<String>.text(example: names.first ?? "").decode(node)
      guard let value = Value(rawValue: text) else {
        let advice = NearestName.of(text, in: names).map { "did you mean \"\($0)\"?" } ?? "use one of \(names.joined(separator: ", "))"
        throw DecodingIssue("\(text.quoted) is not a \(thing); \(advice)")
      }
      return value
    }
  }
}

extension ValueDecoder where Value == Instant {
  /// A date and time with an offset from UTC.
  static var instant: ValueDecoder {
    ValueDecoder(.time) { node throws(DecodingIssue) in
      guard case .date(let text) = node.value else { throw .needs("a time such as 2026-12-01T15:00:00+01:00", not: node) }
      guard let instant = Instant(rfc3339: text) else {
        throw DecodingIssue("\(text.quoted) is not a time with a zone; write one such as 2026-12-01T15:00:00+01:00")
      }
      return instant
    }
  }
}
