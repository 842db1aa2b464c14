import Records

// The texts of `beaconmon config show`.

extension ConfigurationListing {
  /// Returns the values as TOML, each with a comment about its origin.
  ///
  /// - Parameters:
  ///   - width: The columns of a line. A comment that does not fit precedes its value.
  ///   - hasDefaults: Whether defaults are shown.
  public func toml(width: Int, hasDefaults: Bool) -> String {
    var blocks: [String] = []
    for section in sections {
      let values = section.values.filter { hasDefaults || $0.origin != .standard }
      let lines = values.map { value in Self.line("\(value.key) = \(value.toml)", value.origin.text(relativeTo: folder), width) }
      let isParent = sections.contains { $0.path.count > section.path.count && $0.path.starts(with: section.path) }
      // An empty table can enable something, but the top and a parent of other tables mean nothing.
      guard !lines.isEmpty || section.isPresent && !isParent && !section.header.isEmpty else { continue }
      let header = section.headerLine.map { [$0] } ?? []
      blocks.append((header + lines).joined(separator: "\n"))
    }
    return blocks.map { $0 + "\n" }.joined(separator: "\n")
  }

  /// Returns one JSON object: `files`, and `values` with `path`, `value`, and either `file` and `line`, or `default`.
  public func json(files: [String], hasDefaults: Bool) -> String {
    var lines: [String] = []
    for section in sections {
      for value in section.values where hasDefaults || value.origin != .standard {
        let path = (section.path + [value.key]).map(\.asJSON).joined(separator: ", ")
        let origin =
          switch value.origin {
          case .standard: "\"default\": true"
          case .file(let file, let line): "\"file\": \(file.asJSON), \"line\": \(line)"
          }
        lines.append("    {\"path\": [\(path)], \"value\": \(value.json), \(origin)}")
      }
    }
    let list = files.map(\.asJSON).joined(separator: ", ")
    return "{\n  \"files\": [\(list)],\n  \"values\": [\(lines.isEmpty ? "" : "\n\(lines.joined(separator: ",\n"))\n  ")]\n}"
  }

  /// Returns a line with a comment at its end, or above it if they do not fit together.
  fileprivate static func line(_ text: String, _ comment: String, _ width: Int) -> String {
    text.count + comment.count + 4 <= width ? "\(text)  # \(comment)" : "# \(comment):\n\(text)"
  }
}

extension ConfigurationListing.Section {
  /// `[journal]` or `[[region]]`; nil at the top.
  var headerLine: String? {
    guard !header.isEmpty else { return nil }
    let name = header.map(\.asTOMLKey).joined(separator: ".")
    return isEntry ? "[[\(name)]]" : "[\(name)]"
  }
}

extension ConfigurationListing.Origin {
  /// `default`, or the file and line, without the folder of the main file.
  public func text(relativeTo folder: String) -> String {
    switch self {
    case .standard: "default"
    case .file(let file, let line):
      "\((file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file).escapingControlCharacters):\(line)"
    }
  }
}

// MARK: Differences

extension ConfigurationListing {
  /// Returns the differences from another configuration; empty if every setting is the same.
  ///
  /// Lines with `-` are values of the other one, and lines with `+` are those of this one, under the headers of their tables. A default and
  /// the same value in a file are not a difference.
  public func differences(from other: ConfigurationListing, width: Int) -> String {
    var blocks: [String] = []
    let names = sections.map(\.path) + other.sections.map(\.path).filter { path in !sections.contains { $0.path == path } }
    let own = Dictionary(sections.map { ($0.path, $0) }) { first, _ in first }
    let others = Dictionary(other.sections.map { ($0.path, $0) }) { first, _ in first }
    for path in names {
      let (new, old) = (own[path], others[path])
      var lines: [String] = []
      let keys = (new?.values ?? []).map(\.key)
      let oldKeys = (old?.values ?? []).map(\.key).filter { !keys.contains($0) }
      for key in keys + oldKeys {
        let (a, b) = (old?.values.first { $0.key == key }, new?.values.first { $0.key == key })
        guard a?.canonical != b?.canonical else { continue }
        // A default of a table that only one side has says nothing.
        if let a, a.origin != .standard || b != nil { lines.append(Self.difference("-", a, other.folder, width)) }
        if let b, b.origin != .standard || a != nil { lines.append(Self.difference("+", b, folder, width)) }
      }
      let isOnOneSide = (new == nil) != (old == nil)
      guard !lines.isEmpty || isOnOneSide && !path.isEmpty, let section = new ?? old else { continue }
      let name = section.isEntry ? " \(path.last ?? "")" : ""
      let header =
        section.headerLine.map { ["\(isOnOneSide ? (new == nil ? "- " : "+ ") : "")\($0)\(name)".escapingControlCharacters] } ?? []
      blocks.append((header + lines).joined(separator: "\n") + "\n")
    }
    return blocks.joined(separator: "\n")
  }

  private static func difference(_ sign: String, _ value: Value, _ folder: String, _ width: Int) -> String {
    let text = "\(sign) \(value.key) = \(value.toml)"
    let comment = value.origin.text(relativeTo: folder)
    return text.count + comment.count + 4 <= width ? "\(text)  # \(comment)" : "\(text)\n    # \(comment)"
  }
}
