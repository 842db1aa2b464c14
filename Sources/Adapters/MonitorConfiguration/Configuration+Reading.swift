import TOML

extension Configuration {
  /// Reads a file of at most 1 MiB. The errors call it as it is called here.
  public static func read(file: String) throws(ConfigurationError) -> Configuration {
    try parse(text: ConfigurationFile.text(of: file), name: file)
  }

  /// - Parameter name: what the errors call the text.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> Configuration {
    let problems = ProblemList(file: name)
    let configuration = parse(text, problems)
    try problems.throwIfAny()
    return configuration
  }

  private static func parse(_ text: String, _ problems: ProblemList) -> Configuration {
    do throws(TOMLSyntaxError) {
      let keys = try TOMLParser.parse(text)
      return ConfigurationReader(TableReader(keys, line: 1, place: [], problems: problems)).configuration()
    } catch {
      problems.report(line: error.line, column: error.column, error.message)
      return Configuration()
    }
  }
}
