/// A line about the conversion of a venue: a deviation from the standard, or content that the other format cannot contain.
public struct ConversionNote: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The input deviates from the standard, and was read all the same or left out.
    case warning
    /// The content is valid and has no place in the other format.
    case omission
  }

  /// The maximum number of features that a note names.
  static let mostNames = 3

  public let kind: Kind
  /// The file of the archive; nil for the archive or the venue as a whole.
  public let file: String?
  /// The ids of the first features.
  public let features: [String]
  /// The number of features.
  public let count: Int
  public let text: String

  /// The note as `unit.geojson: 3f2a, 77b1 and 12 more: no "feature_type"; the name of the file is used`.
  public var description: String {
    var parts: [String] = []
    if let file { parts.append(file) }
    if !features.isEmpty {
      let more = count - features.count
      let names = features.joined(separator: ", ")
      parts.append(more > 0 ? "\(names) and \(more) more" : names)
    }
    return (parts + [text]).joined(separator: ": ")
  }
}

/// The notes of a conversion. Equal texts about one file become one note.
struct NoteList {
  private struct Key: Hashable {
    var kind: ConversionNote.Kind
    var file: String?
    var text: String
  }

  private var order: [Key] = []
  private var features: [Key: (names: [String], count: Int, last: String?)] = [:]

  mutating func add(_ kind: ConversionNote.Kind, _ text: String, file: String? = nil, feature: String? = nil) {
    let key = Key(kind: kind, file: file, text: text)
    var entry = features[key] ?? ([], 0, nil)
    if features[key] == nil { order.append(key) }
    // A feature with several such values counts once.
    if let feature, feature != entry.last {
      entry.count += 1
      entry.last = feature
      if entry.names.count < ConversionNote.mostNames { entry.names.append(feature) }
    }
    features[key] = entry
  }

  mutating func warn(_ text: String, file: String? = nil, feature: String? = nil) {
    add(.warning, text, file: file, feature: feature)
  }

  mutating func warn(_ text: String, _ feature: IMDFFeature) { warn(text, file: feature.file, feature: feature.label) }

  mutating func omit(_ text: String, _ feature: IMDFFeature) { add(.omission, text, file: feature.file, feature: feature.label) }

  mutating func omit(_ text: String) { add(.omission, text) }

  /// The notes in the order of their first occurrence, warnings first.
  var notes: [ConversionNote] {
    let notes = order.map { key in
      let entry = features[key] ?? ([], 0, nil)
      return ConversionNote(kind: key.kind, file: key.file, features: entry.names, count: entry.count, text: key.text)
    }
    return notes.filter { $0.kind == .warning } + notes.filter { $0.kind == .omission }
  }
}
