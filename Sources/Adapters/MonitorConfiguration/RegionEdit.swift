import ConfigurationTree
import Diagnostics
import Regions
import TOML

/// A change of one region in the files of a configuration, which keeps all other text with its comments and its order.
///
/// A region can be in several files, because a drop-in may change its keys. The files are only written if the configuration is valid with
/// the change.
public struct RegionEdit {
  /// The files with the region or a reference to it, in their order, with their texts.
  private let files: [RegionFile]
  private let texts: [(name: String, text: String)]
  private let identifier: String
  /// The identifiers of the regions of the configuration.
  private let regions: [String]

  /// Finds a region in the file `main` and its drop-ins.
  ///
  /// Throws if the configuration is invalid, or has no region of this name.
  public init(_ identifier: String, in main: String) throws(ConfigurationError) {
    self.identifier = identifier
    texts = try ConfigurationFiles(beside: main).texts(isOptional: false)
    regions = try MergedConfiguration(texts).document().configuration.regions.map(\.identifier)
    guard regions.contains(identifier) else {
      let advice = NearestName.of(identifier, in: regions).map { "did you mean \($0.quoted)?" } ?? "\"beaconmon status\" lists the regions"
      throw Self.problem(main, nil, "there is no region \(identifier.quoted); \(advice)")
    }
    var files: [RegionFile] = []
    for (name, text) in texts {
      let file = try RegionFile(identifier, name: name, text: text)
      if !file.tables.isEmpty || !file.references.isEmpty { files.append(file) }
    }
    self.files = files
  }

  /// Gives the region and all references to it another name.
  ///
  /// - Returns: the changed files.
  public func rename(to name: String) throws(ConfigurationError) -> [String] {
    do throws(DecodingIssue) { _ = try ValueDecoder<String>.identifier.decode(ConfigurationNode(.text(name))) } catch {
      throw Self.problem(texts[0].name, nil, "region \(identifier.quoted): the new name \(error.message)")
    }
    guard !regions.contains(name) else {
      throw Self.problem(
        texts[0].name, nil, "region \(identifier.quoted): the name \(name.quoted) is already used by another region; choose another one")
    }
    let literal = Array(name.asTOML.utf8)
    let changed = files.map { file in (file.name, file.replacing(file.names + file.references.map(\.octets), with: literal)) }
    return try write(changed, regions: regions.map { $0 == identifier ? name : $0 })
  }

  /// Removes the region with the comments that belong to it.
  ///
  /// Throws if other parts of the configuration refer to the region: without it, an action would be for another choice of regions.
  ///
  /// - Returns: the changed files.
  public func remove() throws(ConfigurationError) -> [String] {
    let references = files.flatMap { file in
      file.references.map { Self.description(file.name, $0.line, "names the region \(identifier.quoted); change the action first") }
    }
    guard references.isEmpty else { throw .invalid(references) }
    var changed: [(String, String)] = []
    for file in files {
      guard file.tables.allSatisfy({ $0.octets != nil }) else {
        throw Self.problem(
          file.name, file.tables.first { $0.octets == nil }?.line,
          "region \(identifier.quoted): is in a list of tables in braces, which this command does not change; remove it with an editor")
      }
      changed.append((file.name, file.removing(file.tables.compactMap(\.octets))))
    }
    return try write(changed, regions: regions.filter { $0 != identifier })
  }

  /// Writes the changed texts if the configuration is then valid and has exactly these regions.
  private func write(_ changed: [(name: String, text: String)], regions expected: [String]) throws(ConfigurationError) -> [String] {
    let result = texts.map { file in changed.first { $0.name == file.name } ?? file }
    let document = try MergedConfiguration(result).document()
    guard document.configuration.regions.map(\.identifier) == expected else {
      throw Self.problem(
        texts[0].name, nil, "region \(identifier.quoted): cannot be changed without a change of other regions; change it with an editor")
    }
    try ConfigurationFile.replace(changed)
    return changed.map(\.name)
  }

  private static func description(_ file: String, _ line: Int?, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: file, line: line, column: nil, message: message)
  }

  private static func problem(_ file: String, _ line: Int?, _ message: String) -> ConfigurationError {
    .invalid([description(file, line, message)])
  }
}

/// The places of one region in the text of a file.
private struct RegionFile {
  struct Table {
    let line: Int?
    /// The octets of the table with its comments; nil for a table in braces.
    let octets: Range<Int>?
  }

  struct Reference {
    let line: Int
    let octets: Range<Int>
  }

  let name: String
  private let text: [UInt8]
  private(set) var tables: [Table] = []
  /// The octets of the identifier in each table.
  private(set) var names: [Range<Int>] = []
  /// The names of the region in actions.
  private(set) var references: [Reference] = []

  init(_ identifier: String, name: String, text: String) throws(ConfigurationError) {
    self.name = name
    self.text = Array(text.utf8)
    let (nodes, layout): ([String: ConfigurationNode], TOMLLayout)
    do throws(TOMLSyntaxError) { (nodes, layout) = try TOMLParser.layout(of: text) } catch {
      throw .invalid([ConfigurationProblem(file: name, line: error.line, column: error.column, message: error.message)])
    }
    func octets(of node: ConfigurationNode) -> Range<Int>? {
      node.value == .text(identifier) ? node.position.flatMap { layout.values[$0] } : nil
    }
    for table in nodes["region"].elements {
      guard case .table(let keys) = table.value, let octets = keys["identifier"].flatMap(octets) else { continue }
      names.append(octets)
      tables.append(
        Table(line: table.position?.line, octets: table.position.flatMap { layout.table(at: $0, in: self.text) }))
    }
    guard case .table(let notifier)? = nodes["notifier"]?.value else { return }
    for action in notifier["action"].elements {
      guard case .table(let keys) = action.value, let regions = keys["region"] else { continue }
      for node in [regions] + Optional(regions).elements {
        if let octets = octets(of: node) { references.append(Reference(line: node.position?.line ?? 1, octets: octets)) }
      }
    }
  }

  func replacing(_ ranges: [Range<Int>], with octets: [UInt8]) -> String {
    var result = text
    for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) { result.replaceSubrange(range, with: octets) }
    return String(decoding: result, as: UTF8.self)
  }

  func removing(_ ranges: [Range<Int>]) -> String {
    let isLast = ranges.contains { $0.upperBound == text.count }
    let rest = replacing(ranges, with: [])
    guard isLast else { return rest }
    // No empty lines remain at the end of the file.
    var lines = rest.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    while let line = lines.last, line.allSatisfy({ [UInt8(ascii: " "), UInt8(ascii: "\t"), 13].contains($0) }) { lines.removeLast() }
    return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }
}

extension ConfigurationNode? {
  /// The elements of a list; empty for any other value.
  fileprivate var elements: [ConfigurationNode] {
    if case .list(let elements)? = self?.value { elements } else { [] }
  }
}
