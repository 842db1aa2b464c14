import Departures
import Foundation
import Instants
import MonitorConfiguration
import Testing
import Venues

/// Appointments and calendars of beaconmon.toml and of venue files.
@Suite struct AppointmentTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "beaconmon-appointments-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try """
    format = 1
    calendar = "tours.ics"
    [[place]]
    id = "lodestone"
    position = [1, 2]
    title = { en = "Lodestone", de = "Magnetstein" }
    [[appointment]]
    at = 2026-12-02T15:00:00+01:00
    place = "lodestone"
    """.write(to: folder.appending(path: "gallery.toml"), atomically: true, encoding: .utf8)
  }

  private func read(_ config: String) throws -> ConfigurationDocument {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "beaconmon.toml")
    try ("source = \"auto\"\nvenues = [\"gallery.toml\"]\n" + config).write(to: file, atomically: true, encoding: .utf8)
    return try ConfigurationDocument.read(file: file.path)
  }

  private func error(_ config: String) -> String? {
    #expect(throws: ConfigurationError.self) { try read(config) }?.description.replacing(folder.path, with: "FOLDER")
  }

  private static let table = "[[appointment]]\ntitle = \"Tour\"\nat = 2026-12-01T15:00:00+01:00\n"
  private static let start = Instant(microseconds: 1_796_133_600_000_000)

  @Test func `appointments and calendars of the config and of venues are found, and paths follow the folder`() throws {
    let configuration = try read(
      "calendar = [\"a.ics\", \"/b.ics\"]\n" + Self.table
        + "place = \"magnetstein\"\nmargin = \"10m\"\n[walking]\nspeed = 1.1\naccessible = true"
    ).configuration
    #expect(configuration.appointments.count == 2)
    let first = try #require(configuration.appointments.first)
    #expect(first.id == .init(venue: "gallery", place: "lodestone", start: Self.start) && first.margin == .seconds(600))
    #expect(first.title.text(preferring: []) == "Tour")
    #expect(
      configuration.calendars == [
        CalendarReference(path: folder.path + "/a.ics"), CalendarReference(path: "/b.ics"),
        CalendarReference(path: folder.path + "/tours.ics", venue: "gallery"),
      ])
    #expect(configuration.walking == WalkingSettings(speed: 1.1, isAccessible: true))
  }

  @Test(arguments: [
    ("place = \"lodeston\"", "place: no venue has the place \"lodeston\"; did you mean \"lodestone\"?"),
    ("place = \"lodestone\"\nvenue = \"shop\"", "venue: no file in venues has the id \"shop\"; correct it, or add the file to venues"),
  ])
  func `an appointment at an unknown place is an error in its line`(keys: String, message: String) throws {
    #expect(error(Self.table + keys)?.contains("beaconmon.toml:3: appointment: \(message)") ?? false)
  }

  @Test(arguments: [
    ("[[appointment]]\nplace = \"lodestone\"", "appointment 1: missing key \"at\""),
    ("[[appointment]]\nplace = \"lodestone\"\nat = 2026-12-01T15:00:00", "is not a time with a zone"),
    ("[[appointment]]\nplace = \"lodestone\"\nat = \"15:00\"", "must be a time such as"),
    (table + "place = \"lodestone\"\nmargin = \"2d\"", "margin: \"2d\" is not between 0s and 1d"),
    ("calendar = \"tours/\"", "calendar: contains no file"),
    ("calendar = [\"a.ics\", \"a.ics\"]", "calendar: has \"a.ics\" twice"),
    ("[walking]\nspeed = 9", "walking: speed: 9 is not between 0.3 and 3"),
  ])
  func `an invalid appointment is reported`(config: String, message: String) throws {
    let error = error(config)
    #expect(error?.contains(message) ?? false, "\(error ?? "")")
  }

  @Test func `a past appointment, a venue without a frame, and the problems of calendars are warnings`() throws {
    let document = try read("calendar = \"mine.ics\"\n" + Self.table + "place = \"lodestone\"")
    let warnings = document.appointmentWarnings(at: Self.start + .seconds(3600)) { path in
      path.hasSuffix("mine.ics")
        ? CalendarContent(
          entries: [CalendarEntry(start: Self.start, place: "moon")], warnings: ["event \"x\": has no DTSTART, and is ignored"])
        : CalendarContent(failure: "No such file or directory")
    }
    let texts = warnings.map { $0.description.replacing(folder.path + "/", with: "") }
    #expect(
      texts == [
        "beaconmon.toml:4: appointment: at: 2026-12-01T14:00:00Z is in the past, so no advice follows; remove the appointment",
        "gallery.toml: appointment: the venue has no [frame], so the way from a location is unknown; add latitude and longitude",
        "mine.ics: event \"x\": has no DTSTART, and is ignored",
        "mine.ics: X-BEACONMON-PLACE: no venue has the place \"moon\"; write the id or the title of a [[place]]",
        "tours.ics: No such file or directory",
      ], "\(texts)")
  }

  @Test func `the events of a calendar at places of venues are appointments, and others are not`() throws {
    let venues = try read("").configuration.venues
    let content = CalendarContent(entries: [
      CalendarEntry(start: Self.start, title: "Tour", location: "Lodestone"),
      CalendarEntry(start: Self.start, title: "Dentist", location: "Main Street 1"),
      CalendarEntry(start: Self.start + .seconds(60), location: "Main Street 1, Gallery", place: "lodestone"),
    ])
    let found = CalendarReference(path: "a.ics").appointments(content, in: venues)
    #expect(found.map(\.id.place) == ["lodestone", "lodestone"] && found[0].title.text(preferring: []) == "Tour")
    #expect(CalendarReference(path: "a.ics", venue: "shop").appointments(content, in: venues).isEmpty)
  }
}
