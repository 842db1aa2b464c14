import EventLoop
import EventOutbox
import Failures
import Foundation
import Notification
import TestSupport
import Testing

/// The outbox with which a notifier starts.
@Suite struct StoredOutboxTests {
  private let scene: Scene
  private let lines = LogLines()

  init() throws {
    scene = try Scene()
  }

  private func stored(_ path: String?) throws(Failure) -> StoredOutbox {
    try StoredOutbox(scene.loop, path: path, device: "d", log: lines.logger)
  }

  @Test func `the outbox is on disk if it has a place, and otherwise in memory`() throws {
    let (stored, volatile) = (try stored(scene.path), try stored(nil))
    #expect(stored.outbox.isOnDisk && stored.failedFile == nil)
    #expect(!volatile.outbox.isOnDisk && volatile.failedFile == nil)
    #expect(lines.all.isEmpty)
  }

  @Test func `an outbox whose disk fails is in memory, and its file can be opened when the disk works`() throws {
    let folder = scene.folder.file("disk")
    let stored = try stored("\(folder)/outbox.db")
    let file = try #require(stored.failedFile)
    #expect(!stored.outbox.isOnDisk && file.failure.contains("\(folder)/outbox.db"))
    guard case .failed = file.open() else {
      Issue.record("the folder is missing")
      return
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    guard case .opened(let outbox) = file.open() else {
      Issue.record("the folder exists")
      return
    }
    #expect(outbox.isOnDisk)
  }

  @Test func `a file that cannot be read ends the first start with advice, and the second start moves it aside`() throws {
    try Data(repeating: 0xA5, count: 8192).write(to: URL(fileURLWithPath: scene.path))
    let failure = #expect(throws: Failure.self) { try stored(scene.path) }
    #expect(failure?.status == .dataError)
    #expect(failure?.description.hasSuffix("or restart the notifier, which moves it aside and keeps the readable deliveries") == true)
    #expect(try stored(scene.path).outbox.isOnDisk)
    #expect(lines.all.count == 1 && lines.all.first?.contains("was moved to \(scene.path).1") == true)
  }

  @Test func `a file that becomes unreadable while its disk fails is left where it is`() throws {
    let folder = scene.folder.file("disk")
    let file = try #require(try stored("\(folder)/outbox.db").failedFile)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data(repeating: 0xA5, count: 8192).write(to: URL(fileURLWithPath: "\(folder)/outbox.db"))
    guard case .unreadable(let reason) = file.open() else {
      Issue.record("the file is no database")
      return
    }
    #expect(reason.hasPrefix("\(folder)/outbox.db: "))
  }
}
