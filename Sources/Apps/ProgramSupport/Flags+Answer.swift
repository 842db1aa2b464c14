import Glibc

extension Flags {
  /// The flags that ask about the program itself.
  public static let aboutPlain = ["help", "version"]

  /// Answers `--help` or `--version` on standard output; false when neither was asked.
  public func answerAbout(_ program: String, help: String) -> Bool {
    guard has("help") || has("version") else { return false }
    Program.write(has("help") ? help : "\(program) \(Program.version)\n", to: STDOUT_FILENO)
    return true
  }
}
