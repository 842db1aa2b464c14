import Instants
import Testing

@testable import Wayfinding

/// The time to leave for an appointment.
@Suite struct DepartureAdvisorTests {
  private static let start = Instant(microseconds: 1_800_000_000_000_000)
  private static let travel = Span.seconds(360)

  private static func advisor() -> DepartureAdvisor { DepartureAdvisor(start: start, margin: .seconds(300)) }

  @Test func `a visitor is advised to leave with the margin left, and once more when it is used up`() {
    var advisor = Self.advisor()
    var advice: [String] = []
    for second in stride(from: 1200.0, to: -10, by: -1) {
      if let given = advisor.update(at: Self.start - .seconds(second), travel: Self.travel, hasArrived: false) {
        advice.append("\(Int(second)) \(given)")
      }
    }
    #expect(advice.count == 3)
    #expect(advice[0].hasPrefix("660 leave(") && advice[1].hasPrefix("360 leaveAtOnce(") && advice[2] == "-6 missed", "\(advice)")
    #expect(advisor.isOver)
  }

  @Test func `arrival cancels the advice at the second check, and causes none within the margin`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(600), travel: Self.travel, hasArrived: false) == .leave(travel: Self.travel))
    #expect(advisor.update(at: Self.start - .seconds(400), travel: .zero, hasArrived: true) == nil && !advisor.isOver)
    #expect(advisor.nextCheck(after: Self.start - .seconds(400), travel: .zero) == Self.start - .seconds(394))
    #expect(advisor.update(at: Self.start - .seconds(385), travel: .zero, hasArrived: true) == .cancelled)
    #expect(advisor.update(at: Self.start - .seconds(100), travel: Self.travel, hasArrived: false) == nil)
    var early = Self.advisor()
    #expect(early.update(at: Self.start - .seconds(290), travel: .zero, hasArrived: true) == nil && !early.isOver)
    #expect(early.update(at: Self.start - .seconds(270), travel: .zero, hasArrived: true) == nil && early.isOver)
  }

  @Test func `a single position at the place ends nothing`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(600), travel: Self.travel, hasArrived: false) == .leave(travel: Self.travel))
    #expect(advisor.update(at: Self.start - .seconds(500), travel: .zero, hasArrived: true) == nil)
    #expect(advisor.update(at: Self.start - .seconds(480), travel: Self.travel, hasArrived: false) == nil)
    #expect(advisor.update(at: Self.start - .seconds(460), travel: .zero, hasArrived: true) == nil && !advisor.isOver)
    #expect(advisor.update(at: Self.start - .seconds(350), travel: Self.travel, hasArrived: false) == .leaveAtOnce(travel: Self.travel))
  }

  @Test func `a visitor who passes the place hours before is advised to leave`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(7200), travel: .zero, hasArrived: true) == nil && !advisor.isOver)
    #expect(advisor.update(at: Self.start - .seconds(600), travel: Self.travel, hasArrived: false) == .leave(travel: Self.travel))
  }

  @Test func `a visitor on the way is not advised again`() {
    var advisor = Self.advisor()
    var count = 0
    for second in 0..<360 {
      let travel = Span.seconds(360 - Double(second))
      if advisor.update(at: Self.start - .seconds(640 - Double(second)), travel: travel, hasArrived: false) != nil { count += 1 }
    }
    #expect(count == 1)
  }

  @Test func `without a route there is no advice until it is known`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(500), travel: nil, hasArrived: false) == nil)
    #expect(advisor.update(at: Self.start - .seconds(300), travel: Self.travel, hasArrived: false) == .leaveAtOnce(travel: Self.travel))
  }

  @Test func `the next check is after half of the time that is left, and exact at its end`() {
    let advisor = Self.advisor()
    let first = Self.start - .seconds(300) - DepartureAdvisor.horizon
    #expect(advisor.nextCheck(after: first - .seconds(86_400), travel: nil) == first)
    let early = Self.start - .seconds(1660)
    #expect(advisor.nextCheck(after: early, travel: Self.travel) == early + .seconds(500))
    let soon = Self.start - .seconds(670)
    #expect(advisor.nextCheck(after: soon, travel: Self.travel) == soon + .seconds(10))
    let late = Self.start - .seconds(650)
    #expect(advisor.nextCheck(after: late, travel: Self.travel) == late + .seconds(1))
    var over = advisor
    _ = over.update(at: Self.start, travel: nil, hasArrived: false)
    #expect(over.nextCheck(after: Self.start + .seconds(61), travel: nil) == nil)
  }

  @Test func `an appointment that began while the position was unknown, or long ago, is not missed`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start + .seconds(5), travel: nil, hasArrived: false) == nil && !advisor.isOver)
    #expect(advisor.update(at: Self.start + .seconds(61), travel: Self.travel, hasArrived: false) == nil)
    #expect(advisor.update(at: Self.start + .seconds(20), travel: Self.travel, hasArrived: false) == nil)
    #expect(advisor.update(at: Self.start + .seconds(26), travel: Self.travel, hasArrived: false) == .missed)
  }

  @Test func `a visitor whose position is unknown has neither arrived nor missed the appointment`() {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(300), travel: Self.travel, hasArrived: nil) == .leaveAtOnce(travel: Self.travel))
    for second in 0...60 {
      #expect(advisor.update(at: Self.start + .seconds(Double(second)), travel: Self.travel, hasArrived: nil) == nil)
    }
    #expect(!advisor.isOver)
  }

  @Test(arguments: [(350.0, true), (300, false)])
  func `a visitor who was on the way when the position was lost is not told to hurry`(travel: Double, hurries: Bool) {
    var advisor = Self.advisor()
    #expect(advisor.update(at: Self.start - .seconds(640), travel: Self.travel, hasArrived: false) == .leave(travel: Self.travel))
    #expect(advisor.update(at: Self.start - .seconds(600), travel: .seconds(travel), hasArrived: false) == nil)
    let advice = advisor.update(at: Self.start - .seconds(200), travel: .seconds(travel), hasArrived: nil)
    #expect(advice == (hurries ? .leaveAtOnce(travel: .seconds(travel)) : nil))
    // One who has stopped hurries when the position is known again.
    let later = advisor.update(at: Self.start - .seconds(100), travel: .seconds(travel), hasArrived: false)
    #expect(later == (hurries ? nil : .leaveAtOnce(travel: .seconds(travel))))
  }

  @Test func `one position elsewhere at the beginning is not a missed appointment`() {
    var advisor = DepartureAdvisor(start: Self.start, margin: .zero, stage: .urgent)
    #expect(advisor.update(at: Self.start, travel: Self.travel, hasArrived: false) == nil)
    #expect(advisor.nextCheck(after: Self.start, travel: Self.travel) == Self.start + .seconds(6))
    #expect(advisor.update(at: Self.start + .seconds(6), travel: .zero, hasArrived: true) == nil)
    #expect(advisor.update(at: Self.start + .seconds(12), travel: .zero, hasArrived: true) == .cancelled)
  }

  @Test func `the same position at the place confirms an arrival later than another one`() {
    var advisor = DepartureAdvisor(start: Self.start, margin: .zero, stage: .advised)
    #expect(advisor.update(at: Self.start - .seconds(100), travel: .zero, hasArrived: true) == nil)
    #expect(advisor.update(at: Self.start - .seconds(90), travel: .zero, hasArrived: true, isFresh: false) == nil)
    #expect(advisor.update(at: Self.start - .seconds(85), travel: .zero, hasArrived: true, isFresh: false) == .cancelled)
  }

  @Test func `advice of a stored stage is not repeated`() {
    var advisor = DepartureAdvisor(start: Self.start, margin: .seconds(300), stage: .advised)
    #expect(advisor.update(at: Self.start - .seconds(600), travel: Self.travel, hasArrived: false) == nil)
    #expect(advisor.update(at: Self.start - .seconds(300), travel: Self.travel, hasArrived: false) == .leaveAtOnce(travel: Self.travel))
  }
}
