import Instants
import Ranging
import Terminal
import Testing

@testable import Scoring

@Suite struct WalkScoreTextTests {
  private let text = WalkScoreText(style: TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false))

  private static var score: WalkScore {
    var zones = ZoneScore(span: .seconds(60))
    (zones.zones, zones.trueCrossings, zones.falseExits, zones.phantomExits) = (1, 4, 3, 1)
    var score = WalkScore(zones: zones)
    (score.seconds, score.nearestHits) = (42, 22)
    (score.distanceErrors, score.withinAccuracy) = ([2.784, 2.784, 8.345], (2, 3))
    (score.positionErrors, score.coveredPositions) = ([0.5, 1.25, 2.75], (10, 7))
    score.levels = (40, 1)
    score.receiverLevels = [ConfiguredLevel(offset: -6, isCalibrated: true)]
    return score
  }

  @Test func `each comparison is one line, and a value that the walks do not give is a dash`() {
    #expect(
      text.text(Self.score) == """
        nearest beacon   0.52 of 42 seconds on 1 walk
        distance error   2.78 m median, 7.79 m p95, - m median below 5 m
        accuracy covers  0.67 with one sigma, 1.00 with two
        position error   1.50 m mean, 1.25 m median, 2.60 m p95, 0.70 within the accuracy
        receiver level   known, with an rssi-offset of -6.0 dB
        level            wrong in 2.5 % of 40 seconds away from stairs and lifts
        1 region         precision -, recall 0.00, F1 0.00; 4 true and 0 reported crossings
        false enters     0.00 a minute, 0.00 gross
        false exits      3.00 a minute, 1.00 phantom
        enter latency    - s median

        """)
  }

  @Test func `the score names the levels of the receivers that it assumed, even beside another score`() {
    var score = Self.score
    score.receiverLevels = [ConfiguredLevel(offset: 2.5), ConfiguredLevel(offset: 0), ConfiguredLevel(offset: -6, isCalibrated: true)]
    let line = "known, with an rssi-offset of -6.0 dB; learned, with an rssi-offset of 0.0 or 2.5 dB"
    #expect(text.text(score).contains("receiver level   \(line)\n"))
    let table = text.text([("first", score), ("second", WalkScore(zones: ZoneScore(span: .seconds(60))))], width: nil)
    #expect(table.contains("receiver level") && table.contains(line))
    #expect(!text.text(WalkScore(zones: ZoneScore(span: .seconds(60)))).contains("receiver level"))
  }

  @Test func `several scores are columns, with a row for each value that any of them has`() {
    let plain = WalkScore(zones: ZoneScore(span: .seconds(60)))
    let lines = text.text([("first", Self.score), ("second", plain)], width: nil).split(separator: "\n").map {
      $0.split(whereSeparator: { $0 == " " }).joined(separator: " ")
    }
    #expect(lines.contains("nearest beacon right 0.52 -"))
    #expect(lines.contains("false exits 3.00/min -/min"))
    #expect(!lines.contains { $0.hasPrefix("distance error below") || $0.hasPrefix("enter latency") || $0.hasPrefix("precision") })
  }
}
