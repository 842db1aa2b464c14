import Simulation

extension Scenario {
  /// Reads a file of at most 1 MiB. Errors name it as `file` does.
  public static func read(file: String) throws(ConfigurationError) -> Scenario {
    try parse(text: ConfigurationFile.text(of: file), name: file)
  }

  /// Reads a scenario from text.
  ///
  /// - Parameter name: The name of the text in errors.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Scenario {
    try TableReader.read(text, name: name) { ScenarioReader($0).scenario() }
  }
}
