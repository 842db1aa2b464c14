import Foundation
import TestSupport
import Testing

/// An invalid config ends every program with status 78 and one line: file, line, key, reason.
@Suite struct BadConfigTests {
  @Test(
    arguments: [
      (
        Stage.hall.replacingOccurrences(of: "8ec76ea3", with: "8ec76ea"),
        "FOLDER/config.toml:3: region \"hall\": uuid: a UUID has 36 characters (8-4-4-4-12), this has 35"
      ),
      (
        Stage.hall + Stage.hall,
        "FOLDER/config.toml:5: region \"hall\": identifier: is already used by the region in line 2; choose another one"
      ),
      ("sorce = \"capture:x\"\n" + Stage.hall, "FOLDER/config.toml:1: unknown key \"sorce\"; did you mean \"source\"?"),
      (
        Stage.hall + "exit-delay = 30\n",
        "FOLDER/config.toml:4: region \"hall\": exit-delay: must be a text such as \"30s\", not an integer"
      ),
      (
        Stage.hall + "minor = 3\n",
        "FOLDER/config.toml:4: region \"hall\": minor: requires major, because a minor is only unique within a major"
      ),
    ])
  func `an error in the config is reported with line, key and reason`(config: String, message: String) throws {
    let stage = try Stage()
    let file = try stage.file("config.toml", config)
    for (program, name) in [(Programs.daemon, "beaconmond"), (Programs.notifier, "beaconmon-notifier")] {
      let refusal = try stage.refusal(of: program, ["--bus", stage.bus.address, "--config", file])
      #expect(refusal.status == 78)
      #expect(refusal.lines == ["\(name): \(message)"])
    }
    let refusal = try stage.refusal(of: Programs.commandLine, ["config", "check", file])
    #expect(refusal.status == 78)
    #expect(refusal.lines == ["beaconmon: \(message)"])
  }

  @Test(
    arguments: [
      ("FOLDER/nothing.toml", "FOLDER/nothing.toml: cannot be read: No such file or directory; check the path"),
      ("FOLDER", "FOLDER: cannot be read: Is a directory; specify a file in it"),
    ])
  func `an unreadable config is reported with the reason`(path: String, message: String) throws {
    let stage = try Stage()
    let file = path.replacingOccurrences(of: "FOLDER", with: stage.folder.path)
    let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", file])
    #expect(refusal.status == 66)
    #expect(refusal.lines == ["beaconmond: \(message)"])
  }

  @Test func `the error for a config without a source states how to configure one`() throws {
    let stage = try Stage()
    let file = try stage.file("config.toml", Stage.hall)
    let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", file])
    #expect(refusal.status == 78)
    #expect(
      refusal.lines == [
        "beaconmond: FOLDER/config.toml: missing key \"source\"; add source = \"auto\", or use --source auto"
      ])
  }
}
