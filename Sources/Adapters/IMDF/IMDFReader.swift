import Diagnostics

/// The manifest and the features of an archive.
struct IMDFContent {
  /// The default language of the archive.
  var language = "en"
  /// Whether the archive states that it uses this program's extensions.
  var hasBeacons = false
  var hasAdditions = false
  /// The features by type, in the order of their files.
  var features: [String: [IMDFFeature]] = [:]

  subscript(type: String) -> [IMDFFeature] { features[type] ?? [] }
}

/// Reads the files of an archive feature by feature, with a note about each deviation.
struct IMDFReader {
  /// The maximum number of features of an archive. Large airports have 20,000.
  private static let mostFeatures = 100_000

  private var content = IMDFContent()
  private var notes: NoteList
  private var ids: Set<String> = []

  /// - Parameter notes: the notes of the archive so far.
  /// - Throws: if there are more features than any venue has.
  static func read(_ files: [String: [UInt8]], _ notes: inout NoteList) throws(IMDFError) -> IMDFContent {
    var reader = IMDFReader(notes: notes)
    reader.readManifest(files[IMDFFormat.manifest])
    for type in IMDFFormat.featureTypes + [IMDFFormat.beacon] {
      let name = type + IMDFFormat.suffix
      if let octets = files[name] {
        reader.readFeatures(octets, of: type, file: name)
      } else if ["venue", "level", "unit", "footprint"].contains(type) {
        reader.notes.warn("the archive lacks this file", file: name)
      }
    }
    guard reader.ids.count <= mostFeatures else {
      throw .invalid("the archive has \(reader.ids.count) features; at most \(mostFeatures) are allowed, so split the venue")
    }
    notes = reader.notes
    return reader.content
  }

  private init(notes: NoteList) { self.notes = notes }

  // MARK: Manifest

  private mutating func readManifest(_ octets: [UInt8]?) {
    let file = IMDFFormat.manifest
    guard let octets else { return notes.warn("the archive lacks this file; the language en is assumed", file: file) }
    let manifest: JSONValue
    do throws(JSONTextError) { manifest = try JSONValue(octets) } catch { return notes.warn("\(error)", file: file) }
    let version = manifest["version"]?.text ?? ""
    if version != IMDFFormat.version {
      notes.warn("the version is \"\(version.plain(most: 40))\"; only 1.0.0 exists, and the archive is read as such", file: file)
    }
    let created = manifest["created"]?.text ?? ""
    if !Self.isDateWithZone(created) { notes.warn("\"created\" is not a date with a zone; it is ignored", file: file) }
    if let language = manifest["language"]?.text, language.isLanguageTag {
      content.language = language
    } else {
      notes.warn("\"language\" is not a language; en is assumed", file: file)
    }
    for name in (manifest["extensions"]?.list ?? []).compactMap(\.text) {
      if name.hasPrefix(IMDFFormat.beaconsExtension + "1.") {
        content.hasBeacons = true
      } else if name.hasPrefix(IMDFFormat.venueExtension + "1.") {
        content.hasAdditions = true
      } else {
        notes.add(.omission, "the extension \(name.plain(most: 80))", file: file)
      }
    }
  }

  /// Returns whether the text ends in an offset from UTC after a time.
  private static func isDateWithZone(_ text: String) -> Bool {
    guard let time = text.firstIndex(of: "T") else { return false }
    let clock = text[text.index(after: time)...]
    return clock.count >= 8 && (clock.hasSuffix("Z") || clock.contains("+") || clock.contains("-"))
  }

  // MARK: Features

  private mutating func readFeatures(_ octets: [UInt8], of type: String, file: String) {
    let value: JSONValue
    do throws(JSONTextError) { value = try JSONValue(octets) } catch { return notes.warn("\(error); the file is ignored", file: file) }
    guard let list = value["features"]?.list ?? value.list else {
      return notes.warn("no FeatureCollection; the file is ignored", file: file)
    }
    guard type != IMDFFormat.beacon || content.hasBeacons else {
      return notes.add(.omission, "the manifest does not name the extension of this file", file: file)
    }
    for (index, value) in list.enumerated() { readFeature(value, number: index + 1, of: type, file: file) }
  }

  private mutating func readFeature(_ value: JSONValue, number: Int, of type: String, file: String) {
    var label = "feature \(number)"
    guard let object = value.object else { return notes.warn("not an object; it is ignored", file: file, feature: label) }
    let properties = object["properties"]?.object ?? [:]
    if object["properties"]?.object == nil { notes.warn("no \"properties\"", file: file, feature: label) }
    // Another program may have written the id among the properties.
    let written = object["id"]?.identifier ?? properties["id"]?.identifier
    let id = written.map { IMDFFeature.normalized($0) } ?? "\(type)-\(number)"
    if written != nil { label = id.plain(most: 64) }
    if written == nil {
      notes.warn("no \"id\"; one is made up", file: file, feature: label)
    } else if !IMDFFeature.isUUID(id) {
      notes.warn("the id is not a UUID", file: file, feature: label)
    }
    let stated = object["feature_type"]?.text ?? properties["feature_type"]?.text
    if stated == nil {
      notes.warn("no \"feature_type\"; the name of the file is used", file: file, feature: label)
    } else if stated != type {
      notes.warn("a \"feature_type\" other than the name of the file, which is used", file: file, feature: label)
    }
    guard ids.insert("\(type)/\(id)").inserted else {
      return notes.warn("an earlier feature has the same id; this one is ignored", file: file, feature: label)
    }
    let geometry = object["geometry"].flatMap { $0.isNull ? nil : $0 }
    content.features[type, default: []].append(
      IMDFFeature(
        file: file, type: type, id: id, label: label, geometry: geometry, properties: properties,
        additions: content.hasAdditions ? properties[IMDFFormat.property]?.object : nil))
  }
}

extension String {
  /// The beginning of the text as one line that is safe to display.
  func plain(most: Int) -> String { String(printableLine.prefix(most)) }

  /// Whether the text has the form of a language tag (RFC 5646).
  var isLanguageTag: Bool {
    let parts = split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.utf8.count), first.utf8.allSatisfy(\.isLetter) else { return false }
    return parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit } }
  }
}

extension UInt8 {
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
}
