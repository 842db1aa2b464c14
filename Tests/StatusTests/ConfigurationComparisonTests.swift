import Events
import Instants
import Status
import Testing

@Suite struct ConfigurationComparisonTests {
  private static let read = Instant(microseconds: 1_000_000)

  private var files = ConfigurationComparison.Files(
    title: "a.toml", digest: "ff", files: [("a.toml", Self.read), ("a.d/1.toml", Self.read)], regions: ["door"])
  private var status = MonitorStatus()

  init() {
    status.configuration = .init(files: ["a.toml", "a.d/1.toml"], time: Self.read, digest: "ff", needsRestart: false, note: nil)
  }

  private var comparison: ConfigurationComparison? {
    ConfigurationComparison(of: files, with: status) { "second \($0.microseconds / 1_000_000)" }
  }

  private var lines: [Substring] { comparison?.text.split(separator: "\n") ?? [] }

  @Test mutating func `files with the same digest are what the daemon runs, even after they were written again`() {
    files.files[0].changed = Self.read + .seconds(5)
    #expect(comparison?.isSame == true)
    #expect(comparison?.text == "beaconmond runs a.toml, read at second 1\n")
  }

  @Test mutating func `a part that requires a restart is a difference`() {
    status.configuration?.needsRestart = true
    #expect(comparison?.isSame == false)
    #expect(lines.count == 1 && lines[0].contains("does not run all of it") && lines[0].contains("systemctl restart beaconmond"))
  }

  @Test mutating func `other values name the files that were added, removed and changed, and the regions of one side`() {
    files.digest = "fe"
    files.files = [("a.toml", Self.read + .seconds(1)), ("a.d/2.toml", nil)]
    files.regions = ["window"]
    status.regions = [region("door")]
    status.refusedReload = .init(time: Self.read + .seconds(2), reason: "line 3: no")
    #expect(comparison?.isSame == false)
    #expect(
      lines.dropFirst().dropLast() == [
        "reload refused at second 3: line 3: no", "- a.d/1.toml: was read, and is not one of the files now", "+ a.d/2.toml: was not read",
        "+ a.toml: changed at second 2", "- region \"door\"", "+ region \"window\"",
      ])
  }

  @Test mutating func `a daemon that reports no digest cannot be compared`() {
    status.configuration?.digest = nil
    #expect(comparison == nil)
    status.configuration = nil
    #expect(comparison == nil)
  }

  private func region(_ identifier: String) -> RegionStatus {
    var region = RegionStatus()
    region.identifier = identifier
    return region
  }
}
