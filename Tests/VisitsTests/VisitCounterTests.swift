import Events
import Instants
import Records
import Testing
import Visits

@Suite struct VisitCounterTests {
  /// 24 November 2026, 09:00 UTC.
  private static let morning = Instant(microseconds: 1_795_510_800_000_000)
  private static let today = LocalCalendar.utc.day(of: morning)
  private static let midnight = morning - .seconds(9 * 3600)

  private static func event(
    _ kind: Event.Kind, _ minutes: Double, _ region: String = "door", state: RegionState? = nil, cause: Event.Cause? = nil,
    isClockSynchronised: Bool? = nil
  ) -> Event {
    var event = Event(
      sequence: 1, kind: kind, region: region, regionKind: .beacon, time: morning + .seconds(60 * minutes), state: state,
      reason: Event.Reason(cause))
    event.isClockSynchronised = isClockSynchronised
    return event
  }

  private func days(_ events: [Event], _ calendar: LocalCalendar = .utc) -> [DailyVisits] {
    var counter = VisitCounter()
    for event in events { counter.take(event, in: calendar) }
    return counter.takeChanges()
  }

  @Test func `visits are counted with their length and the hour in which they began`() throws {
    let days = days([
      Self.event(.enter, 0), Self.event(.exit, 30), Self.event(.enter, 70), Self.event(.exit, 80), Self.event(.enter, 100),
    ])
    let day = try #require(days.first)
    #expect(days.count == 1 && day.key == .init(day: Self.today, region: "door") && day.kind == .beacon)
    #expect(day.visits == 3 && day.ended == 2)
    #expect(day.inside == .seconds(40 * 60) && day.longest == .seconds(30 * 60))
    #expect(day.visitsByHour[9] == 1 && day.visitsByHour[10] == 2 && day.busiestHours == [10])
  }

  @Test func `a visit over midnight counts on the day of its beginning, and its time on each day`() {
    let days = days([Self.event(.enter, 14 * 60), Self.event(.exit, 15.5 * 60 + 24 * 60)])
    #expect(days.map(\.key.day) == [Self.today, Self.today + 1, Self.today + 2])
    #expect(days.map(\.visits) == [1, 0, 0] && days.map(\.ended) == [0, 0, 1])
    #expect(days.map(\.inside) == [.seconds(3600), .seconds(86_400), .seconds(1800)])
  }

  @Test func `days and hours are those of local time, even when the clock is changed`() {
    // Two hours ahead of UTC until 09:30, then one.
    let calendar = LocalCalendar { $0 < Self.morning + .seconds(1800) ? .seconds(7200) : .seconds(3600) }
    let day = days([Self.event(.enter, 0), Self.event(.exit, 10), Self.event(.enter, 40)], calendar)[0]
    #expect(day.visitsByHour[11] == 1 && day.visitsByHour[10] == 1)
    #expect(calendar.start(of: Self.today) == Self.midnight - .seconds(7200))
    #expect(calendar.start(of: Self.today + 1) == Self.midnight + .seconds(86_400 - 3600))
    #expect(LocalCalendar { _ in .seconds(-3600) }.day(of: Self.midnight) == Self.today - 1)
  }

  @Test func `time in which the state is unknown is not time inside, and its end is not a visit`() {
    let day = days([
      Self.event(.enter, 0), Self.event(.state, 10, state: .unknown, cause: .receiverLost),
      Self.event(.state, 20, state: .inside, cause: .sighting), Self.event(.exit, 25),
    ])[0]
    #expect(day.visits == 1 && day.inside == .seconds(15 * 60))
    // The length of the whole visit is not known.
    #expect(day.ended == 0 && day.longest == .zero)
  }

  @Test func `muted crossings and passages are visits, and a fix that agrees is not`() {
    let day = days([
      Self.event(.state, 0, state: .inside, cause: .sighting), Self.event(.state, 5, state: .outside, cause: .silence),
      Self.event(.cross, 6, state: .outside, cause: .passage), Self.event(.state, 7, state: .inside, cause: .fix),
      Self.event(.dwell, 8, state: .inside, cause: .stay),
    ])[0]
    #expect(day.visits == 2 && day.ended == 1 && day.inside == .seconds(300))
  }

  @Test func `an exit without an enter ends no visit, and an enter without an exit begins a new one`() {
    let day = days([Self.event(.exit, 0), Self.event(.enter, 10), Self.event(.enter, 30), Self.event(.exit, 31)])[0]
    #expect(day.visits == 2 && day.ended == 1 && day.longest == .seconds(60))
  }

  @Test func `a clock that is set does not add years, and events of a wrong clock count on the last known day`() {
    let wrong = -50.0 * 365 * 24 * 60
    let days = days([
      Self.event(.enter, 0, isClockSynchronised: true), Self.event(.exit, wrong, isClockSynchronised: false),
      Self.event(.enter, wrong + 1, isClockSynchronised: false), Self.event(.exit, 60, isClockSynchronised: true),
    ])
    #expect(days.map(\.key.day) == [Self.today])
    #expect(days[0].visits == 2 && days[0].inside == .zero && days[0].ended == 0)
  }

  @Test func `open visits continue in the next process`() {
    var first = VisitCounter()
    first.take(Self.event(.enter, 0), in: .utc)
    _ = first.takeChanges()
    var second = VisitCounter(open: first.openVisits, latest: first.latest)
    second.take(Self.event(.exit, 45), in: .utc)
    #expect(second.takeChanges().map(\.inside) == [.seconds(45 * 60)] && second.open.isEmpty && second.takeChanges().isEmpty)
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `impossible times are not counted`(microseconds: Int64) {
    let time = Instant(microseconds: microseconds)
    #expect(days([Event(sequence: 1, kind: .enter, region: "door", time: time), Self.event(.exit, 5)]).isEmpty)
    #expect((0..<24).contains(LocalCalendar { _ in .seconds(-3600) }.hour(of: time)))
  }

  @Test func `events of appointments and damaged events are not counted`() {
    var damaged = Event(sequence: 9, kind: .damaged, time: Self.morning)
    damaged.firstSequence = 3
    #expect(days([damaged, Event(sequence: 10, kind: .depart, time: Self.morning)]).isEmpty)
  }

  @Test func `a record holds all numbers of a day`() throws {
    var day = days([Self.event(.enter, 0), Self.event(.exit, 30.5)])[0]
    day.visitsByHour[23] = 7
    #expect(DailyVisits(day.record) == day)
    #expect(
      day.record.json
        == """
        {"day":"2026-11-24","region":"door","regionKind":"beacon","visits":1,"ended":1,"timeInside":1830.000,"longestVisit":1830.000,\
        "visitsByHour":{"09":1,"23":7}}
        """)
    #expect(DailyVisits(Record(["day": .text("yesterday"), "region": .text("door")])) == nil)
    let record = Record([
      "day": .text("2026-11-24"), "region": .text("door"), "visits": .quantity(.nan, decimals: 1), "ended": .integer(-4),
    ])
    let wrong = try #require(DailyVisits(record))
    #expect(wrong.visits == 0 && wrong.ended == 0)
  }

  @Test(arguments: ["", "2026-11-31", "2026-1-01", "24.11.2026", "2026-11-24T00"])
  func `texts that are not days are refused`(text: String) {
    #expect(LocalCalendar.day(text) == nil)
  }
}
