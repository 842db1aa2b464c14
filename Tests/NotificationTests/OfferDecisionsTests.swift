import Instants
import TestSupport
import Testing
import Venues

@testable import Notification

/// A file of decisions in memory.
final class FakeOfferFile: OfferHistoryFile {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let path = "/nearby"
  var text: String?
  var hasMovedAside = false
  /// The reasons why the file cannot be locked, written and moved; nil if it can be.
  var failure: String?
  var writeFailure: String?
  var canMove = true
  private(set) var writes = 0
  private var isLocked = false

  /// The decisions in the file, as another program reads and changes them.
  var history: OfferHistory {
    get { text.map { OfferHistory.read($0).history } ?? OfferHistory() }
    set { text = newValue.text }
  }

  func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    if let failure { throw Failure(description: failure) }
    isLocked = true
    defer { isLocked = false }
    return try body()
  }

  func read() throws -> String? {
    precondition(isLocked)
    return text
  }

  func write(_ text: String) throws {
    precondition(isLocked)
    if let writeFailure { throw Failure(description: writeFailure) }
    self.text = text
    writes += 1
  }

  func moveAside() -> String? {
    guard canMove else { return nil }
    (text, hasMovedAside) = (nil, true)
    return "/nearby.1"
  }
}

/// The decisions of a user while their file cannot be used.
@Suite struct OfferDecisionsTests {
  private static let entered = Instant(microseconds: 1_800_000_000_000_000)

  private let lines = LogLines()
  private let file = FakeOfferFile()
  private let decisions: OfferDecisions

  init() {
    decisions = OfferDecisions(file, log: lines.logger)
    file.history.setMuted(true, "gallery")
    file.history.allow("page https://example.org", "shop")
  }

  @Test func `without a file, decisions are kept in memory`() {
    let decisions = OfferDecisions(nil, log: lines.logger)
    decisions.update { $0.setMuted(true, "museum") }
    #expect(decisions.update { $0.isMuted("museum") && !$0.isMuted("shop") } && decisions.failure == nil)
  }

  @Test func `a change is stored, and an update without a change writes nothing`() {
    #expect(decisions.update { !$0.isMuted("shop") && $0.isMuted("gallery") } && file.writes == 0)
    decisions.update { $0.setMuted(true, "museum") }
    #expect(file.history.isMuted("museum") && file.writes == 1)
  }

  @Test func `while the file cannot be used, venues without a new decision are muted, and the file stays as it was`() {
    let before = file.text
    file.failure = "lock /nearby: too many open files"
    #expect(decisions.update { $0.isMuted("gallery") && $0.isMuted("shop") })
    #expect(decisions.failure == "lock /nearby: too many open files")
    file.failure = nil
    #expect(decisions.update { !$0.isMuted("shop") } && decisions.failure == nil)
    #expect(file.text == before && file.writes == 0)
  }

  @Test func `each failure is logged once, and again after the file was used`() {
    for failure in ["locked", "locked", "full", nil, "full"] {
      file.failure = failure
      decisions.update { _ in }
    }
    #expect(lines.all.map { $0.prefix { $0 != ";" } } == ["locked", "full", "full"])
  }

  @Test func `changes made while the file cannot be used answer at once, and are applied to its entries later`() {
    file.failure = "locked"
    decisions.update { $0.setMuted(false, "museum") }
    #expect(decisions.update { $0.enter("shop", at: Self.entered) })
    #expect(decisions.update { !$0.isMuted("museum") && $0.entries["shop"]?.entered == Self.entered })
    file.failure = nil
    file.history.setMuted(true, "castle")
    decisions.update { _ in }
    let stored = file.history
    #expect(stored.isMuted("gallery") && stored.isMuted("castle") && stored.entries["museum"]?.isMuted == false)
    #expect(!stored.isMuted("shop") && !stored.isUnverified)
    #expect(stored.entries["shop"]?.allowed == "page https://example.org" && stored.entries["shop"]?.entered == Self.entered)
  }

