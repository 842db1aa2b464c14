import Departures
import Instants
import Status
import Testing
import Venues
import Wayfinding

/// The arrival of a visitor who was advised to leave.
@Suite struct DepartureArrivalTests {
  /// Returns a scene with sources that are off between two searches, as beacons and satellites are.
  private func coldScene(_ warmUp: Span = .seconds(4)) -> DepartureScene {
    let scene = DepartureScene()
    (scene.warmUp, scene.isQuickToGiveUp) = (warmUp, false)
    return scene
  }

  /// Lets the visitor walk to the gate, from a time before the beginning.
  private func walk(_ scene: DepartureScene, to start: Instant, leaving left: Double, speed: Double = 1.33) {
    scene.run(until: start + .seconds(90)) { now in
      scene.visitor = PlanPoint(x: 0, y: min(200, max(0, (left - (start - now).seconds) * speed)))
    }
  }

  @Test(arguments: [(4.0, 20.0), (9, 30)], [false, true])
  func `an arrival is noticed within 20 s by sources that need 4 s for a position`(source: (warmUp: Double, most: Double), isCoarse: Bool) {
    for left in stride(from: 415.0, to: 440, by: 1) {
      let scene = coldScene(.seconds(source.warmUp))
      scene.isCoarse = isCoarse
      let appointment = scene.appointment(in: .seconds(1800))
      scene.use([appointment])
      walk(scene, to: appointment.id.start, leaving: left)
      #expect(scene.advice.map(\.advice).last == .cancelled && scene.advice.count == 2, "\(scene.texts)")
      let arrival = appointment.id.start - .seconds(left - (200 - Place.usualRadius) / 1.33)
      let delay = (scene.advice.last?.time ?? .never) - arrival
      #expect((0...source.most).contains(delay.seconds), "\(left): \(delay.seconds)")
    }
  }

  @Test func `a visitor who is there at the beginning has arrived, even if no position was known since the advice`() {
    let scene = coldScene()
    let appointment = scene.appointment(in: .seconds(1800))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(60)) { now in
      let left = (appointment.id.start - now).seconds
      scene.visitor = left > 400 ? PlanPoint(x: 0, y: 0) : left > 0 ? nil : PlanPoint(x: 0, y: 200)
    }
    #expect(scene.texts.count == 3 && scene.texts[1].hasPrefix("hurry") && scene.texts[2].hasPrefix("arrive"), "\(scene.texts)")
  }

  @Test func `an appointment is not missed while the position is unknown, which the status shows`() {
    let scene = coldScene()
    let appointment = scene.appointment(in: .seconds(1800))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(90)) { now in
      scene.visitor = (appointment.id.start - now).seconds > 300 ? PlanPoint(x: 0, y: 0) : nil
      if now == appointment.id.start + .seconds(30) { #expect(scene.service.status.first?.state == .begun) }
    }
    #expect(scene.texts.count == 2 && scene.texts[1].hasPrefix("hurry"), "\(scene.texts)")
    #expect(scene.service.status.first?.state == .unknown)
    let next = DepartureScene(scene.file, at: scene.alarm.now)
    next.use([appointment])
    #expect(next.service.status.first?.state == .unknown)
  }

  @Test func `a search that finds nothing ends, and the last way counts after ten seconds`() {
    let scene = coldScene()
    let appointment = scene.appointment(in: .seconds(1800))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(100)) { now in
      scene.visitor = (appointment.id.start - now).seconds > 600 ? PlanPoint(x: 0, y: 0) : nil
    }
    let times = scene.advice.map { ($0.appointment.id.start - $0.time).seconds }
    // 151 s on foot, and the margin of 300 s.
    #expect(times.count == 2 && (430...455).contains(times[0]) && (130...155).contains(times[1]), "\(times)")
    #expect(scene.service.status.first?.note == "the position is unknown")
  }
}
