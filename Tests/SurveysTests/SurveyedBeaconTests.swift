import Beacons
import Records
import Testing

@testable import Surveys

/// The beacons of a survey that setup offers.
@Suite struct SurveyedBeaconTests {
  private func beacon(_ verdicts: [SurveyVerdict.Kind]?, power: Int64? = -59, suggested: Int64? = -65) -> SurveyedBeacon {
    var beacon = SurveyedBeacon(BeaconIdentity(uuid: BeaconUUID(high: 0, low: 1), major: 1, minor: 2))
    beacon.verdicts = verdicts.map { $0.map { SurveyVerdict($0, "a reason") } }
    (beacon.measuredPower, beacon.suggestedMeasuredPower) = (power, suggested)
    return beacon
  }

  @Test(arguments: SurveyVerdict.Kind.allCases)
  func `a beacon is accepted unless the list lacks it`(kind: SurveyVerdict.Kind) {
    let isMissing = kind == .foreign || kind == .unexpected
    #expect(beacon([kind]).isAccepted == !isMissing && beacon([.weak, kind]).isAccepted == !isMissing)
  }

  @Test func `a beacon without a fault is accepted, and has no offset`() {
    for verdicts in [nil, []] as [[SurveyVerdict.Kind]?] {
      #expect(beacon(verdicts).isAccepted && beacon(verdicts).suggestedOffset == nil)
    }
  }

  @Test func `a beacon that advertises too much power gets a positive offset`() {
    #expect(beacon([.moved, .wrongPower]).suggestedOffset == 6)
    #expect(beacon([.wrongPower], power: -70).suggestedOffset == -5)
  }

  @Test func `an offset needs the verdict and both powers`() {
    #expect(beacon([.moved, .weak]).suggestedOffset == nil)
    #expect(beacon([.wrongPower], power: nil).suggestedOffset == nil && beacon([.wrongPower], suggested: nil).suggestedOffset == nil)
    // A file may have any number.
    #expect(beacon([.wrongPower], power: .min, suggested: .max).suggestedOffset != nil)
  }
}
