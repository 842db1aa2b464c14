import DBus
import Failures
import ProgramSupport
import Testing

@Suite struct FlagsTests {
  private static let help = "A program.\n\nUsage: program [--config FILE]\n       program --check\n\nOptions follow."

  private func flags(_ arguments: String...) throws(Failure) -> Flags {
    try Flags(arguments, valued: ["config"] + Flags.busValued, plain: ["check"] + Flags.busPlain + Flags.aboutPlain, help: Self.help)
  }

  @Test func `a value follows its flag or an equals sign, and may have one itself`() throws {
    #expect(try flags("--config", "a.toml", "--check")["config"] == "a.toml")
    #expect(try flags("--config=a=b.toml")["config"] == "a=b.toml")
    #expect(try flags("--config=")["config"] == "")
    // A value may begin with hyphens.
    #expect(try flags("--config", "--check")["config"] == "--check")
  }

  @Test func `a flag without a value is set, also by its short name`() throws {
    let flags = try flags("--check", "-h")
    #expect(flags.has("check") && flags.has("help") && !flags.has("version") && flags["config"] == nil)
  }

  @Test(arguments: [
    (["--config", "a", "--config=b"], "--config is given more than once"),
    (["--check", "--check"], "--check is given more than once"),
    (["--check=yes"], "--check takes no value"),
    (["--speed", "1"], "unknown option --speed; see --help"),
    (["a.toml"], "unexpected argument \"a.toml\"; see --help"),
    (["--"], "unexpected argument \"--\"; see --help"),
    (["-c"], "unexpected argument \"-c\"; see --help"),
    (["--config"], "--config requires a value; see --help\nusage: program [--config FILE]\n       program --check"),
  ])
  func `other arguments are errors of the command line`(arguments: [String], text: String) {
    #expect(throws: Failure(.usage, text)) {
      try Flags(arguments, valued: ["config"], plain: ["check"], help: Self.help)
    }
  }

  @Test func `the system bus is the default, and only one bus can be chosen`() throws {
    #expect(try flags().busAddress() == .system)
    #expect(try flags("--system").busAddress() == .system)
    #expect(try flags("--session").busAddress() == .session)
    #expect(try flags("--bus", "unix:path=/a").busAddress() == .explicit("unix:path=/a"))
    #expect(throws: Failure(.usage, "--bus, --session and --system cannot be combined")) {
      try flags("--session", "--bus=unix:path=/a").busAddress()
    }
  }
}
