import Foundation
import Testing

/// The linker's hardening of the installed programs.
@Suite(.ofRelease) struct HardeningTests {
  @Test(arguments: [Programs.daemon, Programs.notifier, Programs.commandLine])
  func `every symbol is bound at the start, and the relocation table is read-only afterwards`(program: String) throws {
    let file = try ELFFile(Data(contentsOf: URL(fileURLWithPath: program), options: .alwaysMapped))
    // DF_1_NOW and DF_1_PIE of DT_FLAGS_1, and a PT_GNU_RELRO segment (elf(5), System V ABI).
    let flags = try #require(file.dynamic[0x6FFF_FFFB])
    #expect(flags & 0x1 != 0, "linked with -z now")
    #expect(flags & 0x0800_0000 != 0, "a position-independent executable")
    #expect(file.segments.contains(0x6474_E552), "linked with -z relro")
  }
}

/// The headers of a 64-bit little-endian ELF file.
private struct ELFFile {
  /// The types of the program headers.
  let segments: [UInt32]
  /// The entries of the dynamic section by tag.
  let dynamic: [UInt64: UInt64]

  init(_ octets: Data) {
    func number<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type) -> Number {
      octets.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
    let start = Int(number(32, as: UInt64.self))
    let headers = (0..<Int(number(56, as: UInt16.self))).map { start + $0 * Int(number(54, as: UInt16.self)) }
    segments = headers.map { number($0, as: UInt32.self) }
    var dynamic: [UInt64: UInt64] = [:]
    for header in headers where number(header, as: UInt32.self) == 2 {
      let (offset, size) = (Int(number(header + 8, as: UInt64.self)), Int(number(header + 32, as: UInt64.self)))
      for entry in stride(from: offset, to: offset + size, by: 16) {
        dynamic[number(entry, as: UInt64.self)] = number(entry + 8, as: UInt64.self)
      }
    }
    self.dynamic = dynamic
  }
}