  @Test func `a change that is stored late is not repeated again`() {
    file.failure = "locked"
    decisions.update { $0.setMuted(true, "museum") }
    file.failure = nil
    decisions.update { _ in }
    // The user shows it again with another program.
    file.history.setMuted(false, "museum")
    #expect(decisions.update { !$0.isMuted("museum") } && !file.history.isMuted("museum"))
  }

  @Test func `a change that cannot be written keeps the changes that another program makes in the meantime`() {
    file.writeFailure = "full"
    decisions.update { $0.setMuted(true, "museum") }
    #expect(decisions.update { $0.isMuted("museum") && !$0.isMuted("shop") })
    file.history.setMuted(true, "castle")
    file.writeFailure = nil
    decisions.update { $0.setMuted(true, "park") }
    #expect(Set(file.history.entries.keys) == ["castle", "gallery", "museum", "park", "shop"])
  }

  @Test func `beyond the maximum of waiting changes, the oldest one is dropped`() {
    file.failure = "locked"
    decisions.update { $0.allow("app old", "shop") }
    for number in 0..<OfferDecisions.mostPending { decisions.update { $0.allow("app \(number)", "museum") } }
    file.failure = nil
    decisions.update { _ in }
    #expect(file.history.entries["museum"]?.allowed == "app \(OfferDecisions.mostPending - 1)")
    #expect(file.history.entries["shop"]?.allowed == "page https://example.org")
  }

  @Test func `a change that must be stored throws if it is not, and is forgotten`() {
    file.writeFailure = "full"
    #expect(throws: FakeOfferFile.Failure.self) { try decisions.store { $0.setMuted(true, "museum") } }
    #expect(decisions.update { $0.entries["museum"] } == nil)
    file.writeFailure = nil
    decisions.update { _ in }
    #expect(file.history.entries["museum"] == nil)
  }

  // MARK: Damage

  /// Removes the last line.
  private func damage() { file.text = (file.text ?? "").split(separator: "\n").dropLast().joined(separator: "\n") + "\n" }

  @Test func `a damaged file is moved aside, its intact entries are kept, and venues without one are muted`() {
    damage()
    decisions.update { $0.setMuted(false, "museum") }
    #expect(file.hasMovedAside && lines.all.first?.hasPrefix("/nearby was damaged and was moved to /nearby.1; 2 of its venues") == true)
    let stored = file.history
    #expect(stored.isUnverified && stored.isMuted("gallery") && stored.isMuted("castle"))
    #expect(!stored.isMuted("museum") && stored.entries["shop"]?.allowed == "page https://example.org")
  }

  @Test func `the intact entries of a damaged file survive a failure to write them`() {
    damage()
    file.writeFailure = "full"
    #expect(decisions.update { $0.entries.count } == 2)
    // Another program that finds no file must not take that for the first start.
    #expect(OfferDecisions(file, log: lines.logger).update { $0.isMuted("museum") })
    #expect(decisions.update { $0.entries.count } == 2)
    file.writeFailure = nil
    decisions.update { _ in }
    #expect(file.history.entries["shop"]?.allowed == "page https://example.org" && file.history.isUnverified)
  }

  @Test func `changes that wait are applied to the intact entries of a damaged file`() {
    file.failure = "locked"
    decisions.update { $0.allow("app new", "gallery") }
    file.failure = nil
    damage()
    decisions.update { _ in }
    #expect(file.history.isMuted("gallery") && file.history.entries["gallery"]?.allowed == "app new")
  }

  @Test func `a damaged file that cannot be moved is replaced by its intact entries with the next change`() {
    damage()
    file.canMove = false
    decisions.update { $0.setMuted(true, "museum") }
    #expect(file.history.isUnverified && Set(file.history.entries.keys) == ["gallery", "museum", "shop"])
    #expect(lines.all.count == 1 && lines.all.first?.hasPrefix("/nearby was damaged; 2 of its venues") == true)
  }
}
