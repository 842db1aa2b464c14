import ProgramSettings
import Testing

@Suite struct ProgramSettingsTests {
  private func error(_ text: String) -> String? {
    do {
      _ = try ProgramSettings(text: text, name: "hub.conf")
      return nil
    } catch { return error.description }
  }

  @Test("comments, empty lines and settings without a value set nothing")
  func nothing() throws {
    let settings = try ProgramSettings(text: "# a comment\n\n  # BEACONMON_HUB_DATABASE=\"x\"\nBEACONMON_HUB_BROKER=\n", name: "hub.conf")
    #expect(settings == ProgramSettings())
  }

  @Test(
    "a value may have quotes, and keeps other quotes, backslashes and number signs",
    arguments: [
      (#""host=db dbname=fleet""#, "host=db dbname=fleet"), ("'host=db dbname=fleet'", "host=db dbname=fleet"),
      ("  host=db dbname=fleet  ", "host=db dbname=fleet"), (#""password='a" #\$b'""#, #"password='a" #\$b'"#), ("''", ""),
    ])
  func values(text: String, value: String) throws {
    let settings = try ProgramSettings(text: "  BEACONMON_HUB_DATABASE = \(text)\r\n", name: "hub.conf")
    #expect(settings[.database] == (value.isEmpty ? nil : value))
  }

  @Test("every setting is read by its name", arguments: ProgramSettings.Key.allCases)
  func names(key: ProgramSettings.Key) throws {
    let settings = try ProgramSettings(text: "\(key.rawValue)=\"value\"", name: "hub.conf")
    #expect(ProgramSettings.Key.allCases.filter { settings[$0] != nil } == [key])
  }

  @Test("an unknown setting is an error with its line")
  func unknown() {
    #expect(
      error("\n\nBEACONMON_HUB_DATABSE=x")?.hasPrefix("hub.conf:3: unknown setting \"BEACONMON_HUB_DATABSE\"; the settings are") == true)
    #expect(error("export BEACONMON_HUB_BROKER=x")?.contains("\"export BEACONMON_HUB_BROKER\"") == true)
  }

  @Test("a line without a value is an error")
  func incomplete() {
    #expect(error("BEACONMON_HUB_DATABASE")?.hasPrefix("hub.conf:1: ") == true)
  }

  @Test("a single quotation mark is an error", arguments: [#""host=db"#, #"host=db""#, "\"", "'a\""])
  func quotes(text: String) {
    #expect(error("BEACONMON_HUB_DATABASE=\(text)")?.contains("one quotation mark") == true)
  }

  @Test("a setting that is set twice is an error with both lines")
  func twice() {
    #expect(
      error("BEACONMON_HUB_BROKER=a\nBEACONMON_HUB_BROKER=b")
        == "hub.conf:2: BEACONMON_HUB_BROKER is set in line 1 already; remove one of the two lines")
  }

  @Test("a missing setting names its places, and the right that the user lacks")
  func missing() {
    func text(_ isReadable: Bool, option: String? = "--database") -> String {
      "\(MissingSetting("the database", .database, option: option, file: "hub.conf", isReadable: isReadable))"
    }
    #expect(
      text(true) == "the database is missing; set BEACONMON_HUB_DATABASE in hub.conf or in the environment, or use --database")
    #expect(
      text(false)
        == "the database is missing: hub.conf, which may set BEACONMON_HUB_DATABASE, is readable for root and the group beaconmon-hub only; "
        + "use sudo, or --database")
    #expect(text(true, option: nil) == "the database is missing; set BEACONMON_HUB_DATABASE in hub.conf or in the environment")
    #expect(text(false, option: nil).hasSuffix("the group beaconmon-hub only; use sudo"))
  }
}
