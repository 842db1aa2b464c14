import Foundation
import TestSupport
import Testing

/// Forgetting what the daemon has learned, by a user without any privileges.
@Suite struct ResetLearningTests {
  private func reset(_ scene: ConsentScene, by client: BusClient) throws -> BusClient.Reply {
    try client.call("org.beaconmon.Monitor1.Venue", "ResetLearning", signature: "a{sv}", arguments: [[:]])
  }

  private static let refusal = BusClient.Reply.error(
    "org.freedesktop.DBus.Error.AccessDenied",
    message: "ResetLearning requires an administrator; call it as root, or let polkit permit org.beaconmon.monitor.reset-learning")

  @Test func `a user may reset learned offsets only with the permission of polkit`() throws {
    let scene = try ConsentScene()
    #expect(try reset(scene, by: scene.client) == Self.refusal)
    let polkit = try scene.polkit()
    for answer in ["no", "dismissed", "unable"] {
      try polkit.input.write(contentsOf: Data("\(answer)\n".utf8))
      #expect(try reset(scene, by: scene.client) == Self.refusal, "\(answer)")
      #expect(try polkit.output.next("the question").hasPrefix("org.beaconmon.monitor.reset-learning "))
    }
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try reset(scene, by: scene.client) == .values([0]))
    _ = try polkit.output.next("the question")
    // Root is not asked.
    #expect(try reset(scene, by: scene.insider) == .values([0]))
    try scene.end(scene.daemon)
  }

  @Test func `suggested offsets are refused by root, and by others only with the permission of polkit`() throws {
    let scene = try ConsentScene()
    func refuse(by client: BusClient) throws -> BusClient.Reply {
      try client.call("org.beaconmon.Monitor1.Venue", "RefuseSuggestions", signature: "a{sv}", arguments: [[:]])
    }
    guard case .error("org.freedesktop.DBus.Error.AccessDenied", let message) = try refuse(by: scene.client) else {
      throw TimeoutError("the call was permitted")
    }
    #expect(message.hasPrefix("RefuseSuggestions requires an administrator;"))
    #expect(try refuse(by: scene.insider) == .values([0]))
    try scene.end(scene.daemon)
  }
}
