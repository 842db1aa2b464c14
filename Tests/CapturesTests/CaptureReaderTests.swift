import BeaconAdvertising
import Captures
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct CaptureReaderTests {
  static let walk = Fixture.path("gallery-straight_01.btsnoop")
  static let walkSize = 94_201
  static let walkSightings = 1365

  /// Reads to the end, and returns the results and the error.
  private func read(_ path: String) -> (sightings: Int, offset: Int, size: Int?, error: String?) {
    do throws(CaptureFileError) {
      var reader = try CaptureReader(path: path)
      var sightings: [Sighting] = []
      do throws(CaptureFileError) {
        while try reader.read(into: &sightings) {}
        return (sightings.count, reader.offset, reader.size, nil)
      } catch {
        return (sightings.count, reader.offset, reader.size, "\(error)")
      }
    } catch {
      return (0, 0, nil, "\(error)")
    }
  }

  @Test func `a file is read to its end, and its size is known`() {
    let result = read(Self.walk)
    #expect(result.sightings == Self.walkSightings)
    #expect(result.offset == Self.walkSize)
    #expect(result.size == Self.walkSize)
    #expect(result.error == nil)
  }

  @Test func `octets that were inspected are still read, in pieces of any size`() throws {
    let folder = try TemporaryDirectory()
    for (text, isWalk) in [("# today\r\n$GPRMC,", true), (String(repeating: "x", count: 600) + "\n$", false), ("{", true), ("", false)] {
      let (source, fifo) = (folder.file("\(text.utf8.count)"), folder.file("\(text.utf8.count).fifo"))
      try Data(text.utf8).write(to: URL(fileURLWithPath: source))
      try #require(mkfifo(fifo, 0o600) == 0)
      let writer = try Child("/bin/dd", ["if=" + source, "of=" + fifo, "bs=1", "status=none"])
      var file = try CaptureFile(path: fifo)
      #expect(file.isWalk() == isWalk)
      #expect(file.offset == 0)
      var octets: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 7, alignment: 1)
      defer { buffer.deallocate() }
      while case let count = try file.read(into: buffer), count > 0 { octets += buffer.prefix(count) }
      #expect(octets == Array(text.utf8) && file.offset == octets.count)
      #expect(writer.wait() == 0)
    }
  }

  /// The capture has 2,990 iBeacons and 510 AltBeacons.
  @Test func `a capture may span several chunks`() {
    #expect(read(Fixture.path("mixed-10k.btsnoop")).sightings == 2990 + 510)
  }

  @Test func `a FIFO is read in pieces of any size, without a known size`() throws {
    let folder = try TemporaryDirectory()
    let fifo = folder.file("capture")
    try #require(mkfifo(fifo, 0o600) == 0)
    let writer = try Child("/bin/dd", ["if=" + Self.walk, "of=" + fifo, "bs=777", "status=none"])
    let result = read(fifo)
    #expect(writer.wait() == 0)
    #expect(result.sightings == Self.walkSightings)
    #expect(result.offset == Self.walkSize)
    #expect(result.size == nil)
    #expect(result.error == nil)
  }

  @Test func `a capture that ends inside a record yields the records before it and names the offset`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("cut.btsnoop")
    try Child.run("/bin/dd", ["if=" + Self.walk, "of=" + path, "bs=1", "count=200", "status=none"])
    let result = read(path)
    #expect(result.sightings == 2)
    #expect(
      result.error == "\(path): byte 154, record 3: the capture ends inside this record, 23 bytes early; everything before it was used")
  }

  @Test(
    arguments: [
      ("/nowhere/walk.btsnoop", "/nowhere/walk.btsnoop: open: No such file or directory; check the path"),
      ("/", "/: read: Is a directory; specify a file in this directory"),
      ("/dev/null", "/dev/null: byte 0: the capture is empty; record one with \"btmon -w FILE\""),
      ("/etc/passwd", "/etc/passwd: byte 0: this is not a btsnoop capture; record one with \"btmon -w FILE\""),
    ])
  func `an unreadable capture is named with the reason and a remedy`(path: String, message: String) {
    #expect(read(path).error == message)
  }

  @Test func `an output that cannot be written is not reported as unreadable`() {
    let error = CaptureFileError(name: "/etc/walk.btsnoop", cause: .systemCall("open for writing", code: EACCES))
    #expect("\(error)" == "/etc/walk.btsnoop: open for writing: Permission denied; specify a file in a folder that this user may write to")
  }
}
