import Beacons
import Status
import Terminal
import TestSupport
import Testing

@Suite struct LearnedTextTests {
  private static func receiver(_ change: (inout VenueStatus.Receiver) -> Void = { _ in }) -> VenueStatus.Receiver {
    var receiver = VenueStatus.Receiver()
    (receiver.adapter, receiver.offset, receiver.beacons, receiver.seconds) = ("00:1A:7D:DA:71:13", -4.2, 12, 321)
    change(&receiver)
    return receiver
  }

  private static func text(_ receivers: [VenueStatus.Receiver], width: Int? = nil) -> String {
    var venue = VenueStatus()
    (venue.venue, venue.receivers) = ("gallery", receivers)
    return LearnedText(style: TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false), width: width).text([venue])
  }

  @Test func `suggestions have their uncertainty, and each beacon a line`() {
    let receiver = Self.receiver {
      ($0.suggestedOffset, $0.suggestedOffsetAccuracy, $0.refused) = (5.9, 1.4, 1)
      var beacon = VenueStatus.Beacon()
      (beacon.uuid, beacon.major, beacon.minor) = (BeaconUUID(high: 1, low: 2), 1, 7)
      (beacon.rssiOffset, beacon.rssiOffsetAccuracy) = (-6.4, 1.1)
      $0.suggestedBeacons = [beacon]
    }
    #expect(
      Self.text([receiver]) == """
        gallery, 00:1A:7D:DA:71:13: signal level -4.2 dB, learned in 321 s of walking
        suggested rssi-offset of the receiver: +5.9 +- 1.4 dB
        1 offset was refused and has not changed since
        beacon  suggested rssi-offset
        1/7     -6.4 +- 1.1 dB

        """)
    for width in [20, 60, 80] {
      #expect(Self.text([receiver], width: width).split(separator: "\n").allSatisfy { $0.count <= width }, "\(width)")
    }
  }

  @Test func `the text states what is missing, or that there is nothing to do`() {
    #expect(Self.text([Self.receiver { $0.missingSeconds = 37 }]).contains("not certain yet: 37 s more of walking are needed"))
    #expect(Self.text([Self.receiver()]).contains("the configured rssi-offset of the receiver fits"))
    #expect(Self.text([Self.receiver { $0.refused = 3 }]).contains("3 offsets were refused and have not changed since"))
    #expect(Self.text([]) == "gallery: no receiver has learned anything yet\n")
  }
}
