import Instants
import Logging
import TestSupport
import Testing
import VenueEditing
import Venues

/// Stored venues in memory.
private final class MemoryStore: VenueStore {
  var texts: [String: String] = [:]
  var kept: [String: [(version: VenueVersion, text: String)]] = [:]
  var isFull = false
  var isHistoryFull = false

  var venues: [String] { texts.keys.sorted() }
  func path(of venue: String) -> String { "/state/\(venue).toml" }
  func text(of venue: String) throws(VenueEditFailure) -> String? { texts[venue] }
  func revision(of text: String) -> String { "r\(text.utf8.reduce(0) { $0 &* 31 &+ Int($1) })" }

  func replace(_ venue: String, with text: String) throws(VenueEditFailure) {
    guard !isFull else { throw .unusable("no space left") }
    texts[venue] = text
  }

  func remove(_ venue: String) throws(VenueEditFailure) { texts[venue] = nil }

  func keep(_ text: String, of venue: String, as version: VenueVersion) throws(VenueEditFailure) {
    guard !isHistoryFull else { throw .unusable("no space left") }
    kept[venue, default: []].insert((version, text), at: 0)
  }

  func versions(of venue: String) -> [VenueVersion] { (kept[venue] ?? []).map(\.version) }

  func text(of venue: String, revision: String) throws(VenueEditFailure) -> String? {
    kept[venue]?.first { $0.version.revision == revision }?.text
  }
}

/// A configuration whose venues begin with their id; a text that begins with `bad` is invalid.
private final class FakeConfiguration: VenueConfiguration {
  var configured: [String: String] = [:]
  unowned let store: MemoryStore
  var adoptions = 0

  init(_ store: MemoryStore) { self.store = store }

  var venueFiles: [VenueFile] {
    configured.keys.sorted().map { VenueFile($0, file: "/etc/\($0).toml") }
      + store.venues.map { VenueFile($0, file: store.path(of: $0), revision: store.revision(of: store.texts[$0] ?? "")) }
  }

  func configuredText(of venue: String) throws(VenueEditFailure) -> String? { configured[venue] }

  func review(_ text: String) throws(VenueEditFailure) -> VenueReview {
    guard !text.hasPrefix("bad") else { throw .invalid(["line 1: is bad"]) }
    return VenueReview(String(text.prefix { !$0.isWhitespace }), warnings: text.contains("odd") ? ["line 1: is odd"] : [])
  }

  func adoptStoredVenues() { adoptions += 1 }
}

@Suite struct VenueEditorTests {
  private let store = MemoryStore()
  private let configuration: FakeConfiguration
  private let scheduler = ManualScheduler()
  private let editor: VenueEditor

