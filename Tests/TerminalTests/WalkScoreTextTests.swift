import Records
import Terminal
import Testing

@Suite struct WalkScoreTextTests {
  @Test func `each comparison is one line, and a value that the walks do not give is a dash`() {
    let record = Record([
      "walks": .count(1), "seconds": .count(42), "nearest": .quantity(0.5257, decimals: 4),
      "distanceErrorMedian": .quantity(2.784, decimals: 3), "distanceErrorP95": .quantity(8.345, decimals: 3),
      "withinOneSigma": .quantity(0.667, decimals: 4), "withinTwoSigma": .quantity(0.9318, decimals: 4),
      "positionErrorMean": .quantity(1.5, decimals: 3), "positionErrorMedian": .quantity(1.25, decimals: 3),
      "positionErrorP95": .quantity(3.5, decimals: 3), "positionWithinAccuracy": .quantity(0.7, decimals: 4), "levelSeconds": .count(40),
      "wrongLevel": .quantity(0.025, decimals: 4), "regions": .count(1),
      "trueCrossings": .count(4), "reportedCrossings": .count(0), "recall": .quantity(0, decimals: 4), "f1": .quantity(0, decimals: 4),
      "falseEntersPerMinute": .quantity(0, decimals: 2), "grossFalseEntersPerMinute": .quantity(0, decimals: 2),
      "falseExitsPerMinute": .quantity(2.921, decimals: 2), "phantomExitsPerMinute": .quantity(0.224, decimals: 2),
    ])
    #expect(
      WalkScoreText(style: TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)).text(record) == """
        nearest beacon   0.53 of 42 seconds on 1 walk
        distance error   2.78 m median, 8.35 m p95, - m median below 5 m
        accuracy covers  0.67 with one sigma, 0.93 with two
        position error   1.50 m mean, 1.25 m median, 3.50 m p95, 0.70 within the accuracy
        level            wrong in 2.5 % of 40 seconds away from stairs and lifts
        1 region         precision -, recall 0.00, F1 0.00; 4 true and 0 reported crossings
        false enters     0.00 a minute, 0.00 gross
        false exits      2.92 a minute, 0.22 phantom
        enter latency    - s median

        """)
  }
}
