import Beacons
import Instants
import Records
import Testing

@Suite struct SnapshotRoundsTests {
  private let a = BeaconConstraint(uuid: BeaconUUID(high: 1, low: 1))
  private let b = BeaconConstraint(uuid: BeaconUUID(high: 2, low: 2))

  private func snapshot(_ second: Double, _ distances: Double?...) -> RangingSnapshot {
    RangingSnapshot(
      time: Instant(microseconds: Int64(second * 1e6)),
      beacons: distances.map { distance in Record(["distance": distance.map { .metres($0) }]) })
  }

  private func distances(_ snapshot: RangingSnapshot) -> [Double?] { snapshot.beacons.map { $0["distance"]?.number } }

  @Test func `the snapshots of a second become one, nearest first and unknown last`() throws {
    var rounds = SnapshotRounds([a, b])
    #expect(rounds.take(snapshot(1, 2, nil), of: a).isEmpty)
    let round = try #require(rounds.take(snapshot(1, 1, 3), of: b).first)
    #expect(distances(round) == [1, 2, 3, nil] && round.time == Instant(microseconds: 1_000_000))
    #expect(rounds.take(snapshot(2, 5), of: b).isEmpty)
  }

  @Test func `a snapshot that is missing delays none, and the last one is not repeated`() {
    var rounds = SnapshotRounds([a, b])
    #expect(rounds.take(snapshot(1, 2), of: a).isEmpty)
    let late = rounds.take(snapshot(2, 3), of: a)
    #expect(late.map(distances) == [[2]])
    #expect(rounds.take(snapshot(2, 1), of: b).map(distances) == [[1, 3]])
  }

  @Test func `snapshots of one constraint pass as they are`() {
    var rounds = SnapshotRounds([a])
    #expect(rounds.take(snapshot(1, 3, 2), of: a) == [snapshot(1, 3, 2)])
    var several = SnapshotRounds([a, b])
    #expect(several.take(snapshot(1, 3), of: nil) == [snapshot(1, 3)])
  }
}
