import Diagnostics
import Numerals
import Venues

// Warnings about texts.

extension VenueDocument {
  /// Warnings about characters that a reader cannot see, such as those that a copy from a web page brings.
  var invisibleCharacters: [ConfigurationProblem] {
    var texts: [(line: SourceLine?, label: String, text: LocalizedText)] = [(lines.name, "name", venue.name)]
    if let nearby = venue.nearby { texts += [(lines.nearby, "nearby: title", nearby.title), (lines.nearby, "nearby: text", nearby.text)] }
    for (index, level) in venue.levels.enumerated() {
      texts += [(lines.levels[index], "level \(level.id.quoted): name", level.name)]
      texts += [(lines.levels[index], "level \(level.id.quoted): short-name", level.shortName)]
    }
    for (index, place) in venue.places.enumerated() {
      texts += [(lines.places[index], "place \(place.id.quoted): title", place.title)]
      texts += place.links.map { (lines.places[index], "place \(place.id.quoted): links: title", $0.title) }
    }
    for (index, appointment) in venue.appointments.enumerated() {
      texts.append((lines.appointments[index], "appointment \(index + 1): title", appointment.title))
    }
    return limited(
      texts.flatMap { line, label, text in
        text.versions.compactMap { version in
          guard let scalar = version.text.invisibleScalar else { return nil }
          let language = version.language.isEmpty ? "" : "\(version.language): "
          return warning(
            line,
            "\(label): \(language)\(version.text.quoted) contains the invisible character \(scalar.codePoint); remove it, because the search "
              + "for the text does not find it")
        }
      }, "texts with invisible characters")
  }
}

extension Unicode.Scalar {
  /// The number of the scalar in the form of Unicode, such as `U+200B`.
  var codePoint: String { "U+" + Hexadecimal.digits(UInt64(value), count: 4, uppercase: true) }
}
