import Beacons
import Failures
import Setup
import SignalCalibration
import Status
import Testing

/// The offsets that `beaconmon venue accept` writes to the config.
@Suite struct LearnedOffsetsTests {
  private static let uuid = BeaconUUID(high: 1, low: 2)

  private func beacon(_ minor: UInt16, _ offset: Double?, _ deviation: Double? = nil) -> VenueStatus.Beacon {
    var beacon = VenueStatus.Beacon()
    (beacon.uuid, beacon.major, beacon.minor) = (Self.uuid, 1, minor)
    (beacon.rssiOffset, beacon.rssiOffsetAccuracy) = (offset, deviation)
    return beacon
  }

  private func receiver(
    _ adapter: String = "a", _ offset: Double? = nil, _ beacons: [VenueStatus.Beacon]? = nil, seconds: UInt64? = nil,
    missing: UInt64? = nil, refused: UInt64? = nil
  ) -> VenueStatus.Receiver {
    var receiver = VenueStatus.Receiver()
    (receiver.adapter, receiver.suggestedOffset, receiver.suggestedBeacons) = (adapter, offset, beacons)
    (receiver.seconds, receiver.missingSeconds, receiver.refused) = (seconds, missing, refused)
    return receiver
  }

  private func venue(_ name: String = "hall", _ receivers: VenueStatus.Receiver...) -> VenueStatus {
    var venue = VenueStatus()
    (venue.venue, venue.receivers) = (name, receivers)
    return venue
  }

  private func offset(_ minor: UInt16, in learned: LearnedOffsets) -> Double? {
    learned.offsets.beacons[BeaconIdentity(uuid: Self.uuid, major: 1, minor: minor)]
  }

  @Test func `the offset of a beacon is the mean of the receivers, and certain ones weigh more`() throws {
    let hall = venue(
      "hall", receiver("a", 3, [beacon(1, 2, 1), beacon(2, 5)], seconds: 130),
      receiver("b", nil, [beacon(1, 6, 2), beacon(3, nil)], seconds: 240))
    let learned = try LearnedOffsets(of: [hall], among: [hall])
    #expect(learned.offsets.adapters == [0: 3] && learned.receivers == ["a", "b"] && learned.seconds == 240)
    // The weights are 1 and 1/4.
    #expect(abs(try #require(offset(1, in: learned)) - 2.8) < 1e-9)
    #expect(offset(2, in: learned) == 5 && offset(3, in: learned) == nil)
  }

  @Test func `an offset that claims to be exact does not outweigh all others`() throws {
    let hall = venue("hall", receiver("a", nil, [beacon(1, 2, 0)]), receiver("b", nil, [beacon(1, 4, 0.1)]))
    #expect(offset(1, in: try LearnedOffsets(of: [hall], among: [hall])) == 3)
  }

  @Test func `a receiver that was chosen among others does not represent the whole machine`() throws {
    let (chosen, all) = (venue("hall", receiver("a", 3)), venue("hall", receiver("a", 3), receiver("b")))
    #expect(try LearnedOffsets(of: [chosen], among: [chosen]).isOnlyReceiver)
    #expect(try !LearnedOffsets(of: [chosen], among: [venue("other", receiver("a")), all]).isOnlyReceiver)
  }

  @Test func `suggestions at several venues are refused with their names`() throws {
    let venues = [venue("hall", receiver("a", 3)), venue("shop", receiver("a")), venue("gallery", receiver("a", nil, [beacon(1, 2)]))]
    #expect(throws: Failure(.usage, "receivers suggest offsets at 2 venues; name one of them: hall, gallery")) {
      _ = try LearnedOffsets(of: venues, among: venues)
    }
    #expect(try LearnedOffsets(of: Array(venues[1...]), among: venues).venue == "gallery")
  }

  @Test func `without a suggestion the reason is that of the most certain receiver`() throws {
    func reason(_ receivers: VenueStatus.Receiver...) throws -> String {
      var venue = venue()
      venue.receivers = receivers
      return try #require(throws: Failure.self) { _ = try LearnedOffsets(of: [venue], among: [venue]) }.description
    }
    #expect(try reason(receiver(missing: 90), receiver(missing: 30), receiver(refused: 1)).contains("for 30 s more"))
    #expect(try reason(receiver(), receiver(refused: 1)).hasPrefix("the learned offsets were refused"))
    #expect(try reason(receiver()) == "the config has the learned offsets already")
    #expect(try reason().hasPrefix("no receiver has learned anything yet"))
  }
}
