import Beacons
import Diagnostics
import EventActions
import Instants
import TOML

extension Shape where Value == Int8 {
  /// A signal power in whole dBm.
  static func power(_ range: ClosedRange<Int>) -> Shape {
    Shape { node throws(Mismatch) in
      Int8(clamping: try Shape<Int>.integer(range).read(node))
    }
  }
}

extension Shape where Value == Span {
  static func duration(_ range: ClosedRange<Span>) -> Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "30s").read(node)
      guard let span = Span(text: text) else {
        throw Mismatch("\(text.quoted) is not a duration; write a number and ms, s, m, h or d, such as \"30s\"")
      }
      guard range.contains(span) else {
        throw Mismatch("\(text.quoted) is not between \(range.lowerBound.text) and \(range.upperBound.text)")
      }
      return span
    }
  }
}

extension Shape where Value == BeaconUUID {
  static var uuid: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "8ec76ea3-6668-48da-9866-75be8bc86f4d").read(node)
      do throws(BeaconUUIDError) { return try BeaconUUID(text) } catch { throw Mismatch(error.description) }
    }
  }
}

extension Shape where Value == BluetoothAddress {
  static var address: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "00:1A:7D:DA:71:13").read(node)
      guard let address = BluetoothAddress(text) else {
        throw Mismatch(
          "\(text.quoted) is not an adapter address; write one such as \"00:1A:7D:DA:71:13\", because names such as hci0 can change")
      }
      return address
    }
  }
}

extension Shape where Value == Source {
  static var source: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "capture:walk.btsnoop").read(node)
      do throws(SourceError) { return try Source(text) } catch { throw Mismatch(error.description) }
    }
  }
}

extension Shape where Value == Template {
  static var template: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "somebody came to {region}").read(node)
      do throws(TemplateError) { return try Template(text) } catch { throw Mismatch(error.description) }
    }
  }
}

extension Shape where Value == String {
  /// The name of a region.
  static var identifier: Shape { .name(of: "region", example: "entrance") }

  /// A name of 1 to 64 visible characters.
  static func name(of thing: String, example: String) -> Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape.text(example: example).read(node)
      guard !text.isEmpty else { throw Mismatch("is empty; write a name for the \(thing), such as \"\(example)\"") }
      guard text.count <= 64 else { throw Mismatch("has \(text.count) characters; at most 64 are allowed") }
      if let scalar = text.unicodeScalars.first(where: \.isUnprintable) {
        let kind = scalar.properties.isBidiControl ? "character that changes the direction of text" : "control character"
        throw Mismatch("\(text.quoted) contains a \(kind); remove it")
      }
      return text
    }
  }
}

extension Shape where Value == [String] {
  /// An argument vector: the program and its arguments.
  static var command: Shape {
    Shape { node throws(Mismatch) in
      let example = "[\"/usr/bin/play\", \"welcome.ogg\"]"
      let arguments = try Shape.list(of: .text(example: "welcome.ogg"), example: example).read(node)
      guard let program = arguments.first, !program.isEmpty else { throw Mismatch("has no program; write a list such as \(example)") }
      guard program.hasPrefix("/") || !program.contains("/") else {
        throw Mismatch("\(program.quoted) is relative to the current folder; write an absolute path, or a name that is in PATH")
      }
      return arguments
    }
  }

  /// A text or a list of texts.
  static func oneOrMore(example: String) -> Shape {
    Shape { node throws(Mismatch) in
      if case .text(let text) = node.value { return [text] }
      let texts = try Shape.list(of: .text(example: example), example: "[\"\(example)\"]").read(node)
      guard !texts.isEmpty else { throw Mismatch("is empty; write at least one, or remove the key to match all") }
      return texts
    }
  }
}

extension Shape where Value == Set<EventAction.Trigger> {
  static var triggers: Shape {
    Shape { node throws(Mismatch) in
      let names = EventAction.Trigger.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      let trigger = Shape<EventAction.Trigger> { node throws(Mismatch) in
        let text = try Shape<String>.text(example: "enter").read(node)
        guard let trigger = EventAction.Trigger(rawValue: text) else {
          throw Mismatch("\(text.quoted) is not an event; use one of \(names)")
        }
        return trigger
      }
      let triggers = try Shape<[EventAction.Trigger]>.list(of: trigger, example: "[\"enter\", \"exit\"]").read(node)
      guard !triggers.isEmpty else { throw Mismatch("is empty; write at least one of \(names), or remove the key for enter and exit") }
      return Set(triggers)
    }
  }
}
