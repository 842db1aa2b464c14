import BeaconAdvertising
import Beacons
import Instants
import Locations
import Motion
import Replays
import Testing
import TrackRecordings

/// The order of recorded sightings, motions and fixes.
@Suite struct ReplayMergerTests {
  private static func second(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  private static func sightings(_ seconds: Double...) -> [Sighting] {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1)
    return seconds.map { Sighting(beacon: beacon, measuredPower: -59, rssi: -59, time: second($0)) }
  }

  private static func fix(_ seconds: Double) -> WalkReport {
    WalkReport(.reading(LocationReading(latitude: 1, longitude: 2, horizontalAccuracy: 3)), at: second(seconds))
  }

  /// The steps without the sightings that no step has, such as `hear 1 2 | fix 3`.
  private func text(_ steps: [ReplayMerger.Step]) -> String {
    func seconds(_ time: Instant) -> String { time == .never ? "end" : "\(Int((time - Self.second(0)).seconds))" }
    return steps.compactMap { step in
      switch step {
      case .sightings(let sightings, _):
        sightings.isEmpty ? nil : "hear " + sightings.map { seconds($0.time) }.joined(separator: " ")
      case .motion(let motion, let time): "\(motion.activity) \(seconds(time))"
      case .fix(let report, let time): "fix \(seconds(report.time)) at \(seconds(time))"
      }
    }.joined(separator: " | ")
  }

  @Test func `fixes and motions follow exactly the sightings up to their times`() {
    var merger = ReplayMerger(walk: [Self.fix(2), Self.fix(4)])
    merger.add(DeviceMotion(.walking), at: Self.second(1))
    merger.add(DeviceMotion(.still), at: Self.second(4))
    #expect(
      text(merger.merge(Self.sightings(0, 1, 2, 3, 4, 5), through: Self.second(5)))
        == "hear 0 1 | walking 1 | hear 2 | fix 2 at 2 | hear 3 4 | still 4 | fix 4 at 4 | hear 5")
    #expect(merger.nextReport == nil && merger.finish().isEmpty)
  }

  @Test func `the order does not depend on how the capture is cut into chunks`() {
    func merged(_ chunks: [[Double]]) -> [String] {
      var merger = ReplayMerger(walk: [Self.fix(2), Self.fix(4), Self.fix(9)])
      merger.add(DeviceMotion(.walking), at: Self.second(3))
      var steps: [String] = []
      for chunk in chunks {
        for step in merger.merge(chunk.flatMap { Self.sightings($0) }, through: Self.second(chunk.last ?? 0)) {
          if case .sightings(let sightings, _) = step {
            steps += sightings.map { "hear \($0.time)" }
          } else {
            steps.append(text([step]))
          }
        }
      }
      return steps + [text(merger.finish())]
    }
    let whole = merged([[0, 1, 2, 3, 4, 5]])
    #expect(whole.count == 6 + 3 + 1)
    for end in 1..<6 { #expect(merged([(0..<end).map(Double.init), (end..<6).map(Double.init)]) == whole) }
  }

  @Test func `a chunk without fixes and motions is one step, which advances to its end`() {
    var merger = ReplayMerger(walk: [Self.fix(10)])
    let sightings = Self.sightings(1, 2)
    #expect(merger.merge(sightings, through: Self.second(3)) == [.sightings(sightings[...], through: Self.second(3))])
    #expect(merger.nextReport == Self.second(10))
  }

  @Test func `a fix that is older than the one before is applied at the time of that one`() {
    var merger = ReplayMerger(walk: [Self.fix(5), Self.fix(3)])
    #expect(text(merger.merge(Self.sightings(4, 5, 6), through: Self.second(6))) == "hear 4 5 | fix 5 at 5 | fix 3 at 5 | hear 6")
  }

  @Test func `the end of a chunk that is before an earlier fix does not set the time back`() {
    var merger = ReplayMerger()
    merger.add(DeviceMotion(.walking), at: Self.second(7))
    _ = merger.merge([], through: Self.second(8))
    #expect(merger.merge([], through: Self.second(6)) == [.sightings([], through: Self.second(7))])
  }

  @Test func `the fixes and motions after the last chunk follow at the end`() {
    var merger = ReplayMerger(walk: [Self.fix(9), Self.fix(11)])
    merger.add(DeviceMotion(.moving), at: Self.second(10))
    _ = merger.merge(Self.sightings(1), through: Self.second(2))
    #expect(text(merger.finish()) == "fix 9 at 9 | moving 10 | fix 11 at 11")
    #expect(merger.finish().isEmpty)
  }
}
