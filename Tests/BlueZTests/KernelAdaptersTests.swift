import BlueZ
import Foundation
import Testing

@Suite struct KernelAdaptersTests {
  @Test func `only adapters count, not their connections, and a missing class directory has none`() throws {
    let root = NSTemporaryDirectory() + "bluetooth-\(UUID())"
    #expect(!KernelAdapters.isAnyPlugged(root: root))
    try FileManager.default.createDirectory(atPath: root + "/hci0:11", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(!KernelAdapters.isAnyPlugged(root: root))
    try FileManager.default.createDirectory(atPath: root + "/hci0", withIntermediateDirectories: true)
    #expect(KernelAdapters.isAnyPlugged(root: root))
  }
}
