import Foundation

/// The texts of beaconmon.toml(5) about the keys, as descriptions for the JSON Schema.
struct ManualDescriptions {
  /// The texts by the path of the key or the table.
  private(set) var texts: [[String]: String] = [:]

  init(page: String) {
    var tables: [[String]] = [[]]
    var section: [String] = []
    var depth = 0
    var keys: [[String]] = []
    var text: [String] = []
    func finish(_ texts: inout [[String]: String]) {
      let joined = Self.plain(text)
      for key in keys where !joined.isEmpty && texts[key] == nil { texts[key] = joined }
      text = []
    }
    for line in page.split(separator: "\n") {
      if line.hasPrefix(".Ss ") || line.hasPrefix(".Sh ") {
        finish(&texts)
        section = line.matches(of: /\[+([a-z.-]+)\]+/).map { String($0.1) }
        // The section about location sources lists them as items of their common parent.
        tables = section.isEmpty ? [[]] : section.map { $0.split(separator: ".").map(String.init) }
        if section.count > 1, section.allSatisfy({ $0.hasPrefix("location.") }) { tables = [["location"]] }
        // The parts of the page after the description are not about keys.
        if line.hasPrefix(".Sh ") { tables = [] }
        keys = tables + tables.filter { $0.count > 1 }.map { Array($0.dropLast()) }
        depth = 0
      } else if line.hasPrefix(".Bl") {
        depth += 1
        if depth > 1 { text.append("") }
      } else if line.hasPrefix(".El") {
        depth -= 1
        if depth == 0 {
          finish(&texts)
          keys = []
        }
      } else if line.hasPrefix(".It "), depth == 1 {
        finish(&texts)
        let names = line.dropFirst(4).replacing("Li ", with: "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        keys = tables.flatMap { table in names.map { table + [$0] } }
      } else if line.hasPrefix(".It ") {
        text.append(Self.words(".\(line.dropFirst(4))") + ":")
      } else if line.hasPrefix(".Pp") {
        text.append("")
      } else {
        text.append(Self.words(line))
      }
    }
    finish(&texts)
  }

  /// Returns the text of the key, or of the nearest table above it that has one.
  func text(_ path: [String]) -> String? {
    var path = path
    while !path.isEmpty {
      if let text = texts[path] { return text }
      // An action can contain the keys of a target, and a target those that are explained with the actions.
      if path.starts(with: ["notifier", "target"]), let text = texts[["notifier", "action"] + path.dropFirst(2)] { return text }
      if path.starts(with: ["notifier", "action"]), let text = texts[["notifier", "target"] + path.dropFirst(2)] { return text }
      path.removeLast()
    }
    return nil
  }

  /// Returns a line of mdoc without macros and escapes.
  private static func words(_ line: some StringProtocol) -> String {
    var words = String(line).split(separator: " ").map(String.init)
    if line.hasPrefix(".") {
      let macro = words.removeFirst()
      words.removeAll { ["Li", "Pa", "Fl", "Dv"].contains($0) }
      if macro == ".Xr", words.count > 1 { words[0...1] = ["\(words[0])(\(words[1]))"] }
      if macro == ".Fl", !words.isEmpty { words[0] = "-\(words[0])" }
      if macro == ".Pq" { words = ["(\(words.joined(separator: " ")))"] }
    }
    let text = words.joined(separator: " ").replacing("\\(dq", with: "\"").replacing("\\-", with: "-").replacing("\\(:u", with: "ü")
      .replacing("\\&", with: "")
    // Punctuation is a word of its own in mdoc.
    return text.replacing(#/ ([,.;:)])/#) { String($0.1) }
  }

  private static func plain(_ lines: [String]) -> String {
    var text = ""
    for line in lines where !line.isEmpty { text += (text.isEmpty ? "" : " ") + line }
    return text.replacing(#/ ([,.;:)])/#) { String($0.1) }.trimmingCharacters(in: .whitespaces)
  }
}
