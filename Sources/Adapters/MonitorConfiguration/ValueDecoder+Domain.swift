import Beacons
import ConfigurationTree
import Diagnostics
import EventActions
import Events
import Instants

extension ValueDecoder where Value == Int8 {
  /// A signal power in whole dBm.
  static func power(_ range: ClosedRange<Int>) -> ValueDecoder {
    ValueDecoder(.integer(range)) { node throws(DecodingIssue) in
      Int8(clamping: try ValueDecoder<Int>.integer(range).decode(node))
    }
  }
}

extension ValueDecoder where Value == Span {
  static func duration(_ range: ClosedRange<Span>) -> ValueDecoder {
    ValueDecoder(.duration(range)) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "30s").decode(node)
      guard let span = Span(text: text) else {
        throw DecodingIssue("\(text.quoted) is not a duration; write a number and ms, s, m, h or d, such as \"30s\"")
      }
      guard range.contains(span) else {
        throw DecodingIssue("\(text.quoted) is not between \(range.lowerBound.text) and \(range.upperBound.text)")
      }
      return span
    }
  }
}

extension ValueDecoder where Value == BeaconUUID {
  static var uuid: ValueDecoder {
    ValueDecoder(.uuid) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "8ec76ea3-6668-48da-9866-75be8bc86f4d").decode(node)
      do throws(BeaconUUIDError) { return try BeaconUUID(text) } catch { throw DecodingIssue(error.description) }
    }
  }
}

extension ValueDecoder where Value == BluetoothAddress {
  static var address: ValueDecoder {
    ValueDecoder(.address) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "00:1A:7D:DA:71:13").decode(node)
      guard let address = BluetoothAddress(text) else {
        throw DecodingIssue(
          "\(text.quoted) is not an adapter address; write one such as \"00:1A:7D:DA:71:13\", because names such as hci0 can change")
      }
      return address
    }
  }
}

extension ValueDecoder where Value == Source {
  static var source: ValueDecoder {
    ValueDecoder(.source) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "capture:walk.btsnoop").decode(node)
      do throws(SourceError) { return try Source(text) } catch { throw DecodingIssue(error.description) }
    }
  }
}

extension ValueDecoder where Value == Template {
  static var template: ValueDecoder {
    ValueDecoder(.text()) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "a visitor came to {region}").decode(node)
      do throws(TemplateError) { return try Template(text) } catch { throw DecodingIssue(error.description) }
    }
  }
}

extension ValueDecoder where Value == String {
  /// The name of a region.
  static var identifier: ValueDecoder { .name(of: "region", example: "entrance") }

  /// A name of 1 to 64 visible characters.
  static func name(of thing: String, example: String) -> ValueDecoder {
    ValueDecoder(.text(1...64)) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      guard !text.isEmpty else { throw DecodingIssue("is empty; write a name for the \(thing), such as \"\(example)\"") }
      guard text.count <= 64 else { throw DecodingIssue("has \(text.count) characters; at most 64 are allowed") }
      if let scalar = text.unicodeScalars.first(where: \.isUnprintable) {
        let kind = scalar.properties.isBidiControl ? "character that changes the direction of text" : "control character"
        throw DecodingIssue("\(text.quoted) contains a \(kind); remove it")
      }
      return text
    }
  }
}

extension ValueDecoder where Value == [String] {
  /// An argument vector: the program and its arguments.
  static var command: ValueDecoder {
    ValueDecoder(.list(.text(), count: 1...Int.max)) { node throws(DecodingIssue) in
      let example = "[\"/usr/bin/play\", \"welcome.ogg\"]"
      let arguments = try ValueDecoder.list(of: .text(example: "welcome.ogg"), example: example).decode(node)
      guard let program = arguments.first, !program.isEmpty else { throw DecodingIssue("has no program; write a list such as \(example)") }
      guard program.hasPrefix("/") || !program.contains("/") else {
        throw DecodingIssue("\(program.quoted) is relative to the current folder; write an absolute path, or a name that is in PATH")
      }
      return arguments
    }
  }

  /// A text or a list of texts.
  static func oneOrMore(example: String) -> ValueDecoder {
    ValueDecoder(.either([.text(), .list(.text(), count: 1...Int.max)])) { node throws(DecodingIssue) in
      if case .text(let text) = node.value { return [text] }
      let texts = try ValueDecoder.list(of: .text(example: example), example: "[\"\(example)\"]").decode(node)
      guard !texts.isEmpty else { throw DecodingIssue("is empty; write at least one, or remove the key to match all") }
      return texts
    }
  }
}

extension ValueDecoder where Value == Set<Event.Kind> {
  static var triggers: ValueDecoder {
    ValueDecoder(.list(.choice(Event.Kind.triggers.map(\.rawValue)), count: 1...Int.max)) { node throws(DecodingIssue) in
      let names = Event.Kind.triggers.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      let trigger = ValueDecoder<Event.Kind> { node throws(DecodingIssue) in
        let text = try ValueDecoder<String>.text(example: "enter").decode(node)
        guard let trigger = Event.Kind(rawValue: text), Event.Kind.triggers.contains(trigger) else {
          throw DecodingIssue("\(text.quoted) is not an event; use one of \(names)")
        }
        return trigger
      }
      let triggers = try ValueDecoder<[Event.Kind]>.list(of: trigger, example: "[\"enter\", \"exit\"]").decode(node)
      guard !triggers.isEmpty else { throw DecodingIssue("is empty; write at least one of \(names), or remove the key for enter and exit") }
      return Set(triggers)
    }
  }
}
