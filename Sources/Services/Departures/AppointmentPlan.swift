import Instants
import Logging
import Venues

/// The appointments of the config, the venue files and their calendars, for the service that gives advice.
public final class AppointmentPlan {
  /// The appointments and calendars of a configuration, with their venues and the settings of the advice.
  public struct Settings: Hashable, Sendable {
    /// The appointments of the config and of the venue files.
    public var appointments: [PlannedAppointment]
    public var calendars: [CalendarReference]
    public var venues: [Venue]
    public var walking: WalkingSettings
    public var languages: [String]

    public init(
      appointments: [PlannedAppointment] = [], calendars: [CalendarReference] = [], venues: [Venue] = [],
      walking: WalkingSettings = WalkingSettings(), languages: [String] = []
    ) {
      (self.appointments, self.calendars, self.venues) = (appointments, calendars, venues)
      (self.walking, self.languages) = (walking, languages)
    }
  }

  /// The time after which the appointments of a missing file are dropped.
  static let patience = Span.seconds(600)
  /// The time after which the window of a calendar's occurrences has moved.
  static let interval = Span.seconds(12 * 3600)

  private let service: DepartureService
  private let open: (String) -> any CalendarReading
  private let log: Logger
  private var settings = Settings()
  private var calendars: [String: any CalendarReading] = [:]
  private var contents: [String: CalendarContent] = [:]
  /// The time since which the file of a calendar is missing.
  private var missing: [String: Instant] = [:]
  /// The problems of each calendar in the last log lines.
  private var logged: [String: [String]] = [:]
  /// Fires after the interval, and after the clock was set or the machine slept.
  private let refresh: any DepartureAlarm

  /// - Parameters:
  ///   - refresh: an alarm that the service does not use.
  ///   - open: returns the calendar at a path, which is not read yet.
  public init(
    _ service: DepartureService, _ refresh: any DepartureAlarm, log: Logger, open: @escaping (String) -> any CalendarReading
  ) {
    (self.service, self.refresh, self.log, self.open) = (service, refresh, log, open)
    refresh.onAlarm = { [unowned self] in read() }
  }

  /// Follows the appointments and calendars of a configuration.
  public func follow(_ settings: Settings) {
    self.settings = settings
    let known = calendars
    calendars = [:]
    for path in settings.calendars.map(\.path) where calendars[path] == nil {
      let calendar = known[path] ?? open(path)
      calendar.onContent = { [unowned self] in take($0, of: path) }
      calendars[path] = calendar
    }
    contents = contents.filter { calendars[$0.key] != nil }
    logged = logged.filter { calendars[$0.key] != nil }
    missing = missing.filter { calendars[$0.key] != nil }
    read()
  }

  /// Follows all appointments again, because some may have seemed past while the clock was wrong, and reads the calendars.
  private func read() {
    update()
    var seen: Set<String> = []
    for path in settings.calendars.map(\.path) where seen.insert(path).inserted { calendars[path]?.read() }
    let isNeeded = !settings.calendars.isEmpty || !settings.appointments.isEmpty
    refresh.arm(at: isNeeded ? refresh.now + Self.interval : .never)
  }

  private func take(_ content: CalendarContent, of path: String) {
    let since = content.isMissing ? missing[path] ?? refresh.now : nil
    missing[path] = since
    // A file that is gone for good has no appointments. If the clock was set back, the time restarts.
    if let since, refresh.now < since { missing[path] = refresh.now }
    if let since, refresh.now - since >= Self.patience { contents[path] = nil }
    // The appointments are kept while a program replaces the calendar, and if the reading was interrupted.
    if content.failure == nil && content.isComplete || contents[path] == nil { contents[path] = content }
    let problems = settings.calendars.filter { $0.path == path }.flatMap { $0.problems(content, in: settings.venues) }
    for problem in problems where !(logged[path] ?? []).contains(problem) { log.warning("\(path): \(problem)") }
    logged[path] = problems
    update()
  }

  private func update() {
    service.calendarNotes = logged.sorted { $0.key < $1.key }.flatMap { path, notes in notes.map { (path, $0) } }
    let appointments = settings.calendars.flatMap { calendar in
      calendar.appointments(contents[calendar.path] ?? CalendarContent(), in: settings.venues)
    }
    service.replace(
      settings.appointments + appointments, venues: settings.venues, walking: settings.walking, languages: settings.languages)
  }
}
