import Glibc

extension Flags {
  /// The flags for questions about the program itself.
  public static let aboutPlain = ["help", "version"]

  /// Answers `--help` or `--version` on standard output; returns false if neither was given.
  public func answerAbout(_ program: String, help: String) -> Bool {
    guard has("help") || has("version") else { return false }
    Program.write(has("help") ? help : "\(program) \(Program.version)\n", to: STDOUT_FILENO)
    return true
  }
}
