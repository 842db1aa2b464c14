import Events
import Instants
import Locations
import Proximity
import Records
import Regions
import TrackRecordings

/// Applies the reports of a location receiver on a walk to the engine; the receiver's time is the clock.
public struct FixReplay: Sendable {
  /// The number of fixes so far.
  public private(set) var fixCount = 0
  /// The number of events so far.
  public private(set) var eventCount = 0
  /// The refused readings by their reasons.
  public private(set) var refused = Tally<LocationRefusal>()
  /// The time from the first fix to the receiver's last time; nil before there is a fix.
  public private(set) var period: ClosedRange<Instant>?
  private var driver: EngineDriver

  /// - Parameter driver: watches the regions, and has not started.
  public init(_ driver: EngineDriver) {
    self.driver = driver
  }

  /// Applies a report, and returns the events in their order.
  public mutating func take(_ report: WalkReport) -> [Event] {
    guard case .reading(let reading) = report.report else { return pass(to: report.time) }
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .capture, at: Receipt(recorded: report.time))
    } catch {
      refused.count(error)
      // The times of other refused readings are not trusted either.
      return error == .noFix ? pass(to: report.time) : []
    }
    return go(to: location, at: report.time)
  }

  /// Advances to the next deadline of the engine; returns nil when silence changes nothing any more.
  public mutating func wait() -> [Event]? {
    guard period != nil, driver.nextWake != .never else { return nil }
    return events(driver.step([], through: driver.nextWake))
  }

  private mutating func go(to location: Location, at time: Instant) -> [Event] {
    if period == nil { driver.start(at: time) }
    period = min(time, period?.lowerBound ?? time)...max(time, period?.upperBound ?? time)
    fixCount += 1
    return Fix(location, at: time).map { events(driver.apply($0, at: time)) } ?? []
  }

  /// Advances the time without a fix.
  private mutating func pass(to time: Instant) -> [Event] {
    guard let period, time > period.upperBound else { return [] }
    self.period = period.lowerBound...time
    return events(driver.step([], through: time))
  }

  private mutating func events(_ results: [EngineDriver.Output]) -> [Event] {
    let events = results.compactMap { result in if case .event(let event) = result { event.event() } else { nil } }
    eventCount += events.count
    return events
  }
}
