import ClientSessions
import DBus
import Headings

// MARK: Heading

extension Sessions {
  var headingMethods: [DBusMethod] {
    [
      consented("StartUpdatingHeading", [DBusArgument("options", "a{sv}")]) { sessions, _, arguments throws(DBusError) in
        _ = try HeadingRequest(options: arguments[0], of: "StartUpdatingHeading")
        try refusing(try sessions.service.headings.requireSource())
      } _: { sessions, object, arguments throws(DBusError) in
        let request = try HeadingRequest(options: arguments[0], of: "StartUpdatingHeading")
        // The sensor may have vanished while a person decided.
        try refusing(try sessions.service.headings.requireSource())
        // The updates follow the answer.
        return Answer { sessions.service.headings.start(request, in: object.session) }
      },
      method("StopUpdatingHeading") { sessions, object, _ throws(DBusError) in
        try refusing(try sessions.service.headings.stop(object.session))
        return Answer()
      },
      method("DismissHeadingCalibration") { sessions, object, _ throws(DBusError) in
        try refusing(try sessions.service.headings.dismissCalibration(object.session))
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
