import Foundation
import TestSupport
import Testing

/// A bus that is missing, hangs, already has a daemon, or has none.
@Suite struct BadBusTests {
  @Test(arguments: [["beaconmond"], ["beaconmon-notifier"], ["beaconmon", "status"], ["beaconmon", "monitor"]])
  func `a missing bus is named with its address`(command: [String]) throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Stage.hall)
    let arguments =
      switch command[0] {
      case "beaconmond": ["--config", config, "--source", "capture:\(Stage.walk)"]
      case "beaconmon-notifier": ["--config", config]
      default: Array(command.dropFirst())
      }
    let refusal = try stage.refusal(of: Programs.path(command[0]), arguments + ["--bus", "unix:path=\(stage.folder.path)/none"])
    #expect(refusal.status == 69)
    #expect(
      refusal.lines == [
        "\(command[0]): cannot connect to the bus at unix:path=FOLDER/none: No such file or directory (ENOENT); "
          + "start that bus, or select another one with --bus or --session"
      ])
  }

  @Test func `the daemon exits if the bus does not respond`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Stage.hall)
    stage.bus.freeze()
    let refusal = try stage.refusal(
      of: Programs.daemon, ["--config", config, "--source", "capture:\(Stage.walk)", "--bus", stage.bus.address])
    stage.bus.thaw()
    #expect(refusal.status == 69)
    #expect(refusal.lines.count == 1 && refusal.lines[0].hasPrefix("beaconmond: the bus at BUS does not respond: "))
  }

  @Test func `the error without a session bus states which variables are missing`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Stage.hall)
    let refusal = try stage.refusal(of: Programs.daemon, ["--config", config, "--source", "capture:\(Stage.walk)", "--session"])
    #expect(refusal.status == 69)
    #expect(
      refusal.lines == [
        "beaconmond: no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set; run the program in a session, or specify the address"
      ])
  }

  @Test func `a second daemon on a bus reports the owner and leaves the first one undisturbed`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let config = try stage.file("config.toml", Stage.hall)
    let first = try stage.daemon(config: config, source: feed.path)
    try feed.hear(at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let refusal = try stage.refusal(
      of: Programs.daemon, ["--config", config, "--source", "capture:\(Stage.walk)", "--bus", stage.bus.address])
    #expect(refusal.status == 75)
    #expect(refusal.lines.count == 1)
    #expect(
      refusal.lines[0].wholeMatch(
        of: /beaconmond: org\.beaconmon\.Monitor1 is owned by another process, :[0-9.]+; stop that beaconmond first, or use --bus/) != nil)
    try feed.hear(at: 40)
    _ = try listener.next("an exit of the first daemon") { $0.name == "RegionEvent" && $0.arguments[0] == 2 }
    first.signal(SIGTERM)
  }

  @Test func `the error without a daemon states how to start it`() throws {
    let stage = try Stage()
    let refusal = try stage.refusal(of: Programs.commandLine, ["status", "--bus", stage.bus.address])
    #expect(refusal.status == 69)
    #expect(
      refusal.lines == [
        "beaconmon: beaconmond is not running on the bus at BUS; start it with \"beaconmond --bus BUS\", or select another bus with --bus"
      ])
  }
}
