import Foundation
import TestSupport
import Testing

/// Questions that polkit asks the user.
extension ConsentTests {
  @Test func `polkit shows its dialog once, with the purpose of the program, and a yes is stored`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession(["purpose": "Shows the exhibit", "appId": "org.example.Guide"])
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.range(on: session) == .values([]))
    #expect(
      try polkit.output.next("the question")
        == "org.beaconmon.monitor.when-in-use \(scene.client.name) org.example.Guide Shows the exhibit 1")
    let other = try BusClient(scene.stage.bus, as: ConsentScene.stranger)
    #expect(try other.range(ConsentScene.constraint, on: try other.openSession()) == .values([]))
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])
    #expect(shown["decisions"]?[0]?["decidedBy"] == "polkit" && shown["decisions"]?[0]?["authorization"] == "whenInUse")
    #expect(shown["uses"]?.list?.count == 2 && shown["uses"]?[1]?["appId"] == "org.example.Guide")
    // The lines are all calls to polkit after its ready line.
    try polkit.input.close()
    #expect(try polkit.output.all().count == 2)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a permission that follows a denial changes nothing`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    try scene.client.ask(BusClient.session, "StartRanging", at: session, signature: "a{sv}", arguments: [ConsentScene.constraint])
    _ = try polkit.output.next("the question")
    try scene.decide("revoke", "65534")
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.client.answer(to: "StartRanging").name == "\(BusClient.busName).Error.NotAuthorized")
    #expect(try scene.client.property("Authorization", "Session", at: session) == "denied")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `at most 16 calls of a session wait for a decision, and none with wrong arguments`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    for (method, argument) in [
      ("StartRanging", ["uuid": "none"]), ("StartMonitoring", ["identifier": "hall", "uuid": "none"]),
      ("RequestLocation", ["timeout": "soon"]),
      ("StartUpdatingLocation", ["distanceFilter": -1]),
    ] as [(String, JSON)] {
      let reply = try scene.client.call(BusClient.session, method, at: session, signature: "a{sv}", argument)
      #expect(reply.name?.contains(".Error.Invalid") == true, "\(method): \(reply)")
    }
    for number in 0..<17 {
      let constraint: JSON = ["uuid": .text(CaptureOctets.uuid), "major": .number(Double(number % 16))]
      try scene.client.ask(BusClient.session, "StartRanging", at: session, signature: "a{sv}", arguments: [constraint])
    }
    #expect(
      try scene.client.answer(to: "StartRanging")
        == .error(
          "\(BusClient.busName).Error.LimitsExceeded",
          message: "16 calls of this session already wait for a decision; wait for an answer"))
    // All callers share one dialog.
    _ = try polkit.output.next("the question")
    try polkit.input.write(contentsOf: Data("dismissed\n".utf8))
    for _ in 0..<16 { #expect(try scene.client.answer(to: "StartRanging") == ConsentScene.undecided) }
    // Answered calls no longer count.
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.range(on: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a yes to a lesser request does not reduce a wider permission`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    for use in ["always", "whenInUse"] {
      try scene.client.ask(BusClient.session, "RequestAuthorization", at: session, signature: "s", arguments: [.text(use)])
      _ = try polkit.output.next("the question")
    }
    for _ in 0..<2 {
      try polkit.input.write(contentsOf: Data("yes\n".utf8))
      guard case .values(let values) = try scene.client.answer(to: "RequestAuthorization") else { throw TimeoutError("no answer") }
      #expect(values.first == "always")
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: ["no", "dismissed", "unable"]) func `an answer other than yes is not a permission`(answer: String) throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    try polkit.input.write(contentsOf: Data("\(answer)\n".utf8))
    guard case .error(let name, _) = try scene.range(on: session) else { throw TimeoutError("the client ranges") }
    #expect(name == "\(BusClient.busName).Error.NotAuthorized")
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])
    #expect(shown["decisions"]?.list?.isEmpty == true && shown["uses"]?.list?.isEmpty == true)
    #expect(shown["requests"]?[0]?["purpose"] == "a test")
    scene.daemon.signal(SIGTERM)
  }
}
