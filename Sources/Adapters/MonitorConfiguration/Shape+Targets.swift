import EventActions
import TOML

extension Shape where Value == SecretPlace {
  /// The place of a secret: `{ file = "/path" }` or `{ credential = "name" }`.
  static var secretPlace: Shape {
    Shape { node throws(Mismatch) in
      let example = "{ file = \"/etc/beaconmon/token\" } or { credential = \"token\" }"
      guard case .table(let table) = node.value else {
        throw Mismatch("must not be in this file, which other users can read; write \(example)", line: node.line)
      }
      guard table.count == 1, let (key, place) = table.first, ["file", "credential"].contains(key) else {
        throw Mismatch("requires one of file and credential: \(example)", line: node.line)
      }
      do throws(Mismatch) {
        if key == "file" { return .file(try Shape<String>.absolutePath.read(place)) }
        let name = try Shape<String>.text(example: "token").read(place)
        guard !name.isEmpty, !name.contains("/"), name != ".." else { throw Mismatch("\(name.quoted) is not the name of a credential") }
        return .credential(name)
      } catch {
        throw Mismatch("\(key): \(error.message)", line: error.line ?? place.line)
      }
    }
  }
}

extension Shape where Value == ConfiguredText {
  /// A text, or the place of a secret one.
  static func configured(_ text: Shape<String>) -> Shape {
    Shape { node throws(Mismatch) in
      if case .table = node.value { return .secret(try Shape<SecretPlace>.secretPlace.read(node)) }
      return .plain(try text.read(node))
    }
  }

  static var url: Shape {
    configured(
      Shape<String> { node throws(Mismatch) in
        let text = try Shape<String>.text(example: "https://example.org/events").read(node)
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
          throw Mismatch("\(text.quoted) is not a web address; write one such as \"https://example.org/events\"")
        }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty else { throw Mismatch("\(text.quoted) has no host") }
        guard !authority.contains("@") else {
          throw Mismatch("contains a password, which other users can read; move it to a header from a file")
        }
        return text
      })
  }
}

extension Shape where Value == [WebhookSettings.Header] {
  /// Headers, in the order of their names.
  static var headers: Shape {
    Shape { node throws(Mismatch) in
      guard case .table(let table) = node.value else { throw .needs("a table such as { X-Shop = \"12\" }", not: node) }
      var headers: [WebhookSettings.Header] = []
      for (name, value) in table.sorted(by: { $0.key < $1.key }) {
        do throws(Mismatch) {
          headers.append(WebhookSettings.Header(try checked(name), try Shape<ConfiguredText>.configured(.headerValue).read(value)))
        } catch {
          throw Mismatch("\(name.quoted): \(error.message)", line: error.line ?? value.line)
        }
      }
      return headers
    }
  }

  /// Returns the name if it is a token (RFC 9110, section 5.6.2).
  private static func checked(_ name: String) throws(Mismatch) -> String {
    let isToken = name.utf8.allSatisfy { octet in
      (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet)
        || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
    guard !name.isEmpty, isToken else { throw Mismatch("is not the name of a header") }
    let lower = name.lowercased()
    guard !lower.hasPrefix("webhook-"), !["content-type", "content-length", "host"].contains(lower) else {
      throw Mismatch("is set in every request; remove it")
    }
    return name
  }
}

extension Shape where Value == String {
  fileprivate static var headerValue: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: "12").read(node)
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw Mismatch("contains a control character; remove it") }
      return text
    }
  }

  static var host: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: "broker.local").read(node)
      let isHost = text.utf8.allSatisfy { octet in
        (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet) || "-.:_%".utf8.contains(octet)
      }
      guard !text.isEmpty, !text.hasPrefix("-"), isHost, text.utf8.count <= 253 else {
        throw Mismatch("\(text.quoted) is not a host; write a name such as \"broker.local\" or an address")
      }
      return text
    }
  }

  /// A topic to publish to (MQTT 3.1.1, section 4.7).
  static var topic: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: "beaconmon/shop").read(node)
      guard !text.isEmpty, text.utf8.count <= 1024, !text.hasPrefix("$"), !text.hasPrefix("/"), !text.hasSuffix("/"),
        text.unicodeScalars.allSatisfy({ $0 != "+" && $0 != "#" && $0.properties.generalCategory != .control })
      else { throw Mismatch("\(text.quoted) is not a topic; write one such as \"beaconmon/shop\", without + and #") }
      return text
    }
  }
}
