import Beacons
import FleetQueries
import Testing

@Suite struct BeaconSearchTests {
  private static let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  @Test func `a search distinguishes an identity, a pair, a number and a name`() throws {
    let uuid = try BeaconUUID(Self.uuid)
    #expect(BeaconSearch("\(Self.uuid)/1/5") == .identity(BeaconIdentity(uuid: uuid, major: 1, minor: 5)))
    #expect(BeaconSearch(" 1/5 ") == .pair(major: 1, minor: 5))
    #expect(BeaconSearch("1234") == .number(1234, text: "1234"))
    #expect(BeaconSearch("Trolley") == .name("trolley"))
    #expect(BeaconSearch("1/x") == .name("1/x") && BeaconSearch("70000/1") == .name("70000/1"))
  }

  @Test func `four or more digits of a UUID are its beginning`() throws {
    let uuid = try BeaconUUID(Self.uuid)
    #expect(BeaconSearch(Self.uuid.uppercased()) == .uuid(uuid, through: uuid))
    let ends = try (BeaconUUID("8ec76000-0000-0000-0000-000000000000"), BeaconUUID("8ec76fff-ffff-ffff-ffff-ffffffffffff"))
    #expect(BeaconSearch("8ec76") == .uuid(ends.0, through: ends.1))
    #expect(BeaconSearch("8ec") == .name("8ec"))
    #expect(
      BeaconSearch("80000")
        == .uuid(try BeaconUUID("80000000-0000-0000-0000-000000000000"), through: try BeaconUUID("80000fff-ffff-ffff-ffff-ffffffffffff")))
  }

  @Test(arguments: ["", "   ", "\n", "a\u{0}b", String(repeating: "x", count: 129)])
  func `an empty, long or unprintable text is not a search`(text: String) {
    #expect(BeaconSearch(text) == nil)
  }

  @Test(arguments: [
    ("Cart 7", true), ("", true), (" Cart", false), ("a\u{202E}b", false), ("a\nb", false), (String(repeating: "ä", count: 41), false),
  ])
  func `a name of a tag is one line of visible text`(name: String, isName: Bool) {
    #expect((TagName.fault(of: name) == nil) == isName)
  }
}
