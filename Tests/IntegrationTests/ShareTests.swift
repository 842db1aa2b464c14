import Foundation
import TestSupport
import Testing

/// Shares of the position in a real notifier, beside the hub.
@Suite struct ShareTests {
  private static let regions = """
    [[region]]
    identifier = "hall"
    uuid = "\(CaptureOctets.uuid)"
    major = 1

    """

  private static func hub(_ stage: Stage) throws -> String {
    """
    [notifier.hub]
    url = "mqtts://localhost:1"
    site = "berlin"
    device = "door"
    certificate = "\(try stage.file("certificate", ""))"
    key = { file = "\(try stage.file("key", ""))" }
    digests = "off"

    """
  }

  @Test func `a share of an earlier run ends after a reload that has removed the hub`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Self.regions + Self.hub(stage))
    let begins = Int(Date().timeIntervalSince1970 * 1_000_000)
    try FileManager.default.createDirectory(atPath: stage.folder.file("state"), withIntermediateDirectories: false)
    _ = try stage.file(
      "state/shares",
      """
      {"version":1,"shares":[{"id":"\(UUID().uuidString.lowercased())","purpose":"lunch","user":0,"begins":\(begins),\
      "ends":\(begins + 6_000_000),"recipients":[{"name":"ada"}]}],"accepted":[],"unsent":[]}

      """)
    let client = try BusClient(stage.bus)
    let notifier = try stage.notifier(config: config, "--state", stage.folder.file("state"))
    func objects() throws -> BusClient.Reply {
      try client.call(
        "org.beaconmon.Sharing1", "Shares", at: "/org/beaconmon/Sharing1", destination: "org.beaconmon.Sharing1")
    }
    guard case .values(let shares) = try objects() else { return #expect(Bool(false), "no object for shares") }
    #expect(shares.first?.list?.count == 1)
    _ = try stage.file("config.toml", Self.regions)
    notifier.signal(SIGHUP)
    _ = try notifier.log.next("the reload") { $0.contains("reloaded") }
    guard case .error = try objects() else { return #expect(Bool(false), "the object outlives the hub") }
    _ = try notifier.log.next("the end of the share") { $0.contains("a share is over") }
    notifier.signal(SIGTERM)
    #expect(try notifier.exitStatus() == 0)
  }
}
