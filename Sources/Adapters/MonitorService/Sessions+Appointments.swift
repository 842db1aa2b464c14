import ClientSessions
import DBus
import Departures
import Events
import Instants
import MonitorProtocol
import Venues

// MARK: Appointments

extension Sessions {
  var appointmentMethods: [DBusMethod] {
    let identifier = DBusArgument("identifier", "s")
    return [
      consented("AddAppointment", [DBusArgument("appointment", "a{sv}")], out: [identifier]) { sessions, _, arguments throws(DBusError) in
        _ = try sessions.appointment(arguments[0])
      } _: { sessions, object, arguments throws(DBusError) in
        let (service, appointment) = (sessions.service, try sessions.appointment(arguments[0]))
        let identifier = try refusing(try service.appointments.add(appointment, to: object.session))
        // The advice follows the answer.
        return Answer(values: [.string(identifier)]) { service.appointments.advise(appointment, in: object.session) }
      },
      method("RemoveAppointment", [identifier]) { sessions, object, arguments throws(DBusError) in
        try refusing(try sessions.service.appointments.remove(arguments[0].string ?? "", of: object.session))
        return Answer()
      },
    ]
  }

  var appointmentSignals: [DBusSignal] {
    [
      DBusSignal(
        "AppointmentEvent", [DBusArgument("event", "s"), DBusArgument("identifier", "s"), DBusArgument("details", "a{sv}")])
    ]
  }
}

// MARK: Options

extension Sessions {
  /// Returns the appointment that a client describes.
  private func appointment(_ options: DBusValue) throws(DBusError) -> PlannedAppointment {
    try OptionType.check(options, AppointmentOptions.types, keys: AppointmentOptions.keys, of: "AddAppointment")
    guard let microseconds = options["time"]?.integer(UInt64.self) else {
      throw AppointmentOptions.invalid("time is required: the beginning in microseconds since the Unix epoch")
    }
    guard let name = options["place"]?.string else {
      throw AppointmentOptions.invalid("place is required: the id or the title of a place of a venue")
    }
    let start = try refusing(try service.appointments.start(microseconds))
    let place = try refusing(try service.appointments.place(name, venue: options["venue"]?.string))
    var margin = Appointment.defaultMargin
    if let value = options["margin"] {
      guard let span = value.string.flatMap(Span.init(text:)) ?? (value.string == "0s" ? .zero : nil),
        AppointmentOptions.margins.contains(span)
      else {
        throw AppointmentOptions.invalid("margin must be a duration from 0s to 1d, such as \"5m\"")
      }
      margin = span
    }
    let title = options["title"]?.string.map { LocalizedText(String($0.prefix(AppointmentOptions.longestTitle))) } ?? LocalizedText()
    return PlannedAppointment(id: .init(venue: place.venue, place: place.place, start: start), title: title, margin: margin)
  }
}

private enum AppointmentOptions {
  static let types: [String: OptionType] = [
    "title": .string, "time": .integer, "place": .string, "venue": .string, "margin": .string,
  ]
  static let keys = ["title", "time", "place", "venue", "margin"]
  static let margins = Span.zero...Span.seconds(86_400)
  static let longestTitle = 256

  static func invalid(_ message: String) -> DBusError { .monitor(.invalidOptions, message) }
}
