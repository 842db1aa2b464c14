import Beacons
import Setup
import Testing

@Suite struct SetupDialogueTests {
  private static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
  private static let foreign = BeaconUUID(high: 1, low: 2)

  /// A config that refuses the names and distances that a real one refuses.
  private struct Config: SetupConfiguration {
    let path = "beaconmon.toml"
    var warnings: [String] = []

    func venue(at path: String) throws(SetupRefusal) -> SetupVenue {
      guard path == "gallery.toml" else { throw SetupRefusal(["\(path): cannot be read"]) }
      return SetupVenue(id: "gallery", places: ["compass", "quadrant"], beacons: [identity(1): "compass", identity(2): "quadrant"])
    }

    func review(_ plan: SetupPlan) throws(SetupRefusal) -> SetupReview {
      let names = plan.regions.map(\.name)
      guard Set(names).count == names.count else { throw SetupRefusal(["a name is used twice"]) }
      guard plan.regions.allSatisfy({ (0.1...100).contains($0.within ?? 1) }) else {
        throw SetupRefusal(["within: is not between 0.1 and 100"])
      }
      return SetupReview(text: names.map { "region \($0)\n" }.joined(), warnings: warnings)
    }
  }

  private static func identity(_ minor: UInt16, uuid: BeaconUUID = uuid) -> BeaconIdentity {
    BeaconIdentity(uuid: uuid, major: 1, minor: minor)
  }

  private static func surroundings(beacons: UInt16 = 12) -> SetupSurroundings {
    let own = (0..<beacons).map { SetupSurroundings.Beacon(identity($0 + 1), rssi: -60 - Double($0)) }
    return SetupSurroundings(
      beacons: own + [SetupSurroundings.Beacon(identity(9, uuid: foreign), rssi: -40)], source: "beaconmond hears", canListen: true)
  }

  /// Answers the questions, and returns the replies.
  private func answer(_ dialogue: inout SetupDialogue, _ lines: String...) -> [SetupReply] { lines.map { dialogue.answer($0) } }

  @Test func `twelve beacons become regions with eight answers or fewer`() throws {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    let replies = answer(&dialogue, "", "", "", "exhibit-*", "", "", "y")
    guard case .writes(let plan)? = replies.last else { return #expect(Bool(false), "\(replies)") }
    #expect(replies.dropLast().allSatisfy { $0 == .next })
    #expect(plan.regions.map(\.name) == (1...12).map { "exhibit-\($0)" })
    #expect(
      plan.regions[4]
        == SetupPlan.Region(name: "exhibit-5", area: .beacons(BeaconConstraint(uuid: Self.uuid, major: 1, minor: 5)), within: 3))
    #expect(plan.targets.isEmpty && plan.venue == nil && plan.ignoredAdapters.isEmpty)
  }

  @Test func `the UUID with the most beacons comes first, and another one can be typed`() {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    #expect(dialogue.question.choices == ["\(Self.uuid): 12 beacons, -60 dBm", "\(Self.foreign): 1 beacon, -40 dBm"])
    #expect(dialogue.answer("3") == .refused(["3 is not in the list; type a number from 1 to 2, or a UUID"]))
    #expect(dialogue.answer("12ab") == .refused(["a UUID has 36 characters (8-4-4-4-12), this has 4"]))
    #expect(dialogue.answer("00000000-0000-0000-0000-000000000007") == .next)
    // Its beacons are not in range, so only a region of the whole UUID is possible.
    _ = dialogue.answer("none")
    #expect(dialogue.question.choices == ["each UUID (1)"])
  }

  @Test func `without a beacon in range the reason is shown and a UUID is required`() {
    var surroundings = SetupSurroundings(source: "beaconmond hears", canListen: true)
    surroundings.obstacle = "beaconmond is not running"
    var dialogue = SetupDialogue(surroundings, Config())
    #expect(dialogue.question.standard == nil && dialogue.question.facts.first == "beaconmond is not running")
    #expect(dialogue.answer("") == .refused(["type an answer; ? explains the question"]))
    #expect(dialogue.answer("again") == .listens)
    dialogue.hear(Self.surroundings())
    #expect(dialogue.question.standard == "1")
  }

