import ArgumentParser
import DBus
import EventLoop
import Failures
import LocalTargets
import Logging
import MonitorClient
import Notification
import ProgramSupport
import Records
import ServiceLog
import Terminal
import Venues

/// The commands of a user about the apps and pages that venues offer.
struct VenueOffersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offers",
    abstract: "List the apps and pages that venues offer.",
    discussion: """
      Prints for each venue with an offer whether this user receives it, and the app or page that it launches.

      Example:
        beaconmon venue offers
      """)

  @OptionGroup var folder: OfferFolderOption
  @OptionGroup var bus: BusOptions

  func run() throws {
    let offers = try OfferRequest.offers(bus)
    let history = try folder.update { $0 }
    let lines = offers.map { offer in
      let venue = offer.venue ?? ""
      let state = history.isMuted(venue) ? "muted" : history.permits(offer) ? "offered" : "not allowed"
      return "\(venue): \(state): \(offer.target)\n"
    }
    try TerminalOutput.standardOutput.write(lines.isEmpty ? "no venue has an offer\n" : lines.joined())
  }
}

struct VenueMute: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Stop the offers of a venue.",
    discussion: """
      The decision is this user's, and lasts until `beaconmon venue unmute`.

      Example:
        beaconmon venue mute gallery
      """)

  @Argument(help: "The id of the venue.")
  var venue: String

  @OptionGroup var folder: OfferFolderOption

  func run() throws {
    try folder.update { $0.setMuted(true, venue) }
    try TerminalOutput.standardOutput.write("\(venue): muted\n")
  }
}

struct VenueUnmute: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute",
    abstract: "Show the offers of a venue again.",
    discussion: """
      beaconmon-notifier applies it within 15 minutes, or at once after `systemctl --user reload beaconmon-notifier`.

      Examples:
        beaconmon venue unmute gallery
        beaconmon venue unmute --all
      """)

  @Argument(help: "The id of the venue.")
  var venue: String?

  @Flag(help: "Show the offers of all venues again, even after the file of these decisions was damaged.")
  var all = false

  @OptionGroup var folder: OfferFolderOption

  func validate() throws {
    guard (venue == nil) == all else { throw ValidationError("name a venue, or use --all") }
  }

  func run() throws {
    try folder.update { history in
      if let venue { history.setMuted(false, venue) } else { history.unmuteAll() }
    }
    try TerminalOutput.standardOutput.write("\(venue ?? "all venues"): not muted\n")
  }
}

struct VenueAllow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Allow an imported venue to offer its app or page.",
    discussion: """
      An imported venue launches nothing until the user allows it. The permission is for the app and page that this command prints; after \
      a change of the venue file, it must be given again. beaconmon-notifier applies it within 15 minutes, or at once after `systemctl \
      --user reload beaconmon-notifier`.

      Exit codes: 64 if there is no such venue or it has no offer, 69 if the daemon cannot be reached.

      Examples:
        beaconmon venue allow museum
        beaconmon venue allow museum --revoke
      """)

  @Argument(help: "The id of the venue.")
  var venue: String

  @Flag(help: "Withdraw the permission.")
  var revoke = false

  @OptionGroup var folder: OfferFolderOption
  @OptionGroup var bus: BusOptions

  func run() throws {
    if revoke {
      try folder.update { $0.allow(nil, venue) }
      return try TerminalOutput.standardOutput.write("\(venue): not allowed\n")
    }
    guard let offer = try OfferRequest.offers(bus).first(where: { $0.venue == venue }) else {
      throw Failure(.usage, "there is no venue \"\(venue)\" with an offer; \"beaconmon venue offers\" lists them")
    }
    try folder.update { $0.allow(offer.target, venue) }
    try TerminalOutput.standardOutput.write("\(venue): may offer the \(offer.target)\n")
  }
}

/// The folder of the user's decisions.
struct OfferFolderOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of beaconmon-notifier's state. Defaults to ~/.local/state/beaconmon.", valueName: "folder"))
  var state: String?

  /// Reads the user's decisions, applies a change and stores the result. Throws if it cannot be stored.
  func update<Value>(_ change: (inout OfferHistory) -> Value) throws(Failure) -> Value {
    let folder = state ?? UserFolder.state
    let handler = StandardErrorLog(program: "beaconmon")
    do {
      try Folder.make(folder)
      let file = OfferFile(path: "\(folder)/\(OfferFile.name)")
      return try OfferDecisions(file, log: Logger(label: "beaconmon") { _ in handler }).store(change)
    } catch {
      throw Failure(.osError, "\(error); name another folder with --state")
    }
  }
}

/// Requests the offers of venues from the daemon.
private enum OfferRequest {
  static func offers(_ bus: BusOptions) throws(Failure) -> [OfferReport] {
    let link = try CommandLink(bus.address, forSession: true)
    return try link.ask(failure: { Failure(.unavailable, $0.message) }) { client, completion in
      client.venueOffers(locale: MessageLocale.name, completion: completion)
    }
    .map { OfferReport($0) }
  }
}