  init() {
    configuration = FakeConfiguration(store)
    editor = VenueEditor(scheduler, store, configuration, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func failure(_ body: () throws -> Void) -> VenueEditFailure? {
    #expect(throws: VenueEditFailure.self) { try body() }
  }

  @Test func `a new venue is stored with its history and applied`() throws {
    let saved = try editor.save("hall odd", replacing: "", user: 1000)
    #expect(saved.review == VenueReview("hall", warnings: ["line 1: is odd"]) && configuration.adoptions == 1)
    #expect(try editor.text(of: "hall") == ("hall odd", saved.revision))
    #expect(
      try editor.history(of: "hall") == [VenueVersion(saved.revision, time: scheduler.wallClock, size: 8, user: 1000)])
  }

  @Test func `a change of a known revision replaces it, and both texts are kept`() throws {
    let first = try editor.save("hall 1", replacing: "", user: 1).revision
    let second = try editor.save("hall 2", replacing: first, user: 2).revision
    #expect(store.texts["hall"] == "hall 2" && store.versions(of: "hall").map(\.user) == [2, 1])
    #expect(try editor.text(of: "hall", revision: first) == ("hall 1", first))
    // An earlier text is stored again like any other.
    #expect(try editor.save("hall 1", replacing: second, user: 3).revision == first)
    #expect(store.versions(of: "hall").count == 3)
  }

  @Test func `two people who change one revision do not overwrite each other`() throws {
    let first = try editor.save("hall\na\n", replacing: "", user: 1).revision
    let second = try editor.save("hall\nb\n", replacing: first, user: 2).revision
    let failure = failure { _ = try editor.save("hall\nc\n", replacing: first, user: 1) }
    #expect(failure == .stale("hall", present: second, difference: "@@ -1,2 +1,2 @@\n hall\n-a\n+b"))
    #expect(failure?.description.contains("has the revision \(second) now") == true)
    #expect(store.texts["hall"] == "hall\nb\n" && configuration.adoptions == 2)
  }

  @Test func `a venue that was removed meanwhile is not stored by an old revision`() throws {
    let first = try editor.save("hall", replacing: "", user: 1).revision
    try editor.remove("hall", revision: first, user: 2)
    #expect(failure { _ = try editor.save("hall 2", replacing: first, user: 1) } == .stale("hall", present: nil, difference: ""))
    #expect(try editor.history(of: "hall").count == 1)
    #expect(try editor.text(of: "hall", revision: first).text == "hall")
    _ = try editor.save("hall 2", replacing: "", user: 1)
    #expect(configuration.adoptions == 3)
  }

  @Test func `the same text again changes nothing`() throws {
    let first = try editor.save("hall", replacing: "", user: 1).revision
    #expect(try editor.save("hall", replacing: first, user: 2).revision == first)
    #expect(store.versions(of: "hall").count == 1 && configuration.adoptions == 1)
  }

  @Test func `an invalid text is refused with its problems`() {
    #expect(failure { _ = try editor.save("bad", replacing: "", user: 1) } == .invalid(["line 1: is bad"]))
    #expect(store.texts.isEmpty && configuration.adoptions == 0)
  }

  @Test func `a file of the configuration is read but not replaced`() throws {
    configuration.configured["hall"] = "hall etc"
    #expect(try editor.text(of: "hall").text == "hall etc")
    let refusal = VenueEditFailure.notEditable("hall", path: "/etc/hall.toml")
    #expect(failure { _ = try editor.save("hall 2", replacing: "", user: 1) } == refusal)
    #expect(failure { try editor.remove("hall", revision: "", user: 1) } == refusal)
    #expect(try editor.history(of: "hall").isEmpty)
  }

  @Test func `a text that was put into the folder by hand is kept before it is replaced`() throws {
    let first = try editor.save("hall 1", replacing: "", user: 1).revision
    store.texts["hall"] = "hall by hand"
    guard case .stale(_, let present?, _)? = failure({ _ = try editor.save("hall 2", replacing: first, user: 1) }) else {
      Issue.record("was not refused")
      return
    }
    _ = try editor.save("hall 2", replacing: present, user: 1)
    #expect(store.versions(of: "hall").map(\.user) == [1, nil, 1])
    #expect(try editor.text(of: "hall", revision: present).text == "hall by hand")
  }

  @Test func `a full disk leaves the old text`() throws {
    let first = try editor.save("hall 1", replacing: "", user: 1).revision
    store.isFull = true
    #expect(failure { _ = try editor.save("hall 2", replacing: first, user: 1) } == .unusable("no space left"))
    #expect(store.texts["hall"] == "hall 1" && configuration.adoptions == 1)
  }

  @Test func `a text that is missing from the history is kept with the next change`() throws {
    store.isHistoryFull = true
    let first = try editor.save("hall 1", replacing: "", user: 1).revision
    store.isHistoryFull = false
    _ = try editor.save("hall 2", replacing: first, user: 1)
    #expect(store.versions(of: "hall").map(\.user) == [1, nil])
  }

  @Test func `unknown venues and revisions are named`() throws {
    #expect(failure { _ = try editor.text(of: "hall") } == .noSuchVenue("hall", known: []))
    #expect(failure { _ = try editor.history(of: "hall") } == .noSuchVenue("hall", known: []))
    #expect(failure { try editor.remove("hall", revision: "", user: 1) } == .noSuchVenue("hall", known: []))
    _ = try editor.save("hall", replacing: "", user: 1)
    #expect(
      failure { _ = try editor.text(of: "attic") }?.description == "there is no venue \"attic\"; the venues are hall")
    #expect(failure { _ = try editor.text(of: "hall", revision: "r0") } == .noSuchRevision("r0", of: "hall"))
  }

  @Test func `the number of stored venues is limited`() throws {
    for number in 0..<VenueEditor.mostVenues { _ = try editor.save("hall-\(number)", replacing: "", user: 1) }
    #expect(failure { _ = try editor.save("attic", replacing: "", user: 1) }?.description.hasPrefix("64 venues are stored") == true)
    _ = try editor.save("hall-1 more", replacing: store.revision(of: "hall-1"), user: 1)
  }
}