  @Test(arguments: [("none", "beacons"), ("gallery.toml", "gallery")])
  func `one region of all beacons has the name of the venue, or else a general one`(venue: String, name: String) {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    #expect(answer(&dialogue, "1", venue, "3", "") == [.next, .next, .next, .next])
    #expect(dialogue.plan.regions.map(\.name) == [name])
  }

  @Test func `back returns to each previous question, and the answers in between can change`() {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    #expect(dialogue.answer("back") == .refused(["this is the first question"]))
    _ = answer(&dialogue, "1", "none", "1")
    #expect(dialogue.question.title == "Names")
    #expect(dialogue.answer("BACK") == .next)
    #expect(dialogue.question.title == "Regions")
    _ = dialogue.answer("3")
    #expect(dialogue.question.facts.count == 1)
    _ = answer(&dialogue, "gallery", "none", "1")
    #expect(dialogue.isAtReview && dialogue.question.facts == ["1 region: gallery"])
  }

  @Test func `names are typed as a list, or one after the other`() {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 3), Config())
    _ = answer(&dialogue, "1", "none", "1")
    #expect(dialogue.question.facts == ["1/1  beacon-1-1  -60 dBm", "1/2  beacon-1-2  -61 dBm", "1/3  beacon-1-3  -62 dBm"])
    #expect(
      dialogue.answer("door") == .refused(["3 regions need 3 names; separate them with commas, or write a pattern such as door-*"]))
    #expect(dialogue.answer("a,b,c,d") == .refused(["there are 4 names for 3 regions"]))
    #expect(dialogue.answer("a, a, b") == .refused(["a name is used twice"]))
    #expect(dialogue.answer("door,,till") == .next)
    #expect(dialogue.plan.regions.map(\.name) == ["door", "beacon-1-2", "till"])
    _ = dialogue.answer("back")
    _ = dialogue.answer("each")
    #expect(dialogue.question.title == "Name 1 of 3" && dialogue.question.standard == "door")
    #expect(answer(&dialogue, "", "window", "door") == [.next, .next, .refused(["a name is used twice"])])
    _ = dialogue.answer("exit")
    #expect(dialogue.question.title == "Distance")
    #expect(dialogue.plan.regions.map(\.name) == ["door", "window", "exit"])
  }

  @Test func `single regions are named by their beacons`() {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 3), Config())
    _ = answer(&dialogue, "1", "none", "1")
    #expect(
      dialogue.answer("1/1=door, till") == .refused(["till names no region; begin each name with its beacon, or none"]))
    #expect(dialogue.answer("1/3 = till=2, 1/1=door") == .next)
    #expect(dialogue.plan.regions.map(\.name) == ["door", "beacon-1-2", "till=2"])
  }

  @Test func `a venue names the regions, and its places can be regions`() {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 3), Config())
    _ = dialogue.answer("1")
    #expect(dialogue.answer("nosuch.toml") == .refused(["nosuch.toml: cannot be read"]))
    _ = dialogue.answer("gallery.toml")
    #expect(dialogue.question.choices.last == "each place of the venue (2)" && dialogue.question.standard == "4")
    _ = dialogue.answer("1")
    #expect(dialogue.plan.regions.map(\.name) == ["compass", "quadrant", "beacon-1-3"])
    _ = answer(&dialogue, "back", "4")
    // A place has no distance.
    _ = dialogue.answer("")
    #expect(dialogue.question.title == "Targets")
    #expect(dialogue.plan.regions == [.init(name: "compass", area: .place("compass")), .init(name: "quadrant", area: .place("quadrant"))])
  }

  @Test(arguments: [
    ("2", [SetupPlan.Target.log]), ("3", [.webhook(url: "https://shop.example.org/events")]),
    ("4", [.broker(host: "broker.local", port: nil, isEncrypted: true)]),
    ("2,5", [.log, .command(["/usr/bin/logger", "A", "visitor"])]),
  ])
  func `each kind of target asks for its own address`(choice: String, targets: [SetupPlan.Target]) {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 1), Config())
    _ = answer(&dialogue, "1", "none", "1", "door", "3 m", choice)
    if choice == "3" { _ = dialogue.answer("https://shop.example.org/events") }
    if choice == "4" {
      #expect(
        dialogue.answer("broker:99999") == .refused(["\"99999\" is not a port; type a host such as broker.local, or broker.local:1883"]))
      _ = dialogue.answer("mqtts://broker.local")
    }
    if choice == "2,5" { _ = dialogue.answer("/usr/bin/logger A visitor") }
    #expect(dialogue.isAtReview)
    #expect(dialogue.plan.targets == targets)
  }

  @Test(arguments: ["0", "-1", "1000", "near", "nan", "inf"]) func `an impossible distance is asked again`(text: String) {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 1), Config())
    _ = answer(&dialogue, "1", "none", "1", "door")
    guard case .refused = dialogue.answer(text) else { return #expect(Bool(false), "\(text)") }
    #expect(dialogue.question.title == "Distance")
    #expect(dialogue.answer("2.5m") == .next && dialogue.plan.regions.first?.within == 2.5)
  }

  @Test func `regions that the config has are not offered again, and their names stay unique`() {
    var surroundings = Self.surroundings(beacons: 3)
    surroundings.present.constraints = [BeaconConstraint(uuid: Self.uuid, major: 1, minor: 1)]
    surroundings.present.regionNames = ["beacon-1-1", "beacon-1-2"]
    var dialogue = SetupDialogue(surroundings, Config())
    _ = answer(&dialogue, "1", "none", "1")
    #expect(dialogue.plan.regions.map(\.name) == ["beacon-1-2-2", "beacon-1-3"])
  }

  @Test func `several adapters are a question, and those that are not chosen are ignored`() throws {
    var surroundings = Self.surroundings()
    let addresses = try ["00:1A:7D:DA:71:13", "00:1A:7D:DA:71:14"].map { try #require(BluetoothAddress($0)) }
    surroundings.adapters = addresses.map { .init($0, name: "hci0") }
    var dialogue = SetupDialogue(surroundings, Config())
    #expect(dialogue.question.title == "Adapters")
    _ = dialogue.answer("3")
    #expect(dialogue.plan.ignoredAdapters == [addresses[0]])
    _ = answer(&dialogue, "back", "")
    #expect(dialogue.plan.ignoredAdapters.isEmpty)
  }

  @Test func `the review shows the text and its warnings, and nothing is written without a yes`() {
    var dialogue = SetupDialogue(Self.surroundings(beacons: 1), Config(warnings: ["a warning"]))
    _ = answer(&dialogue, "1", "none", "1", "door", "", "2")
    #expect(dialogue.question.facts == ["1 region: door, within 3 m", "target: the log", "a warning"])
    #expect(dialogue.answer("show") == .explained(["region door", ""]))
    #expect(dialogue.answer("perhaps") == .refused(["type y or n"]))
    #expect(dialogue.answer("n") == .ends)
  }

  @Test func `a plan without any change is not written`() {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    _ = answer(&dialogue, "none", "none", "1")
    #expect(dialogue.isAtReview && dialogue.question.standard == nil)
    #expect(dialogue.answer("y") == .refused(["there is nothing to write; \"back\" returns to the questions, and \"quit\" ends"]))
  }

  @Test func `the services are a question only where they can be started`() {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    let cannotStart = dialogue.finishWriting(startingWith: [])
    #expect(!cannotStart)
    let canStart = dialogue.finishWriting(startingWith: ["systemctl reload beaconmond"])
    #expect(canStart && dialogue.question.facts == ["systemctl reload beaconmond"])
    #expect(dialogue.answer("back") == .refused(["this is the first question"]))
    #expect(dialogue.answer("") == .starts)
  }

  @Test func `every question explains itself and takes no number outside its list`() {
    var dialogue = SetupDialogue(Self.surroundings(), Config())
    for line in ["1", "none", "1", "", "", "3", "https://shop.example.org", "n"] {
      guard case .explained(let lines) = dialogue.answer("?") else { return #expect(Bool(false)) }
      #expect(lines.count == 2 && lines[0].count > 40)
      if !dialogue.question.choices.isEmpty {
        for text in ["99", "0", "-1", "99999999999999999999"] {
          guard case .refused = dialogue.answer(text) else { return #expect(Bool(false), "\(dialogue.question.title) \(text)") }
        }
      }
      _ = dialogue.answer(line)
    }
  }
}
