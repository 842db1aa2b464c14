import Beaconmon
import Foundation
import TestSupport
import Testing

/// Guidance through the Swift library.
@Suite(.serialized, .ownThread) struct GuidanceSequenceTests {
  func scene() throws -> SessionScene {
    try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": GuidedVenue.text()])
  }

  func manager(_ scene: SessionScene) -> LocationManager {
    LocationManager(purpose: "Leads to exhibits", bus: .address(scene.stage.bus.address))
  }

  @Test func `a sequence has the route, the state and the instruction, and its end stops guidance`() async throws {
    let scene = try scene()
    let manager = manager(scene)
    var (hasRoute, hasState, hasInstruction) = (false, false, false)
    for try await change in manager.guidanceUpdates(RouteRequest(to: .place("Clock"), language: "en")) {
      switch change {
      case .route(let route): hasRoute = route.place == "clock" && !route.steps.isEmpty && route.points.last?.x == 30
      case .state(let guidance) where guidance.state == .underWay:
        hasState = guidance.mode == .route && guidance.title == "Clock" && abs((guidance.distance ?? 0) - 20) < 1
      case .instruction(let instruction): hasInstruction = instruction.kind == .start && instruction.language == "en"
      case .state, .failed, .ended: break
      }
      if hasRoute, hasState, hasInstruction { break }
    }
    try wait(for: "the source to be off") {
      try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a second sequence replaces the first, a refused one throws, and a route needs no guidance`() async throws {
    let scene = try scene()
    let manager = manager(scene)
    var first = manager.guidanceUpdates(RouteRequest(to: .place("shop"))).makeAsyncIterator()
    while let change = try await first.next() { if case .route = change { break } }
    var second = manager.guidanceUpdates(RouteRequest(to: .plan(x: 2, y: 2, level: "ground"))).makeAsyncIterator()
    var end: GuidanceEnd?
    while let change = try await first.next() { if case .ended(let reason) = change { end = reason } }
    #expect(end?.reason == .replaced)
    while let change = try await second.next() { if case .route(let route) = change { #expect(route.place == nil); break } }
    let refusal = await #expect(throws: LocationError.self) {
      for try await _ in manager.guidanceUpdates(RouteRequest(to: .place("clok"))) {}
    }
    #expect(refusal?.code == .routeFailure && refusal?.message.contains("did you mean") == true)
    let route = try await manager.route(RouteRequest(to: .place("shop"), from: .place("clock")))
    #expect(route.title == "Shop" && route.points.last?.floor == 1 && route.time > .zero)
    await #expect(throws: LocationError.self) { try await manager.route(RouteRequest(to: .place("store"), from: .place("clock"))) }
    scene.daemon.signal(SIGTERM)
  }
}
