import ClientSessions
import DBus
import Headings

// MARK: Heading

extension Sessions {
  var headingMethods: [DBusMethod] {
    [
      consented("StartUpdatingHeading", [DBusArgument("options", "a{sv}")]) { sessions, _, arguments throws(DBusError) in
        _ = try HeadingRequest(options: arguments[0], of: "StartUpdatingHeading")
        try sessions.headings.requireSource()
      } _: { sessions, session, arguments throws(DBusError) in
        let request = try HeadingRequest(options: arguments[0], of: "StartUpdatingHeading")
        // The sensor may have vanished while a person decided.
        try sessions.headings.requireSource()
        // The updates follow the answer.
        sessions.service.beginUse(of: session.session)
        return Answer { sessions.headings.start(request, in: session) }
      },
      method("StopUpdatingHeading") { sessions, session, _ throws(DBusError) in
        try sessions.headings.stop(session)
        return Answer()
      },
      method("DismissHeadingCalibration") { sessions, session, _ throws(DBusError) in
        try sessions.headings.dismissCalibration(session)
        return Answer()
      },
    ]
  }

  var headingSignals: [DBusSignal] {
    [
      DBusSignal("HeadingUpdated", [DBusArgument("heading", "a{sv}")]),
      DBusSignal("HeadingFailed", [DBusArgument("error", "s"), DBusArgument("message", "s")]),
      DBusSignal("CalibrationNeeded", [DBusArgument("calibration", "a{sv}")]),
    ]
  }
}
