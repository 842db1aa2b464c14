import Testing

@testable import IMDF

@Suite struct ZipArchiveTests {
  private func archive(_ files: [(String, [UInt8])]) throws -> [UInt8] {
    try ZipArchive().archive(of: files.map { (name: $0.0, content: $0.1) })
  }

  private func read(_ octets: [UInt8], _ limits: ZipArchive.Limits = .init()) throws -> (
    files: [String: [UInt8]], refused: [String: ZipArchive.Refusal]
  ) {
    var refused: [String: ZipArchive.Refusal] = [:]
    let files = try ZipArchive().files(in: octets, limits: limits, isWanted: IMDFFormat.isRead) { refused[$0] = $1 }
    return (files, refused)
  }

  @Test func `files of an archive are read as they were written`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let octets = try archive([("manifest.json", Array("{}".utf8)), ("unit.geojson", content), ("level.geojson", [])])
    let result = try read(octets)
    #expect(result.files == ["manifest.json": Array("{}".utf8), "unit.geojson": content, "level.geojson": []])
    #expect(result.refused.isEmpty)
  }

  @Test func `files in one folder are read, and other files are not`() throws {
    let octets = try archive([
      ("museum/unit.geojson", [1]), ("museum/notes.txt", [2]), ("__MACOSX/._unit.geojson", [3]), ("a/b/level.geojson", [4]),
    ])
    let result = try read(octets)
    #expect(result.files == ["unit.geojson": [1]])
    #expect(result.refused == ["a/b/level.geojson": .unsafeName])
  }

  @Test(arguments: ["../unit.geojson", "/unit.geojson", "..\\unit.geojson", "x/../unit.geojson"])
  func `names that lead out of a folder are refused`(name: String) throws {
    let result = try read(try archive([(name, [1]), ("level.geojson", [2])]))
    #expect(result.files == ["level.geojson": [2]])
    #expect(result.refused == [name: .unsafeName])
  }

  @Test func `an archive of which no file can be read is refused with the first reason`() throws {
    let octets = try archive([("../unit.geojson", [1]), ("/level.geojson", [2])])
    let error = #expect(throws: IMDFError.self) { try IMDFImport(archive: octets, id: "gallery") }
    #expect(
      error.map { "\($0)" }
        == "no file of the archive can be read: the archive has an entry with an unsafe name, which is ignored: ../unit.geojson")
  }

  @Test func `a file that decompresses to too much is refused, whatever size its header states`() throws {
    let bomb = try archive([("unit.geojson", [UInt8](repeating: 0x20, count: 40 << 20))])
    #expect(bomb.count < 1 << 20)
    #expect(throws: IMDFError.self) { try read(bomb) }
    // The size in the directory becomes one octet.
    var lying = bomb
    let directory = try #require(lying.indices.last { lying[$0...].starts(with: [0x50, 0x4B, 0x01, 0x02]) })
    lying.replaceSubrange(directory + 24..<directory + 28, with: [1, 0, 0, 0])
    #expect(throws: IMDFError.self) {
      let result = try read(lying)
      // libzip may notice the wrong size first.
      if result.refused["unit.geojson"] != nil { throw IMDFError.invalid("damaged") }
    }
  }

  @Test func `the sum of all files is limited`() throws {
    let part = [UInt8](repeating: 0x20, count: 600)
    let octets = try archive([("unit.geojson", part), ("level.geojson", part)])
    #expect(throws: IMDFError.self) { try read(octets, .init(mostOctets: 1000, mostOctetsInTotal: 1000)) }
    #expect(try read(octets, .init(mostOctets: 1000, mostOctetsInTotal: 1200)).files.count == 2)
  }

  @Test func `an archive with too many entries is refused`() throws {
    let octets = try archive((0..<300).map { ("\($0).txt", []) })
    #expect(throws: IMDFError.self) { try read(octets) }
  }

  @Test func `an encrypted file is refused`() throws {
    var octets = try archive([("unit.geojson", [1, 2, 3]), ("level.geojson", [4])])
    // The first bit of the flags marks it, in the directory and before the data.
    for (signature, offset) in [([0x50, 0x4B, 0x03, 0x04] as [UInt8], 6), ([0x50, 0x4B, 0x01, 0x02], 8)] {
      let start = try #require(octets.indices.first { octets[$0...].starts(with: signature) })
      octets[start + offset] |= 1
    }
    let result = try read(octets)
    #expect(result.files == ["level.geojson": [4]])
    #expect(result.refused == ["unit.geojson": .encrypted])
  }

  @Test func `damaged data are refused`() throws {
    var octets = try archive([("unit.geojson", Array(String(repeating: "abcdefgh", count: 1000).utf8)), ("level.geojson", [4])])
    let start = try #require(octets.indices.first { octets[$0...].starts(with: Array("unit.geojson".utf8)) })
    for offset in 12..<30 { octets[start + offset] ^= 0xFF }
    let result = try read(octets)
    #expect(result.files == ["level.geojson": [4]])
    #expect(result.refused.keys.sorted() == ["unit.geojson"])
  }

  @Test(arguments: [[], [0x50, 0x4B], Array("{\"type\":\"FeatureCollection\"}".utf8), [UInt8](repeating: 0, count: 1000)] as [[UInt8]])
  func `octets that are not a zip file are refused`(octets: [UInt8]) {
    #expect(throws: IMDFError.self) { try read(octets) }
  }

  @Test func `every cut of an archive ends in files or an error`() throws {
    let octets = try archive([("unit.geojson", Array("[1,2,3]".utf8)), ("level.geojson", [4])])
    for count in 0..<octets.count { _ = try? read(Array(octets.prefix(count))) }
    for index in octets.indices {
      var damaged = octets
      damaged[index] ^= 0x55
      _ = try? read(damaged)
    }
  }
}
