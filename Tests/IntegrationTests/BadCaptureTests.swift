import Foundation
import TestSupport
import Testing

/// A capture without records ends the daemon with one line; one that is broken later is played until there.
@Suite struct BadCaptureTests {
  struct BadCapture: CustomTestStringConvertible {
    let octets: [UInt8]
    let message: String
    var testDescription: String { message }
  }

  @Test(
    arguments: [
      BadCapture(octets: [], message: "byte 0: the capture is empty; record one with \"btmon -w FILE\""),
      BadCapture(
        octets: Array("RIFF....WAVEfmt ".utf8), message: "byte 0: this is not a btsnoop capture; record one with \"btmon -w FILE\""),
      BadCapture(
        octets: Array(CaptureOctets.header().prefix(11)),
        message: "byte 11: the capture ends inside its header of 16 bytes; copy or record it again"),
      BadCapture(
        octets: CaptureOctets.header(), message: "byte 16: the capture has a header but no records; record it again for longer"),
      BadCapture(
        octets: CaptureOctets.header(dataLink: 999) + CaptureOctets.sighting(minor: 1, at: 0),
        message: "byte 12: data link 999 is not supported; it must be 1001 (HCI), 1002 (H4) or 2001 (Linux monitor)"),
      BadCapture(
        octets: CaptureOctets.header() + CaptureOctets.record([0x04], at: 0, claimed: 70_000),
        message:
          "byte 16, record 1: it claims 70000 bytes, more than a packet can have; the rest of the capture cannot be read, copy or record it again"
      ),
      BadCapture(
        octets: CaptureOctets.header() + CaptureOctets.sighting(minor: 1, at: 0).dropLast(1),
        message: "byte 16, record 1: the capture ends inside this record, 1 byte early; everything before it was used"),
    ])
  func `a capture without a record ends the daemon before it takes its bus name`(capture: BadCapture) throws {
    let stage = try Stage()
    let listener = try BusClient(stage.bus, matching: "type='signal',member='NameOwnerChanged',arg0='\(BusClient.busName)'")
    let config = try stage.file("config.toml", Stage.hall)
    let file = try stage.file("walk.btsnoop", capture.octets)
    let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "capture:\(file)"])
    #expect(refusal.status == 65)
    #expect(refusal.lines == ["beaconmond: FOLDER/walk.btsnoop: \(capture.message)"])
    #expect(listener.signals == [])
  }

  @Test(
    arguments: [
      ("FOLDER/nothing.btsnoop", "FOLDER/nothing.btsnoop: open: No such file or directory; check the path"),
      ("FOLDER", "FOLDER: read: Is a directory; specify a file in this directory"),
    ])
  func `an unreadable capture is refused as input`(path: String, message: String) throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Stage.hall)
    let source = "capture:" + path.replacingOccurrences(of: "FOLDER", with: stage.folder.path)
    let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", source])
    #expect(refusal.status == 66)
    #expect(refusal.lines == ["beaconmond: \(message)"])
  }

  @Test(
    arguments: [
      ("source = \"capture:FOLDER/nothing.btsnoop\"", 66), ("source = \"capture:FOLDER/empty.btsnoop\"", 65),
      ("source = \"simulator:FOLDER/nothing.toml\"", 66), ("source = \"simulator:FOLDER/empty.btsnoop\"", 78),
      ("source = \"none\"\n[location.capture]\npath = \"FOLDER/nothing.nmea\"", 66),
    ])
  func `a reload refuses a file of the source with the reason that a start gives, and keeps the previous one`(
    changed: String, status: Int32
  ) throws {
    let stage = try Stage()
    _ = try stage.file("empty.btsnoop", [UInt8]())
    let started = "source = \"capture:\(Programs.fixture("gallery-straight_01.btsnoop"))\"\n"
    let config = try stage.file("config.toml", started)
    let command = ["--bus", stage.bus.address, "--config", config]
    let daemon = try RunningProgram(Programs.daemon, command)
    try stage.listener().waitForDaemon()
    _ = try stage.file("config.toml", changed.replacingOccurrences(of: "FOLDER", with: stage.folder.path))
    let refusal = try stage.refusal(of: Programs.daemon, command)
    #expect(refusal.status == status)
    daemon.signal(SIGHUP)
    for line in refusal.lines {
      let reason = line.dropFirst("beaconmond: ".count)
      _ = try daemon.log.next("the reason") { $0.replacingOccurrences(of: stage.folder.path, with: "FOLDER").contains(reason) }
    }
    _ = try daemon.log.next("the refusal") { $0.contains("config.toml: refused; keeping the previous configuration") }
    _ = try stage.file("config.toml", started)
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the next reload") { $0.contains("reloaded") }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test(
    arguments: [
      (
        CaptureOctets.record([0x04], at: 1, claimed: 70_000),
        "it claims 70000 bytes, more than a packet can have; the rest of the capture cannot be read, copy or record it again"
      ),
      (
        Array(CaptureOctets.sighting(minor: 2, at: 1).dropLast(5)),
        "the capture ends inside this record, 5 bytes early; everything before it was used"
      ),
    ])
  func `records before a broken one are played, and the note names the fault`(record: [UInt8], message: String) throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let file = try stage.file("walk.btsnoop", CaptureOctets.header() + CaptureOctets.sighting(minor: 1, at: 0) + record)
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: file)
    let pause = try listener.next("the pause") { $0.saysEnded }
    #expect(listener.signals.filter { $0.name == "RegionEvent" }.map { $0.arguments[1] } == ["enter", "exit"])
    let note = "\(file): byte 85, record 2: \(message)"
    #expect(pause.changed["SourceNote"] == .text(note))
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    #expect(try daemon.log.all() == ["beaconmond: warning: \(note)"])
  }
}
