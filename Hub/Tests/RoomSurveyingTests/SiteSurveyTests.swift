import Beacons
import Instants
import RoomSurveying
import Rooms
import Testing

@Suite struct SiteSurveyTests {
  private let store = FakeStore()
  private let installer: FakeInstaller

  init() { installer = FakeInstaller(store) }

  private func survey(of site: String = "berlin") -> SiteSurvey {
    SiteSurvey(of: site, connect: { [store] in store }, installer, installer, by: "ada")
  }

  private func take(_ room: String = "hall", doors: [String] = [], during parts: [(Int64, Int64)]) throws {
    try survey().take(Walk(room: room, doors: doors, tag: FakeStore.tag), parts: parts.map { (begin: $0, end: $1) })
  }

  @Test func `a completed walk is stored with its beginning`() throws {
    try take(doors: ["shop"], during: [(800_000, 840_000), (860_000, 900_000)])
    #expect(store.notes == ["berlin hall from 800000 by ada"])
    #expect(store.surveys["hall"]?.doors == ["shop"] && store.surveys["hall"]?.seconds == 77)
    #expect(installer.lines == ["hall: 76 levels of 1 device in 77 s", "stored the survey of hall"] && installer.pauses.isEmpty)
  }

  @Test(arguments: [(1_000_000, 12_000, 12), (990_500, 2500, 3), (988_001, 1, 1)] as [(Int64, Int64, Int)])
  func `a walk that has just ended waits for the digests that are late`(end: Int64, wait: Int64, seconds: Int) throws {
    try take(during: [(900_000, end)])
    #expect(installer.pauses == [.milliseconds(wait)] && installer.lines.first == "waiting \(seconds) s for late digests")
  }

  @Test func `a walk that ended before the longest delay does not wait`() throws {
    try take(during: [(900_000, 988_000)])
    #expect(installer.pauses.isEmpty && store.surveys.count == 1)
  }

  @Test func `a refused walk is not stored`() {
    #expect(throws: SurveyRefusal.tooShort(missing: 20)) { try take(during: [(800_000, 840_000)]) }
    #expect(installer.lines == ["hall: 38 levels of 1 device in 40 s"])
    #expect(throws: SurveyRefusal.tooShort(missing: 57)) { try take(during: [(800_000, 803_000)]) }
    #expect(throws: SurveyRefusal.tooLong) { try take(during: [(-500_000, 701_000)]) }
    #expect(throws: SurveyRefusal.endInFuture) { try take(during: [(900_000, 2_000_000)]) }
    #expect(throws: SurveyRefusal.doorToItself(room: "hall")) { try take(doors: ["hall"], during: [(800_000, 900_000)]) }
    store.isHeard = false
    #expect(throws: SurveyRefusal.unheardWalk(room: "hall")) { try take(during: [(800_000, 900_000)]) }
    #expect(store.surveys.isEmpty)
  }

  @Test func `a tag has the numbers of one tag of the site, or a UUID`() throws {
    #expect(try survey().tag("3/4") == FakeStore.tag)
    #expect(try survey().tag("\(FakeStore.tag)") == FakeStore.tag)
    for text in ["3", "3/4/5", "a/b", "3/70000", ""] { #expect(throws: SurveyRefusal.noTag(text)) { try survey().tag(text) } }
    store.uuids = [1, 5]
    #expect {
      try survey().tag("3/4")
    } throws: {
      guard case .ambiguousTag("3/4", "berlin", let tags) = $0 as? SurveyRefusal else { return false }
      return tags.count == 2
    }
    store.uuids = []
    #expect(throws: SurveyRefusal.unheardTag("3/4", site: "berlin")) { try survey().tag("3/4") }
    store.placed = []
    #expect(throws: SurveyRefusal.noPlacedDevice(site: "berlin")) { try survey().tag("3/4") }
  }

  @Test func `an unknown site is refused`() {
    #expect(throws: SurveyRefusal.unknownSite("paris")) { try survey(of: "paris").list() }
    #expect(throws: SurveyRefusal.unknownSite("paris")) { try survey(of: "paris").forget(nil) }
    #expect(throws: SurveyRefusal.unknownSite("paris")) { try survey(of: "paris").tag("3/4") }
  }

  @Test func `the list has each room, those without a device at the end, and whether the surveys decide`() throws {
    try take(during: [(800_000, 900_000)])
    store.surveys["cellar"] = store.surveys["hall"]
    store.surveys["shop"] = store.surveys["hall"]
    store.damaged = ["shop"]
    let before = installer.lines.count
    try survey().list()
    let lines = Array(installer.lines[before...])
    #expect(lines.count == 4)
    #expect(lines[0] == "hall  2026-11-20 09:00  100 s, 98 levels of 1 device; doors to unknown rooms")
    #expect(lines[1].hasPrefix("shop  2026-11-20 09:00  the state is of version 9"))
    #expect(lines[2] == "cellar  2026-11-20 09:00  has no device now and does not count")
    #expect(lines[3] == "1 of 2 rooms is not surveyed, so learned levels decide")
  }

  @Test func `a survey is forgotten, and one that does not exist is an error`() throws {
    try take(during: [(800_000, 900_000)])
    #expect(throws: SurveyRefusal.noSurvey(room: "shop", site: "berlin")) { try survey().forget("shop") }
    try survey().forget(nil)
    #expect(installer.lines.last == "forgot the survey of hall" && store.surveys.isEmpty)
    #expect(throws: SurveyRefusal.noSurvey(room: nil, site: "berlin")) { try survey().forget(nil) }
  }
}
