import Calendars
import Captures
import Departures
import EventLoop
import Instants
import Locations
import Logging
import MonitorConfiguration
import Positioning

extension RealTimeAlarm: DepartureAlarm {}

/// The appointments of the config, the venue files and their calendars, for the service that gives advice.
final class AppointmentPlan {
  let service: DepartureService
  private let loop: Loop
  private let log: Logger
  private var configuration = Configuration()
  private var calendars: [(reference: CalendarReference, file: CalendarFile)] = []
  private var contents: [String: CalendarContent] = [:]
  /// The problems of each calendar in the last log lines.
  private var logged: [String: [String]] = [:]
  /// Fires when the window of a calendar's occurrences has moved, and after the clock was set or the machine slept.
  private let refresh: any DepartureAlarm

  private static let interval = Span.seconds(12 * 3600)

  /// - Parameter alarm: makes an alarm on the wall clock, or on the clock of a recording.
  init(
    _ loop: Loop, _ alarm: () -> any DepartureAlarm, _ positioning: PositioningService, _ file: (any DepartureFile)?, log: Logger
  ) {
    (self.loop, self.log) = (loop, log)
    service = DepartureService(alarm(), positioning, file, log: log)
    refresh = alarm()
    refresh.onAlarm = { [unowned self] in read() }
  }

  /// Follows the appointments and calendars of a configuration.
  func follow(_ configuration: Configuration) {
    self.configuration = configuration
    let known = calendars
    var files: [String: CalendarFile] = [:]
    for (_, file) in known { files[file.path] = file }
    calendars = configuration.calendars.map { reference in
      let file = files[reference.path] ?? CalendarFile(loop, path: reference.path) { [refresh] in refresh.now }
      files[reference.path] = file
      file.onContent = { [unowned self, unowned file] in take($0, of: file.path) }
      return (reference, file)
    }
    let paths = Set(calendars.map(\.file.path))
    contents = contents.filter { paths.contains($0.key) }
    logged = logged.filter { paths.contains($0.key) }
    read()
  }

  /// Follows all appointments again, of which some seemed past while the clock was wrong, and reads the calendars.
  private func read() {
    update()
    var seen: Set<String> = []
    for (_, file) in calendars where seen.insert(file.path).inserted { file.read() }
    let isNeeded = !calendars.isEmpty || !configuration.appointments.isEmpty
    refresh.arm(at: isNeeded ? refresh.now + Self.interval : .never)
  }

  private func take(_ content: CalendarContent, of path: String) {
    // A calendar that cannot be read for a moment, while a program replaces it, keeps its appointments.
    // One whose reading was ended keeps them as well.
    if content.failure == nil && content.isComplete || contents[path] == nil { contents[path] = content }
    let problems = calendars.filter { $0.file.path == path }
      .flatMap { $0.reference.problems(content, in: configuration.venues) }
    for problem in problems where !(logged[path] ?? []).contains(problem) { log.warning("\(path): \(problem)") }
    logged[path] = problems
    update()
  }

  private func update() {
    service.calendarNotes = logged.sorted { $0.key < $1.key }.flatMap { path, notes in notes.map { (path, $0) } }
    let appointments = calendars.flatMap { reference, file in
      reference.appointments(contents[file.path] ?? CalendarContent(), in: configuration.venues)
    }
    service.replace(
      configuration.appointments + appointments, venues: configuration.venues, walking: configuration.walking,
      languages: configuration.languages)
  }
}
