import Instants
import Records
import Terminal
import Testing

@Suite struct RecordingLineTests {
  private let style = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: true)
  private let line = RecordingLine(advertisements: 1204, iBeacons: 1100, lostPackets: 0, octets: 1_250_000, elapsed: .seconds(83))

  private func progress(_ line: RecordingLine, columns: Int = 80) -> String {
    String(line.progress(limitSize: 100_000_000, duration: .seconds(3600), columns: columns, style: style).dropFirst(4))
  }

  @Test func `a recording line has the counts, the size and the remaining time`() {
    #expect(progress(line) == "1204 advertisements, 1100 iBeacons  1.3 MB of 100.0 MB  0:58:37 left")
  }

  @Test func `losses are shown only if packets were lost`() {
    var line = line
    line.lostPackets = 5
    #expect(line.summary == "1204 advertisements, 1100 iBeacons, 5 lost, 1.3 MB in 0:01:23")
  }

  @Test func `one advertisement is singular, and the remaining time is never negative`() {
    let line = RecordingLine(advertisements: 1, iBeacons: 1, lostPackets: 0, octets: 999, elapsed: .seconds(4000))
    #expect(progress(line) == "1 advertisement, 1 iBeacon  999 B of 100.0 MB  0:00:00 left")
  }

  @Test func `a recording line fits any window`() {
    for columns in 1...80 { #expect(progress(line, columns: columns).count < max(columns, 2)) }
  }

  @Test func `the record has every value`() {
    #expect(
      line.record(file: "walk.btsnoop", reason: "stopped by the client").json
        == #"{"file":"walk.btsnoop","advertisements":1204,"iBeacons":1100,"octets":1250000,"seconds":83.000,"reason":"stopped by the client"}"#
    )
  }
}
