import ConfigurationTree
import EventActions

extension ValueDecoder where Value == SecretPlace {
  /// The place of a secret: `{ file = "/path" }` or `{ credential = "name" }`.
  static var secretPlace: ValueDecoder {
    ValueDecoder(.secretPlace) { node throws(DecodingIssue) in
      let example = "{ file = \"/etc/beaconmon/token\" } or { credential = \"token\" }"
      guard case .table(let table) = node.value else {
        throw DecodingIssue("must not be in this file, which other users can read; write \(example)", at: node.position)
      }
      guard table.count == 1, let (key, place) = table.first, ["file", "credential"].contains(key) else {
        throw DecodingIssue("requires one of file and credential: \(example)", at: node.position)
      }
      do throws(DecodingIssue) {
        if key == "file" { return .file(try ValueDecoder<String>.absolutePath.decode(place)) }
        let name = try ValueDecoder<String>.text(example: "token").decode(place)
        guard !name.isEmpty, !name.contains("/"), name != ".." else {
          throw DecodingIssue("\(name.quoted) is not the name of a credential")
        }
        return .credential(name)
      } catch {
        throw DecodingIssue("\(key): \(error.message)", at: error.position ?? place.position)
      }
    }
  }
}

extension ValueDecoder where Value == ConfiguredText {
  /// A text, or the place of a secret one.
  static func configured(_ text: ValueDecoder<String>) -> ValueDecoder {
    ValueDecoder(.either([text.form(), .secretPlace])) { node throws(DecodingIssue) in
      if case .table = node.value { return .secret(try ValueDecoder<SecretPlace>.secretPlace.decode(node)) }
      return .plain(try text.decode(node))
    }
  }

  static var url: ValueDecoder {
    configured(
      ValueDecoder<String>(.url) { node throws(DecodingIssue) in
        let text = try ValueDecoder<String>.text(example: "https://example.org/events").decode(node)
        // The errors do not quote the address, because its path may have a token.
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
          throw DecodingIssue("is not a web address; write one such as \"https://example.org/events\"")
        }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty else { throw DecodingIssue("has no host; write an address such as \"https://example.org/events\"") }
        guard !authority.contains("@") else {
          throw DecodingIssue("contains a password, which other users can read; move it to a header from a file")
        }
        return text
      })
  }
}

extension ValueDecoder where Value == [WebhookSettings.Header] {
  /// Headers, in the order of their names.
  static var headers: ValueDecoder {
    ValueDecoder(.map(keys: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", .either([ValueDecoder<String>.headerValue.form(), .secretPlace]))) {
      node throws(DecodingIssue) in
      guard case .table(let table) = node.value else { throw .needs("a table such as { X-Shop = \"12\" }", not: node) }
      var headers: [WebhookSettings.Header] = []
      for (name, value) in table.sorted(by: { $0.key < $1.key }) {
        do throws(DecodingIssue) {
          headers.append(WebhookSettings.Header(try checked(name), try ValueDecoder<ConfiguredText>.configured(.headerValue).decode(value)))
        } catch {
          throw DecodingIssue("\(name.quoted): \(error.message)", at: error.position ?? value.position)
        }
      }
      return headers
    }
  }

  /// Returns the name if it is a token (RFC 9110, section 5.6.2).
  private static func checked(_ name: String) throws(DecodingIssue) -> String {
    let isToken = name.utf8.allSatisfy { octet in
      (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet)
        || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
    guard !name.isEmpty, isToken else { throw DecodingIssue("is not the name of a header") }
    let lower = name.lowercased()
    guard !lower.hasPrefix("webhook-"), !["content-type", "content-length", "host"].contains(lower) else {
      throw DecodingIssue("is set in every request; remove it")
    }
    return name
  }
}

extension ValueDecoder where Value == String {
  fileprivate static var headerValue: ValueDecoder {
    ValueDecoder(.header) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "12").decode(node)
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw DecodingIssue("contains a control character; remove it") }
      return text
    }
  }

  static var host: ValueDecoder {
    ValueDecoder(.text(1...253, pattern: "^[-.:_%0-9A-Za-z]+$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "broker.local").decode(node)
      let isHost = text.utf8.allSatisfy { octet in
        (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet) || "-.:_%".utf8.contains(octet)
      }
      guard !text.isEmpty, !text.hasPrefix("-"), isHost, text.utf8.count <= 253 else {
        throw DecodingIssue("\(text.quoted) is not a host; write a name such as \"broker.local\" or an address")
      }
      return text
    }
  }

  /// A topic to publish to (MQTT 3.1.1, section 4.7).
  static var topic: ValueDecoder {
    ValueDecoder(.text(1...1024, pattern: "^[^$/+#]([^+#]*[^/+#])?$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "beaconmon/shop").decode(node)
      guard !text.isEmpty, text.utf8.count <= 1024, !text.hasPrefix("$"), !text.hasPrefix("/"), !text.hasSuffix("/"),
        text.unicodeScalars.allSatisfy({ $0 != "+" && $0 != "#" && $0.properties.generalCategory != .control })
      else { throw DecodingIssue("\(text.quoted) is not a topic; write one such as \"beaconmon/shop\", without + and #") }
      return text
    }
  }
}

extension ValueForm {
  static let secretPlace = ValueForm.oneKey([("file", .absolutePath), ("credential", .text(1...255, pattern: "^[^/]+$"))])
}
