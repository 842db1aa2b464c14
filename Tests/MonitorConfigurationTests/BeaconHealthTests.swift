import BeaconHealth
import MonitorConfiguration
import Testing

/// The table `beacon-health`.
@Suite struct BeaconHealthTests {
  private func health(_ text: String) throws -> BeaconHealthSettings {
    try Configuration.parse(text: text, name: "t").beaconHealth
  }

  @Test func `a device that never moves reports every problem, and another one none`() throws {
    #expect(try health("").problems.isEmpty)
    #expect(try health("[beacon-health]\nstationary = true").problems == Set(BeaconProblem.allCases))
    #expect(try health("[beacon-health]\nstationary = true").isStationary)
    #expect(try health("[beacon-health]\nreport = [\"duplicate\"]") == BeaconHealthSettings(problems: [.duplicate]))
    #expect(try health("[beacon-health]\nreport = []\nstationary = true").problems.isEmpty)
    #expect(try health("[beacon-health]\nlow-battery = 2.5").lowBattery == 2.5)
  }

  @Test func `an unknown problem is an error that lists the known ones`() throws {
    do {
      _ = try health("[beacon-health]\nreport = [\"lost\"]")
      Issue.record("no error")
    } catch {
      let expected = "\"lost\" is not a problem of a beacon; use some of \"missing\", \"weak\", \"moved\", \"duplicate\", or [] for none"
      #expect("\(error)".contains(expected))
    }
  }
}
