import Consent
import ConsentService
import DBus
import MonitorProtocol
import Records
import VenueEditing
import Venues

/// The methods of `org.beaconmon.Monitor1.Venue` that read and change the texts of venues.
final class VenueEditMethods {
  private unowned let editor: VenueEditor
  private unowned let authority: ConsentService
  private let callers: Callers

  init(_ editor: VenueEditor, _ authority: ConsentService, _ callers: Callers) {
    (self.editor, self.authority, self.callers) = (editor, authority, callers)
  }

  var methods: [DBusMethod] {
    let options = DBusArgument("options", "a{sv}")
    let (venue, text, revision) = (DBusArgument("venue", "s"), DBusArgument("text", "s"), DBusArgument("revision", "s"))
    let warnings = DBusArgument("warnings", "as")
    return [
      DBusMethod("Files", in: [options], out: [DBusArgument("files", "aa{sv}")]) { [unowned self] (call) throws(DBusError) in
        try files(call.arguments[0])
      },
      authorized("Text", in: [venue, options], out: [text, revision]) { [unowned self] (arguments, _) throws(DBusError) in
        let options = try Self.options(arguments[1], "Text", keys: ["revision"])
        let (text, revision) = try Self.replying { () throws(VenueEditFailure) in
          try editor.text(of: arguments[0].string ?? "", revision: options["revision"]?.string)
        }
        return [.string(text), .string(revision)]
      },
      authorized("History", in: [venue, options], out: [DBusArgument("versions", "aa{sv}")]) {
        [unowned self] (arguments, _) throws(DBusError) in
        _ = try Self.options(arguments[1], "History")
        let versions = try Self.replying { () throws(VenueEditFailure) in try editor.history(of: arguments[0].string ?? "") }
        return [.array(of: "a{sv}", versions.map { $0.record.dbusValue })]
      },
      authorized("Check", in: [text, options], out: [venue, warnings]) { [unowned self] (arguments, _) throws(DBusError) in
        _ = try Self.options(arguments[1], "Check")
        let review = try Self.replying { () throws(VenueEditFailure) in try editor.check(arguments[0].string ?? "") }
        return [.string(review.venue), .array(of: "s", review.warnings.map { .string($0) })]
      },
      authorized("Save", in: [text, revision, options], out: [venue, DBusArgument("newRevision", "s"), warnings]) {
        [unowned self] (arguments, user) throws(DBusError) in
        _ = try Self.options(arguments[2], "Save")
        let saved = try Self.replying { () throws(VenueEditFailure) in
          try editor.save(arguments[0].string ?? "", replacing: arguments[1].string ?? "", user: user)
        }
        return [.string(saved.review.venue), .string(saved.revision), .array(of: "s", saved.review.warnings.map { .string($0) })]
      },
      authorized("Remove", in: [venue, revision, options]) { [unowned self] (arguments, user) throws(DBusError) in
        _ = try Self.options(arguments[2], "Remove")
        try Self.replying { () throws(VenueEditFailure) in
          try editor.remove(arguments[0].string ?? "", revision: arguments[1].string ?? "", user: user)
        }
        return []
      },
    ]
  }

  private func files(_ options: DBusValue) throws(DBusError) -> [DBusValue] {
    _ = try Self.options(options, "Files")
    return [.array(of: "a{sv}", editor.files.map { $0.record.dbusValue })]
  }

  /// A method for users with permission to edit venues; `body` gets the arguments and the number of the user.
  private func authorized(
    _ name: String, in arguments: [DBusArgument], out results: [DBusArgument] = [],
    _ body: @escaping ([DBusValue], UInt32) throws(DBusError) -> [DBusValue]
  ) -> DBusMethod {
    .deferred(name, in: arguments, out: results) { [unowned self] call in
      guard let person = callers.person(call.sender) else { return call.fail(.accessDenied("the bus does not identify the caller")) }
      authority.authorizeManager(person, busName: call.sender, for: .editVenues) { isAllowed in
        guard isAllowed else {
          return call.fail(
            .accessDenied("\(name) requires an administrator; call it as root, or let polkit permit org.beaconmon.venue.edit"))
        }
        do throws(DBusError) { call.reply(try body(call.arguments, person.number)) } catch { call.fail(error) }
      }
    }
  }

  private static func options(_ options: DBusValue, _ method: String, keys: [String] = []) throws(DBusError) -> DBusValue {
    try OptionType.check(options, ["revision": .string], keys: keys, of: method)
    return options
  }

  private static func replying<Value>(_ body: () throws(VenueEditFailure) -> Value) throws(DBusError) -> Value {
    do throws(VenueEditFailure) { return try body() } catch {
      let reason: MonitorError =
        switch error {
        case .invalid: .invalidVenue
        case .noSuchVenue: .noSuchVenue
        case .noSuchRevision: .noSuchRevision
        case .notEditable: .notEditable
        case .stale: .staleRevision
        case .unusable: .storageFailed
        }
      throw .monitor(reason, "\(error)")
    }
  }
}
