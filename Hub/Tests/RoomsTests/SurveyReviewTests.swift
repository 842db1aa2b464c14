import Rooms
import Testing

@Suite struct SurveyReviewTests {
  static let devices = zip(["door", "till", "roof", "desk"], Site.devices).map { PlacedDevice(name: $0, device: $1) }

  private func review(_ levels: [Int32: Int], room: String = "hall", seconds: Int = 100, hearing: [SiteDevice] = Site.devices)
    -> SurveyReview
  {
    SurveyReview(
      of: RoomSurveyTests.survey(room, levels, seconds: seconds, devices: hearing), at: "berlin", devices: Self.devices)
  }

  @Test func `a sufficient survey is stored, with its content in a line`() {
    let review = review([1: -50, 2: -78])
    #expect(review.refusal == nil && review.lines == ["hall: 196 levels of 2 devices in 100 s"])
  }

  @Test func `a survey without digests, and one in which no device heard the tag, are refused without a line`() {
    #expect(review([:], hearing: []).refusal == .noDigest(site: "berlin") && review([:], hearing: []).lines.isEmpty)
    #expect(review([:]).refusal == .unheardWalk(room: "hall") && review([:]).lines.isEmpty)
  }

  @Test func `a survey that no device of its room heard has a warning`() {
    let review = review([1: -50], room: "attic")
    #expect(review.refusal == nil && review.lines.dropFirst() == ["warning: no device in attic has heard the tag; was it this room?"])
    #expect(self.review([3: -50], room: "attic").lines.count == 1)
  }

  @Test func `devices that did not tell whether they heard the tag are named`() {
    let review = review([1: -50], hearing: [Site.devices[0], Site.devices[2]])
    #expect(review.refusal == nil)
    #expect(
      review.lines.dropFirst()
        == ["warning: these devices sent nothing, or digests full of louder beacons, and count less: till, desk"])
  }

  @Test func `a short walk may continue, and a tag that is heard too rarely does not help`() {
    #expect(review([1: -50, 2: -60], seconds: 45).refusal == .tooShort(missing: 15))
    var rare = RoomSurveyTests.survey("hall", [1: -50])
    rare.listeners[0].samples = Array(rare.listeners[0].samples.prefix(3))
    // 40 levels would take 1333 s, and the longest walk has 1200 s.
    #expect(SurveyReview(of: rare, at: "berlin", devices: Self.devices).refusal == .heardTooRarely(levels: 3, seconds: 100))
    rare.listeners[0].samples.append(RoomSurvey.Sample(time: 500, level: -50))
    #expect(SurveyReview(of: rare, at: "berlin", devices: Self.devices).refusal == .tooShort(missing: 900))
  }

  @Test(arguments: [(3, 57), (0, 60)])
  func `a walk of the settling time alone is too short to be read`(seconds: Int, missing: Int) {
    #expect(SurveyReview.refusal(ofSeconds: seconds) == .tooShort(missing: missing))
  }

  @Test func `a walk of at most 20 minutes is read`() {
    #expect(SurveyReview.refusal(ofSeconds: 4) == nil && SurveyReview.refusal(ofSeconds: 1200) == nil)
    #expect(SurveyReview.refusal(ofSeconds: 1201) == .tooLong)
  }

  @Test func `the parts of a walk are in the past, one after the other`() {
    #expect(SurveyReview.refusal(of: [(10, 20), (20, 30)], present: 30) == nil)
    #expect(SurveyReview.refusal(of: [(10, 10)], present: 30) == .reversedPart)
    #expect(SurveyReview.refusal(of: [(10, 20), (19, 30)], present: 30) == .unorderedParts)
    #expect(SurveyReview.refusal(of: [(10, 31)], present: 30) == .endInFuture)
    #expect(SurveyReview.refusal(of: [], present: 30) == .endInFuture)
  }

  @Test func `a room and its doors are rooms with a device, and a door leads to another room`() {
    func refusal(_ room: String, _ doors: [String]) -> SurveyRefusal? {
      SurveyReview.refusal(of: room, doors: doors, at: "berlin", devices: Self.devices)
    }
    #expect(refusal("hall", ["shop", "attic"]) == nil && refusal("hall", []) == nil)
    #expect(refusal("hall", ["hall"]) == .doorToItself(room: "hall"))
    for (room, doors) in [("cellar", ["hall"]), ("hall", ["cellar"])] {
      #expect(refusal(room, doors) == .unknownRoom("cellar", site: "berlin", rooms: ["attic", "hall", "shop"]))
    }
  }

  @Test func `only a walk that is too short may continue`() {
    #expect(SurveyRefusal.tooShort(missing: 7).missingSeconds == 7 && SurveyRefusal.tooLong.missingSeconds == nil)
    #expect("\(SurveyRefusal.tooShort(missing: 7))" == "the walk is too short and was not stored; walk for 7 s more")
    #expect("\(SurveyRefusal.tooLong)" == "a walk takes at most 20 minutes; walk again, or correct the times")
    #expect("\(SurveyRefusal.noSurvey(room: nil, site: "berlin"))" == "berlin has no survey; --list prints them")
    #expect("\(SurveyRefusal.noSurvey(room: "hall", site: "berlin"))" == "berlin has no survey of \"hall\"; --list prints them")
  }

  @Test func `a device hangs in a room with a name, at a floor of a building`() {
    #expect(SiteDevice.fault(ofRoom: nil, floor: nil) == nil && SiteDevice.fault(ofRoom: "hall", floor: -100) == nil)
    #expect(SiteDevice.fault(ofRoom: String(repeating: "a", count: 64), floor: 200) == nil)
    let long = String(repeating: "a", count: 65)
    #expect(SiteDevice.fault(ofRoom: long, floor: nil) == "the name of a room has 1 to 64 characters; shorten it")
    #expect(SiteDevice.fault(ofRoom: "", floor: nil)?.hasSuffix("leave out --room if the device hangs in no room") == true)
    for room in ["ha\nll", "hall\u{7F}", "\u{1B}[1mhall", "hall\u{2028}"] {
      #expect(SiteDevice.fault(ofRoom: room, floor: nil) == "the name of a room is one line without control characters")
    }
    #expect(SiteDevice.fault(ofRoom: nil, floor: 3) == "--floor belongs to a room; add --room")
    for floor in [-101, 201] {
      #expect(SiteDevice.fault(ofRoom: "hall", floor: floor) == "--floor is from -100 to 200; 0 is the ground floor")
    }
  }
}
