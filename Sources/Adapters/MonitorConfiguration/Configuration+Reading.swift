import ConfigurationTree
import Glibc
import Regions

extension Configuration {
  /// Reads a file of at most 1 MiB. Errors name it as `file` does.
  public static func read(file: String) throws(ConfigurationError) -> Configuration {
    try ConfigurationDocument.read(file: file).configuration
  }

  /// Appends a region to a file if the result is a valid config, and leaves the file unchanged otherwise.
  ///
  /// Comments and all other text stay as they are.
  ///
  /// - Parameter isOptional: A missing file counts as an empty one.
  public static func add(_ region: Region, to file: String, isOptional: Bool) throws(ConfigurationError) {
    let files = try ConfigurationFiles(beside: file)
    var text = ""
    do throws(ConfigurationError) {
      text = try ConfigurationFile.text(of: file)
    } catch {
      guard case .unreadable(_, ENOENT) = error, isOptional else { throw error }
    }
    if !text.isEmpty { text += text.hasSuffix("\n") ? "\n" : "\n\n" }
    try checkDropIns(of: MergedConfiguration.read(files, isOptional: isOptional), have: region.identifier)
    text += region.toml
    _ = try MergedConfiguration(files.texts(isOptional: isOptional, replacing: (file, text))).document()
    try ConfigurationFile.replace(file, with: text)
  }

  /// Throws if a drop-in has a region of this name, which would change the added one.
  private static func checkDropIns(of merged: MergedConfiguration, have identifier: String) throws(ConfigurationError) {
    guard case .list(let regions)? = merged.nodes["region"]?.value else { return }
    for region in regions {
      guard case .table(let keys) = region.value, keys["identifier"]?.value == .text(identifier),
        let line = keys["identifier"]?.position?.sourceLine, line.file > 0
      else { continue }
      throw .invalid([
        ConfigurationProblem(
          file: merged.files[line.file], line: line.number, column: nil,
          message: "region \(identifier.quoted): identifier: a drop-in uses this name already; choose another one")
      ])
    }
  }

  /// Reads a config from text.
  ///
  /// - Parameter name: The name of the text in errors.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Configuration {
    try ConfigurationDocument.parse(text: text, name: name).configuration
  }
}
