import Departures
import Events
import Geodesy
import Instants
import LocationArbitration
import Locations
import Status
import Testing
import Venues
import Wayfinding

/// The time to leave for appointments.
@Suite struct DepartureServiceTests {
  /// The seconds to the gate, 200 m at 1.33 m/s.
  private static let travel = 151.0

  @Test func `without an appointment the service has no timer, asks for no location and reads no file`() {
    let scene = DepartureScene()
    scene.use([])
    #expect(scene.alarm.due == .never && scene.locations.searches.isEmpty && scene.file.loads == 0)
    #expect(scene.service.status.isEmpty)
  }

  @Test func `a visitor who stays gets the advice to leave once, the advice to hurry once, and a report of the missed appointment`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(4 * 3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(300))
    #expect(scene.texts.count == 3, "\(scene.texts)")
    let times = scene.advice.map { ($0.appointment.id.start - $0.time).seconds }
    #expect(abs(times[0] - Self.travel - 300) <= 2 && abs(times[1] - Self.travel) <= 2 && times[2] <= 0, "\(times)")
    #expect(scene.alarm.rings < 40, "\(scene.alarm.rings)")
    #expect(scene.advice[0].travel?.length ?? 0 > 195)
  }

  @Test(arguments: [100.0, 400, 4000])
  func `advice waits at most three seconds for a position that is never as accurate as requested`(left: Double) {
    let scene = DepartureScene()
    scene.isCoarse = true
    scene.visitor = PlanPoint(x: 0, y: 150)
    let appointment = scene.appointment(in: .seconds(left), margin: .seconds(30))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(60))
    let times = scene.advice.map { ($0.appointment.id.start - $0.time).seconds }
    // 50 m at 1.33 m/s, and the margin.
    #expect(times.count == 3, "\(scene.texts)")
    #expect((64...68.5).contains(times[0]) && (34...38.5).contains(times[1]) && (-14 ... -6).contains(times[2]), "\(times)")
  }

  @Test func `the location is requested rarely before the time to leave, and coarsely far before it`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(24 * 3600))
    scene.use([appointment])
    #expect(scene.locations.searches.isEmpty)
    scene.run(until: appointment.id.start - .seconds(600))
    #expect((4...16).contains(scene.locations.searches.count), "\(scene.locations.searches.count)")
    #expect(scene.texts.isEmpty)
    // The second search knows how far away the visitor is in time.
    let metres = scene.locations.searches.map(\.metres)
    #expect(metres[1] > 100 && metres[metres.count - 1] < 100, "\(metres)")
  }

  @Test func `a visitor who walks away gets the advice in time`() {
    let scene = DepartureScene()
    scene.visitor = PlanPoint(x: 0, y: 190)
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    // He stays at the gate until twelve minutes before, and goes back to the entrance and on.
    scene.run(until: appointment.id.start - .seconds(400)) { now in
      let left = (appointment.id.start - now).seconds
      if left < 720 { scene.visitor = PlanPoint(x: 0, y: max(0, 190 - 1.33 * (720 - left))) }
    }
    #expect(scene.texts.first?.hasPrefix("leave") ?? false, "\(scene.texts)")
    let left = (scene.advice[0].appointment.id.start - scene.advice[0].time).seconds
    #expect(left >= Self.travel + 300 - 20, "\(left)")
  }

  @Test func `arrival cancels the advice, and nothing follows`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    var progress = 0.0
    scene.run(until: appointment.id.start + .seconds(120)) { _ in
      if !scene.advice.isEmpty { progress = min(200, progress + 1.33) }
      scene.visitor = PlanPoint(x: 0, y: progress)
    }
    #expect(scene.advice.count == 2 && scene.texts[1].hasPrefix("arrive"), "\(scene.texts)")
    #expect(scene.service.status.first?.state == .arrived)
  }

  @Test func `the time to leave is within 10 % of the walk that follows`() {
    for (seed, pace) in [0.9, 1.1, 1.33, 1.6].enumerated() {
      let scene = DepartureScene()
      let appointment = scene.appointment(in: .seconds(3600), margin: .zero)
      scene.use([appointment])
      var (progress, told, arrived) = (0.0, Instant?.none, Instant?.none)
      scene.run(until: appointment.id.start + .seconds(50)) { now in
        // The receiver has measured the pace of the visitor on earlier walks.
        if scene.locations.isSearching { scene.answer(speed: pace) }
        if told == nil, let first = scene.advice.first { told = first.time }
        if told != nil { progress += pace }
        if progress >= 197, arrived == nil { arrived = now }
        scene.visitor = PlanPoint(x: 0, y: min(200, progress))
        if scene.alarm.due <= now {
          scene.alarm.ring()
          scene.answer(speed: pace)
        }
      }
      guard let told, let arrived, case .leaveAtOnce(let travel)? = scene.advice.first?.advice else {
        Issue.record("\(seed): \(scene.texts)")
        continue
      }
      let walked = (arrived - told).seconds
      #expect(abs(travel.seconds - walked) <= 0.1 * walked, "pace \(pace): \(travel.seconds) for \(walked)")
    }
  }

  @Test func `advice that was given before a restart is not repeated`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1)
    let next = DepartureScene(scene.file, at: scene.alarm.now)
    next.use([appointment])
    next.run(until: appointment.id.start - .seconds(200))
    #expect(next.texts.isEmpty, "\(next.texts)")
    next.run(until: appointment.id.start - .seconds(100))
    #expect(next.texts.count == 1 && next.texts[0].hasPrefix("hurry"), "\(next.texts)")
  }

  @Test func `a device that was off when an appointment began sends no advice for it`() {
    let scene = DepartureScene(FakeDepartureFile())
    scene.use([scene.appointment(in: .seconds(-300))])
    scene.run(until: scene.alarm.now + .seconds(600))
    #expect(scene.texts.isEmpty && scene.service.status.first?.state == .past)
  }

  @Test func `a device that returns shortly before an appointment sends the due advice`() {
    let scene = DepartureScene()
    scene.use([scene.appointment(in: .seconds(100))])
    #expect(scene.texts == ["hurry 100"])
  }

  @Test func `without a position there is no advice, and the status has the reason`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.visitor = nil
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(300)) { now in
      if now == appointment.id.start - .seconds(120) {
        #expect(scene.service.status.first?.note == "the position is unknown")
        #expect(scene.service.status.first?.leaveTime == nil)
      }
    }
    #expect(scene.texts.isEmpty, "\(scene.texts)")
    // The attempts do not become a storm.
    #expect(scene.locations.searches.count < 120, "\(scene.locations.searches.count)")
  }

  @Test func `a position that is lost for a moment does not delay the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(300)) { now in
      scene.visitor = now > appointment.id.start - .seconds(600) ? nil : PlanPoint(x: 0, y: 0)
    }
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"), "\(scene.texts)")
  }

  @Test func `a clock that is set forward brings the advice at once, and one that is set back repeats none`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(10 * 3600))
    scene.use([appointment])
    #expect(scene.texts.isEmpty)
    scene.alarm.set(appointment.id.start - .seconds(420))
    scene.answer()
    #expect(scene.texts == ["leave 420"])
    scene.alarm.set(appointment.id.start - .seconds(3600))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(200))
    #expect(scene.texts == ["leave 420"], "\(scene.texts)")
    scene.run(until: appointment.id.start - .seconds(100))
    #expect(scene.texts.count == 2 && scene.texts[1].hasPrefix("hurry"))
  }

  @Test func `a clock that was far ahead for a while loses no appointment`() {
    let scene = DepartureScene()
    let start = scene.alarm.now
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.alarm.set(start + .seconds(400 * 86_400))
    scene.answer()
    #expect(scene.texts.isEmpty)
    scene.alarm.set(start + .seconds(600))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1, "\(scene.texts)")
  }

  @Test func `a reload keeps the stage of an appointment, and a removed one is silent`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1)
    var renamed = appointment
    renamed.title = LocalizedText("Flight BM 12")
    scene.use([renamed])
    scene.run(until: appointment.id.start - .seconds(300))
    #expect(scene.texts.count == 1)
    scene.use([])
    scene.run(until: appointment.id.start)
    #expect(scene.texts.count == 1 && scene.alarm.due == .never)
  }

  @Test func `a search without an answer does not end the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.service.replace([appointment], venues: [DepartureScene.venue], walking: WalkingSettings(), languages: ["en"])
    // The first answer is lost.
    scene.locations.isSearching = false
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"), "\(scene.texts)")
  }

  @Test func `a visitor who was at the place before the position was lost gets the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(60)) { now in
      let left = (appointment.id.start - now).seconds
      scene.visitor = left > 330 ? PlanPoint(x: 0, y: 200) : left > 200 ? nil : PlanPoint(x: 0, y: 0)
    }
    #expect(scene.texts.count == 2 && scene.texts[0].hasPrefix("leave") && scene.texts[1].hasPrefix("hurry"), "\(scene.texts)")
  }

  @Test func `a visitor who is too far to walk is located coarsely until the end`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.visitor = PlanPoint(x: 0, y: -30_000)
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(1))
    #expect(scene.locations.searches.count > 3 && scene.locations.searches.allSatisfy { $0.metres == 1000 }, "\(scene.locations.searches)")
  }

  @Test func `stages that cannot be read are not erased, and count when they can`() {
    let file = FakeDepartureFile()
    let scene = DepartureScene(file)
    let appointment = scene.appointment(in: .seconds(400))
    let stored = [StoredDeparture(id: appointment.id, stage: .advised)]
    (file.stored, file.isReadable) = (stored, false)
    scene.visitor = nil
    scene.use([appointment])
    #expect(file.stored == stored)
    file.isReadable = true
    scene.visitor = PlanPoint(x: 0, y: 0)
    scene.run(until: scene.alarm.now + .seconds(60))
    #expect(scene.texts.isEmpty, "\(scene.texts)")
  }

  @Test func `the event of a device's advice may be stored, and that of a session's is not`() throws {
    let scene = DepartureScene()
    let start = scene.alarm.now + .seconds(400)
    scene.use([scene.appointment(at: start)])
    #expect(scene.service.add(scene.appointment(at: start), of: 1))
    scene.run(until: start - .seconds(1))
    let events = scene.advice.map { (owner: $0.owner, event: scene.service.event(of: $0)) }
    #expect(Set(events.map(\.owner)) == [.device, .session(1)])
    for (owner, event) in events {
      #expect(event.isDurable == (owner == .device ? nil : false))
      #expect(event.placeName == "Gate 12" && event.placeID == "gate-12" && event.appointment == "Flight")
    }
  }

  @Test func `the time to leave follows from the pace that guidance has measured`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    #expect(scene.service.status.first?.travelTime == .seconds(Self.travel))
    for _ in 0..<12 { scene.service.take(pace: 0.9) }
    scene.run(until: appointment.id.start - .seconds(600))
    let travel = scene.service.status.first?.travelTime?.seconds ?? 0
    #expect(abs(travel - 200 / 0.9) < 6, "\(travel)")
  }
}
