import Simulation

extension Scenario {
  /// Reads a file of at most 1 MiB. The errors call it as it is called here.
  public static func read(file: String) throws(ConfigurationError) -> Scenario {
    try parse(text: ConfigurationFile.text(of: file), name: file)
  }

  /// - Parameter name: what the errors call the text.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Scenario {
    try TableReader.read(text, name: name) { ScenarioReader($0).scenario() }
  }
}
