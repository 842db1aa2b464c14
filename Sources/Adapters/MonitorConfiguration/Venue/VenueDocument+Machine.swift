extension VenueDocument {
  /// The maximum number of warnings about this machine.
  private static let mostMachineWarnings = 20

  /// Returns the references of the venue that do not work on this machine, each with its remedy, by line.
  ///
  /// Pictures and recordings must be readable, and apps installed.
  ///
  /// - Parameter environment: Provides the folders of installed apps: `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME`.
  public func machineWarnings(environment: [String: String]) -> [ConfigurationProblem] {
    let check = MachineCheck(environment: environment, folder: folder)
    let warnings = references.compactMap { reference in
      check.obstacle(to: reference.target).map {
        ConfigurationProblem(file: file, line: reference.line?.number, column: nil, message: "\(reference.place): \($0)")
      }
    }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    guard warnings.count > Self.mostMachineWarnings else { return warnings }
    let more = warnings.count - Self.mostMachineWarnings
    let last = ConfigurationProblem(
      file: file, line: warnings[Self.mostMachineWarnings].line, column: nil, message: "and \(more) more files or apps that are missing")
    return warnings.prefix(Self.mostMachineWarnings) + [last]
  }

  /// The folder of the file with a slash at its end; empty for the current one.
  private var folder: String { file.lastIndex(of: "/").map { String(file[...$0]) } ?? "" }
}
