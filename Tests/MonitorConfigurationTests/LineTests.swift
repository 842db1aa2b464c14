import MonitorConfiguration
import Testing

/// The line of a wrong value is found anywhere: each of these texts contains the unknown key `x`.
@Suite struct LineTests {
  @Test(
    arguments: [
      ("x = 1", 1), ("\r\n\r\nx = 1", 3), ("# x = 1\nx = 1", 2), ("source = '''\ncapture:x = 2\n'''\nx = 1", 4),
      ("source = \"\"\"capture:\\\n  \\\"\"\"\\\"\nx\"\"\"\nx = 1", 4), ("source = \"capture:\\\"# \" # \"\nx = 1", 2),
      ("source = 'capture:\\'\nx = 1", 2), ("source = \"\"\"capture:a\n\"\"\"\"\"\nx = 1", 3), ("\"x\" = 1", 1), ("'x' = [\n1,\n2]", 1),
      ("[ranging]\n[ x ]\n", 2), ("[ranging] # [x]\nx.y.z = 1", 2), ("[[x]]\n[[x]]", 1), ("[x.y.z]\n[x]", 1),
      ("ranging = { rssi-offset = 1 }\nx = 1", 2),
      ("ranging.rssi-offset = 1\nranging.x = 1", 2), ("source = 'capture:x'\n\n\t x = 1979-05-27 07:32:00 # why", 3),
      ("beacon = [ # [\n # ]\n ]\nx = [[1, 2], [{ a = ']' }, \"]\"]]", 4),
    ])
  func `an unknown key is reported with its line`(text: String, line: Int) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    guard case .invalid(let problems) = error else { return }
    let problem = problems.first { $0.message.contains("unknown key \"x\"") }
    #expect(problem?.line == line, "\(problems)")
  }

  @Test func `an unknown key of the second region is reported with its line`() {
    let text = """
      [[region]]
      identifier = "a"
      uuid = "\(galleryUUID)"
      # [[region]]
      [ "region" . more ]
      [[ region ]]
      identifier = "b"
      uuid = "x"
      """
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(
      error?.description == """
        t:5: region "a": unknown key "more"; the keys here are identifier, uuid, major, minor, exit-delay, learn-exit-delay, within, leave-beyond, hold, nearest-only, minimum-rssi, enter-sightings, enter-time, dwell, assume, notify-on-entry, notify-on-exit
        t:8: region "b": uuid: a UUID has 36 characters (8-4-4-4-12), this has 1
        """)
  }
}
