import Beacons
import Testing

@Suite struct BeaconUUIDTests {
  @Test func `a UUID is read in either case and written in lower case`() throws {
    let uuid = try BeaconUUID("8EC76EA3-6668-48da-9866-75be8bc86f4d")
    #expect(uuid == BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d))
    #expect(uuid.description == "8ec76ea3-6668-48da-9866-75be8bc86f4d")
  }

  @Test func `a UUID keeps its leading zeros`() throws {
    #expect(try BeaconUUID("00000000-0000-0000-0000-00000000000a").description == "00000000-0000-0000-0000-00000000000a")
  }

  @Test(
    arguments: [
      ("", .length(0)),
      ("8ec76ea3666848da986675be8bc86f4d", .length(32)),
      ("8ec76ea3-6668-48da-9866-75be8bc86f4d ", .length(37)),
      ("gec76ea3-6668-48da-9866-75be8bc86f4d", .character("g", position: 1)),
      ("8ec76ea3-6668-48da-9866075be8bc86f4d", .character("0", position: 24)),
      ("8ec76ea3-6668-48da-9866-75be8bc86f4-", .character("-", position: 36)),
      ("８ec76ea3-6668-48da-9866-75be8bc86f4d", .character("８", position: 1)),
    ] as [(String, BeaconUUIDError)])
  func `the error for a mistyped UUID names the position`(text: String, error: BeaconUUIDError) {
    #expect(throws: error) { try BeaconUUID(text) }
  }
}
