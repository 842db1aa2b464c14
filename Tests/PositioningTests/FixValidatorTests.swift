import Instants
import Locations
import Positioning
import Records
import TestSupport
import Testing

/// The health of a source by what it reports, on a manual clock.
@Suite struct FixValidatorTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let validator: FixValidator
    private(set) var health: [LocationHealth] = []
    private(set) var fixes: [Location] = []

    init(_ pace: FixValidator.Pace = .steady(.seconds(10))) {
      validator = FixValidator(scheduler, Location.Source("test"), pace) { [scheduler] in
        Receipt(instant: scheduler.now, wallClock: .init(time: scheduler.wallClock, isSynchronised: true))
      }
      validator.onHealthChange = { [unowned self] in health.append($0) }
      validator.onLocation = { [unowned self] in fixes.append($0) }
    }

    var states: [LocationHealth.State] { health.map(\.state) }
    var reason: String? { validator.health.reason }

    /// Takes a fix of this age.
    func fix(age: Double = 0, latitude: Double = 52.52) {
      let time = scheduler.wallClock - .seconds(age)
      validator.take(.reading(LocationReading(latitude: latitude, longitude: 13.405, horizontalAccuracy: 5, time: time)))
    }

    func search(used: Int? = nil, seen: Int? = nil) {
      validator.take(.searching(SourceReport.Satellites(used: used, seen: seen)))
    }

    func point() {
      if let reading = HeadingReading(trueHeading: 90) { validator.take(.heading(reading)) }
    }

    func pass(_ seconds: Double) { scheduler.advance(by: .seconds(seconds)) }
  }

  private static let noData = "it sends no data"
  private static let noFix = "it has no fix; give it a clear view of the sky"
  private static let tooOld = "its fixes are too old when they arrive; check the clock of this device"

  // MARK: On and off

  @Test func `a report after the end does not switch a source on`() {
    let scene = Scene()
    scene.validator.begin()
    scene.validator.end()
    scene.validator.fail(.gone, "unplugged")
    scene.validator.noteFlood()
    scene.search()
    #expect(!scene.validator.isOn && scene.states == [.starting, .off])
    scene.validator.begin()
    scene.validator.fail(.gone, "unplugged")
    #expect(scene.validator.isOn && scene.states == [.starting, .off, .starting, .gone])
  }

  @Test func `a source that fails, or ends, is not silent later`() {
    let scene = Scene()
    scene.validator.begin()
    scene.validator.fail(.gone, "unplugged")
    scene.pass(60)
    #expect(scene.validator.health == LocationHealth(.gone, "unplugged"))
    scene.validator.begin()
    scene.validator.end()
    #expect(scene.scheduler.nextDue == .never && scene.states == [.starting, .gone, .starting, .off])
  }

  // MARK: Silence

  @Test(arguments: [FixValidator.Pace.steady(.seconds(10)), .onChange(.seconds(10))])
  func `a source that sends nothing is silent after its time`(pace: FixValidator.Pace) {
    let scene = Scene(pace)
    scene.validator.begin()
    scene.pass(9.9)
    #expect(scene.states == [.starting])
    scene.pass(0.1)
    #expect(scene.health == [LocationHealth(.starting), LocationHealth(.silent, Self.noData)])
  }

  @Test func `a source that reports continuously is silent when its fixes end`() {
    let scene = Scene()
    scene.validator.begin()
    for _ in 0..<5 {
      scene.pass(9)
      scene.fix()
    }
    #expect(scene.states == [.starting, .fixing] && scene.fixes.count == 5 && scene.validator.counts.fixes == 5)
    scene.pass(10)
    #expect(scene.validator.health == LocationHealth(.silent, Self.noData))
    scene.fix()
    #expect(scene.states == [.starting, .fixing, .silent, .fixing])
  }

  @Test func `a source that reports changes stays fixing without reports, until a request has no answer`() {
    let scene = Scene(.onChange(.seconds(30)))
    scene.validator.begin()
    scene.fix()
    scene.pass(3600)
    #expect(scene.states == [.starting, .fixing])
    scene.validator.expect()
    scene.pass(30)
    #expect(scene.states == [.starting, .fixing, .silent])
  }

  @Test func `a source of a recording is never late`() {
    let scene = Scene(.played)
    scene.validator.begin()
    #expect(scene.scheduler.nextDue == .never)
    scene.fix()
    #expect(scene.scheduler.nextDue == .never && scene.states == [.starting, .fixing])
  }

  // MARK: Reasons

  @Test func `a searching source is silent with the number of satellites`() {
    let scene = Scene()
    scene.validator.begin()
    scene.search(used: 3)
    #expect(scene.validator.health.words == "\(Self.noFix) (3 satellites are used)")
    scene.search(used: 3, seen: 9)
    #expect(scene.validator.health.words == "\(Self.noFix) (3 of 9 satellites are used)")
    scene.search()
    #expect(scene.validator.health.words == Self.noFix && scene.states == [.starting, .silent, .silent, .silent])
  }

  @Test func `a single epoch without a fix changes nothing, and is the reason for a silence that follows`() {
    let scene = Scene()
    scene.validator.begin()
    scene.fix()
    scene.pass(1)
    scene.search()
    scene.pass(1)
    scene.fix()
    #expect(scene.states == [.starting, .fixing])
    scene.pass(10)
    #expect(scene.reason == Self.noData)
    scene.fix()
    scene.search()
    scene.pass(10)
    #expect(scene.reason == Self.noFix)
    // The next start knows nothing of it.
    scene.validator.end()
    scene.validator.begin()
    scene.pass(10)
    #expect(scene.reason == Self.noData)
  }

  @Test func `impossible readings are refused, counted and the reason for the silence`() {
    let scene = Scene()
    scene.validator.begin()
    scene.fix(latitude: 91)
    scene.fix(age: -3600)
    #expect(scene.validator.counts.refused.counts == ["latitude": 1, "ahead": 1] && scene.fixes.isEmpty)
    #expect(
      scene.health.map(\.reason) == [
        nil, "its fixes are refused: a latitude outside -90 to 90", "its fixes are refused: a time in the future",
      ])
  }

  @Test func `the first fixes may be old, and later old ones are the reason for the silence`() {
    let scene = Scene()
    scene.validator.begin()
    scene.fix(age: 60)
    #expect(scene.states == [.starting] && scene.validator.counts.stale == 1 && scene.fixes.isEmpty)
    scene.pass(10)
    #expect(scene.validator.health == LocationHealth(.silent, Self.tooOld))
    scene.search()
    #expect(scene.reason == Self.noFix)
    scene.fix(age: 60)
    #expect(scene.reason == Self.tooOld && scene.validator.counts.stale == 2 && scene.validator.counts.fixes == 0)
  }

  @Test func `a source that sends only headings is silent with this reason, unless it has another`() {
    let scene = Scene()
    scene.validator.begin()
    scene.point()
    scene.pass(10)
    #expect(scene.reason == "it reports a heading but no position")
    scene.search()
    scene.validator.begin()
    scene.fix(age: 60)
    scene.point()
    scene.pass(10)
    #expect(scene.reason == Self.tooOld)
  }

  @Test func `a flood is the reason for a silence, and matters to no source with fixes`() {
    let scene = Scene()
    scene.validator.begin()
    scene.fix()
    scene.validator.noteFlood()
    #expect(scene.states == [.starting, .fixing])
    scene.validator.begin()
    scene.validator.noteFlood()
    #expect(scene.validator.health.state == .silent && scene.reason?.hasPrefix("it sends more data than any receiver") == true)
  }

  // MARK: Headings

  @Test func `a heading is reported for ten seconds, and forgotten when the source fails, ends or returns`() {
    let scene = Scene()
    var readings = 0
    scene.validator.onHeading = { _ in readings += 1 }
    scene.validator.begin()
    scene.point()
    scene.pass(9)
    #expect(scene.validator.heading?.trueHeading == 90 && scene.validator.heading?.age == 9)
    scene.pass(2)
    #expect(scene.validator.heading == nil)
    for change in [{ scene.validator.fail(.gone, "unplugged") }, { scene.validator.end() }, { scene.validator.begin() }] {
      scene.point()
      change()
      #expect(scene.validator.heading == nil)
    }
    #expect(readings == 4)
  }
}
