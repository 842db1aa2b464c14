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
  public static func add(_ region: CircularRegion, to file: String, isOptional: Bool) throws(ConfigurationError) {
    var text = ""
    do throws(ConfigurationError) {
      text = try ConfigurationFile.text(of: file)
    } catch {
      guard case .unreadable(_, ENOENT) = error, isOptional else { throw error }
    }
    if !text.isEmpty { text += text.hasSuffix("\n") ? "\n" : "\n\n" }
    text += region.toml
    _ = try parse(text: text, name: file)
    try ConfigurationFile.replace(file, with: text)
  }

  /// Reads a config from text.
  ///
  /// - Parameter name: The name of the text in errors.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Configuration {
    try ConfigurationDocument.parse(text: text, name: name).configuration
  }
}
