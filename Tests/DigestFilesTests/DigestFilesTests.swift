import Beacons
import FleetMessages
import FleetReporting
import Foundation
import TestSupport
import Testing

@testable import DigestFiles

@Suite struct DigestFilesTests {
  let folder: TemporaryDirectory
  let lines = LogLines()

  init() throws { folder = try TemporaryDirectory() }

  private var files: DigestFiles { DigestFiles(folder: folder.path, log: lines.logger) }

  private func messages(_ count: Int) -> [FleetMessage] {
    let sighting = FleetSighting(
      beacon: BeaconIdentity(uuid: BeaconUUID(high: 7, low: 8), major: 1, minor: 2), level: -60, distance: nil, rate: 50, age: 40)
    return (1...count).map {
      FleetMessage(journal: StreamJournal(high: 1, low: 2), sequence: Int64($0), floor: 0, time: 5, body: .digest([sighting]))
    }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func `batches survive a restart in their order`() throws {
    let first = files
    let batches = [try first.write(messages(2)), try first.write(messages(3))]
    let second = files
    #expect(second.batches() == batches)
    #expect(second.read(batches[1]) == .messages(messages(3)))
    second.remove(batches[0])
    #expect(try second.write(messages(1)).number == 3)
    #expect(try names == ["digests-000000000002-3", "digests-000000000003-1"])
  }

  @Test func `every changed or missing octet is detected, and the file is moved aside`() throws {
    let batch = try files.write(messages(2))
    let path = folder.file("digests-000000000001-2")
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func reads(_ changed: [UInt8]) throws -> Bool {
      try Data(changed).write(to: URL(fileURLWithPath: path))
      defer { for number in 1...8 { try? FileManager.default.removeItem(atPath: "\(path).\(number)") } }
      return files.read(batch) != .lost
    }
    #expect(try reads(octets))
    for index in octets.indices {
      var changed = octets
      changed[index] ^= 0x20
      #expect(try !reads(changed), "octet \(index)")
      #expect(try !reads(Array(octets[..<index])), "the first \(index) octets")
    }
    try Data(octets.dropLast()).write(to: URL(fileURLWithPath: path))
    #expect(files.read(batch) == .lost)
    #expect(try names == ["digests-000000000001-2.1"])
    #expect(files.batches().isEmpty)
    #expect(lines.all.last?.hasSuffix("its 2 digests are lost for the hub, and the file was moved to \(path).1") == true)
  }

  @Test func `a file that cannot be opened for now is kept`() throws {
    let batch = StoredDigests(number: 1, count: 2, size: 0)
    // A link to itself cannot be opened, like a file when too many are open.
    let path = folder.file("digests-000000000001-2")
    #expect(symlink(path, path) == 0)
    guard case .unavailable(let reason) = files.read(batch) else {
      Issue.record("the link was opened")
      return
    }
    #expect(reason.hasPrefix("\(path): ") && lines.all.isEmpty)
    #expect(try names == ["digests-000000000001-2"])
    try FileManager.default.removeItem(atPath: path)
    #expect(files.read(batch) == .lost, "a file that another program has removed")
  }

  @Test func `a file with a number beyond its digits is ignored`() throws {
    for name in ["digests-9223372036854775807-1", "digests-1000000000000-1", "digests-000000000001-9223372036854775807"] {
      try Data().write(to: URL(fileURLWithPath: folder.file(name)))
    }
    #expect(files.batches().isEmpty)
    #expect(try files.write(messages(1)).number == 1)
  }

  @Test func `other files in the folder are left alone`() throws {
    for name in ["outbox.db", "digests-1-2", "digests-x-2", "digests-000000000009-2-3", "digests-000000000007--1"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    #expect(files.batches().isEmpty)
    #expect(try files.write(messages(1)).number == 1)
    #expect(try names.count == 6)
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk is an error, and leaves no remains`() throws {
    let disk = try SmallDisk()
    let files = DigestFiles(folder: disk.path, log: lines.logger)
    var count = 0
    let error = #expect(throws: DigestStoreError.self) {
      while count < 100 {
        _ = try files.write(messages(2000))
        count += 1
      }
    }
    #expect(count > 0 && error?.isFull == true)
    #expect(files.batches().count == count)
    #expect(files.batches().allSatisfy { files.read($0) == .messages(messages(2000)) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).count == count)
    try disk.grow()
    #expect(try files.write(messages(2000)).count == 2000)
  }
}
