import Foundation
import TestSupport
import Testing

@testable import HCI

/// The files follow the kernel's Documentation/ABI/stable/sysfs-class-rfkill, on a disk.
@Suite struct RFKillTests {
  private func isBlocked(_ adapter: String, soft: String, hard: String) throws -> Bool {
    let folder = try TemporaryDirectory()
    for (place, name) in [("rfkill0", "phy0"), ("rfkill3", "hci1")] {
      try FileManager.default.createDirectory(atPath: folder.file(place), withIntermediateDirectories: true)
      let isThis = name == "hci1"
      for (file, text) in [("name", name), ("soft", isThis ? soft : "1"), ("hard", isThis ? hard : "1")] {
        try "\(text)\n".write(toFile: folder.file("\(place)/\(file)"), atomically: false, encoding: .utf8)
      }
    }
    return RFKill.isBlocked(adapter, root: folder.path)
  }

  @Test(arguments: [("0", "0", false), ("1", "0", true), ("0", "1", true), ("1", "1", true)])
  func `a soft or hard block applies to its own adapter only`(soft: String, hard: String, isBlocked: Bool) throws {
    #expect(try self.isBlocked("hci1", soft: soft, hard: hard) == isBlocked)
  }

  @Test func `an adapter without an rfkill entry is not blocked`() throws {
    #expect(try !isBlocked("hci7", soft: "1", hard: "1"))
    #expect(!RFKill.isBlocked("hci0", root: "/nowhere"))
  }
}
