import Foundation
import TestSupport
import Testing

/// `beaconmon heading` beside a daemon whose receiver has a compass.
@Suite struct HeadingCommandTests {
  private func scene() throws -> (receiver: Receiver, scene: LocationScene) {
    let receiver = Receiver()
    return (receiver, try LocationScene(receiver.config + "[heading]\nsource = \"receiver\"\n"))
  }

  @Test func `in a pipe each heading is one line of JSON`() throws {
    let (receiver, scene) = try scene()
    let run = try RunningProgram(Programs.commandLine, ["heading", "--bus", scene.stage.bus.address])
    var line: String?
    try wait(for: "a heading") {
      receiver.point(359.9)
      line = try? run.output.next(within: 0.2)
      return line != nil
    }
    let heading = try JSON(parsing: try #require(line))
    #expect(heading["magneticHeading"] == 359.9 && heading["kind"] == "heading" && heading["timestamp"] != nil)
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [60, 80] as [UInt16])
  func `a terminal shows a rose that follows the window, and Ctrl-C leaves it as it was`(columns: UInt16) throws {
    let (receiver, scene) = try scene()
    let run = try TerminalProgram(["heading", "--bus", scene.stage.bus.address], columns: columns)
    try wait(for: "the rose") {
      receiver.point(100)
      return run.shows("100° magnetic E")
    }
    #expect(run.text.contains("▲") && run.text.contains("\u{1B}[?25l"))
    run.forget()
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    try run.waitForText("\u{1B}[?25h")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device without a compass is a failure with a reason`() throws {
    let scene = try LocationScene("[heading]\nsource = \"off\"\n")
    let run = try CommandLine(["heading", "--bus", scene.stage.bus.address])
    #expect(run.status == 69 && run.errors.count == 1, "\(run.errors)")
    scene.daemon.signal(SIGTERM)
  }
}
