import EventLoop
import Headings
import Instants
import Locations
import Motion
import Orientation
import Records
import TestSupport
import Testing

@testable import HeadingSources

@Suite struct ScanLayoutTests {
  @Test(
    arguments: [
      ("le:s16/16>>0", [0x34, 0x12], 0x1234), ("be:s16/16>>0", [0x12, 0x34], 0x1234), ("le:s12/16>>4", [0xF0, 0xFF], -1),
      ("le:u12/16>>4", [0xF0, 0xFF], 0xFFF), ("le:s12/16>>4", [0x5F, 0x12], 0x125), ("be:s24/32>>8", [0x80, 0, 0, 0xFF], -0x80_0000),
      ("le:s32/32>>0", [0xFF, 0xFF, 0xFF, 0xFF], -1), ("le:s64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0x80], Int64.min + 1),
      ("le:u8/8>>0", [200], 200),
      ("le:s16/16", [0xFE, 0xFF], -2),
    ] as [(String, [UInt8], Int64)])
  func `a value has the sign, order, shift and width of its type`(text: String, octets: [UInt8], value: Int64) throws {
    let type = try #require(ScanType(text))
    #expect(octets.withUnsafeBytes { type.value(in: $0, at: 0) } == value)
  }

  @Test(arguments: [
    "", "le:s16", "xe:s16/16>>0", "le:x16/16>>0", "le:s17/16>>0", "le:s16/16>>1", "le:s16/24>>0", "le:s0/16>>0", "le:s16/16X3>>0",
    "le:s12/16>>-4", "le:s12/16>>4>>4",
  ])
  func `a type of another form is refused`(text: String) {
    #expect(ScanType(text) == nil)
  }

  @Test func `elements follow their index, each aligned to its size, and the scan to the largest one`() throws {
    let short = try #require(ScanType("le:s16/16>>0"))
    let long = try #require(ScanType("le:s64/64>>0"))
    let layout = ScanLayout([
      ScanLayout.Element(name: "time", index: 3, type: long), ScanLayout.Element(name: "y", index: 1, type: short),
      ScanLayout.Element(name: "x", index: 0, type: short), ScanLayout.Element(name: "z", index: 2, type: short),
    ])
    #expect(layout.size == 16)
    let scan = BufferedDevice.scan(1, -2, 3, at: 4)
    scan.withUnsafeBytes { octets in
      #expect(layout.value(of: "x", in: octets, at: 0) == 1 && layout.value(of: "y", in: octets, at: 0) == -2)
      #expect(layout.value(of: "z", in: octets, at: 0) == 3 && layout.value(of: "time", in: octets, at: 0) == 4)
      #expect(layout.value(of: "w", in: octets, at: 0) == nil)
    }
  }
}
