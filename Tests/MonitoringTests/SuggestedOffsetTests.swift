import BeaconAdvertising
import Beacons
import IndoorPositioning
import Ranging
import Status
import TestSupport
import Testing
import Venues

@testable import Monitoring

/// The offsets that a receiver suggests for the config.
@Suite struct SuggestedOffsetTests {
  private static let address = "00:00:00:00:00:01"
  private static let venue = Venue(
    id: "hall",
    beacons: (0..<6).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: Scene.uuid, major: 1, minor: UInt16(number)), position: PlanPoint(x: Double(number) * 3, y: 0))
    })

  /// A receiver that hears all beacons `level` dB louder than expected, and the first one by another 5 dB.
  private static func receiver(level: Double, seconds: Int = 5000) -> LearnedReceiver {
    let transmitters = (0..<6).map { number in
      let weight = 8.0
      return (
        "\(Scene.uuid)/1/\(number)",
        LearnedRadio.Transmitter(
          plan: "0 \(Double(number * 3)) 0.0 \(RoomTransmitter.usualHeight) -59.0",
          sums: [weight, 0, weight, weight * (level + (number == 0 ? 5 : 0)), 0])
      )
    }
    let radio = LearnedRadio(transmitters: Dictionary(uniqueKeysWithValues: transmitters), seconds: seconds)
    return LearnedReceiver(venue: "hall", adapter: address, radio: radio)
  }

  private static func scene(_ file: FakeLearnedFile) throws -> Scene {
    let adapter = AdapterSettings(address: try #require(BluetoothAddress(address)))
    let scene = Scene(catalogue: Catalogue([venue]), adapters: [adapter], learned: file)
    scene.source.begin()
    return scene
  }

  private static func report(_ scene: Scene) throws -> VenueStatus.Receiver {
    try #require(scene.monitoring.venueReports.first?.receivers?.first)
  }

  @Test func `a refused offset is not suggested until it has changed, even after a restart`() throws {
    let file = FakeLearnedFile([Self.receiver(level: -6)])
    let scene = try Self.scene(file)
    let before = try Self.report(scene)
    let offset = try #require(before.suggestedOffset)
    #expect((6...9).contains(offset) && (before.suggestedOffsetAccuracy ?? 9) < 1.2 && before.missingSeconds == nil)
    #expect(before.suggestedBeacons?.map(\.minor) == [0] && before.suggestionCount == 2)
    #expect(scene.monitoring.refuseSuggestions(venue: "shop", adapter: nil) == 0)
    #expect(scene.monitoring.refuseSuggestions(venue: "hall", adapter: Self.address) == 2)
    let refused = try Self.report(scene)
    #expect(refused.suggestionCount == 0 && refused.refused == 2 && refused.offset == before.offset)
    #expect(scene.monitoring.refuseSuggestions(venue: nil, adapter: nil) == 0)

    #expect(try Self.report(Self.scene(file)).refused == 2)
    file.stored = [Self.receiver(level: -7)]
    #expect(try Self.report(Self.scene(file)).refused == 2)
    file.stored = [Self.receiver(level: -9)]
    let changed = try Self.scene(file)
    #expect(try (Self.report(changed).suggestedOffset ?? 0) > offset + 2 && Self.report(changed).refused == 1)
    // Forgetting takes the refusals as well.
    _ = changed.monitoring.resetLearning(venue: "hall", adapter: nil)
    #expect(file.refusals.isEmpty)
  }

  @Test func `a receiver that has walked too little suggests nothing, and names the missing time`() throws {
    let report = try Self.report(Self.scene(FakeLearnedFile([Self.receiver(level: 0, seconds: 83)])))
    #expect(report.suggestionCount == 0 && (37...80).contains(report.missingSeconds ?? 0))
  }
}
