import Instants
import Terminal
import Testing

@Suite struct ProgressBarTests {
  @Test(
    arguments: [
      (0, 1000, 80, "[........................................]  0 %  1:02:03  2.3 M adv/s"),
      (500, 1000, 60, "[##############..............] 50 %  1:02:03  2.3 M adv/s"),
      (2000, 1000, 50, "[##################]100 %  1:02:03  2.3 M adv/s"), (500, 1000, 30, " 50 %  1:02:03  2.3 M adv/s"),
      (1_572_864, nil, 80, "1.5 MiB  1:02:03  2.3 M adv/s"), (5, 0, 80, "0.0 MiB  1:02:03  2.3 M adv/s"), (500, 1000, 12, " 50 %  1..."),
      (0, 1000, 0, ""),
    ] as [(Int64, Int64?, Int, String)])
  func `a progress bar fits the window`(done: Int64, total: Int64?, columns: Int, expected: String) {
    let text = ProgressBar(style: ascii).text(done: done, total: total, captured: .seconds(3723.9), rate: 2_345_678, columns: columns)
    #expect(text == "\r\u{1B}[K" + expected)
  }

  @Test(arguments: [(0, "0"), (999.4, "999"), (12_345, "12 k"), (1e6, "1.0 M"), (.nan, "?"), (.infinity, "? M")] as [(Double, String)])
  func `rates are written in short form`(rate: Double, expected: String) {
    let text = ProgressBar(style: plain).text(done: 1, total: 2, captured: .zero, rate: rate, columns: 80)
    #expect(text.hasSuffix("░] 50 %  0:00:00  \(expected) adv/s"))
  }

  @Test func `a bar is painted at most every 100 ms, and not in the first ones`() {
    var pace = ProgressPace()
    #expect([50, 100, 101, 150, 201, 202].map { pace.show(at: .milliseconds($0)) } == [false, false, true, false, false, true])
  }

  @Test func `a bar that text has replaced is painted again at once`() {
    var pace = ProgressPace()
    #expect(!pace.hide() && !pace.show(at: .milliseconds(1)), "there was none to replace")
    #expect(pace.show(at: .milliseconds(200)) && pace.hide() && !pace.hide())
    #expect(pace.show(at: .milliseconds(201)) && !pace.show(at: .milliseconds(202)))
  }
}
