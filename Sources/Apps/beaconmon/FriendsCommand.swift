import ArgumentParser
import ClientCommands
import EventLoop
import Failures
import Instants
import MonitorClient
import Records
import ShareReports
import Terminal

/// `beaconmon friends`: the positions that others share with this device.
struct FriendsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "friends",
    abstract: "Show who shares a position with this device, and accept or decline offers.",
    discussion: """
      NAME is the owner of a share, such as ada or device:hall, the name of a tag, or the beginning of an id. A position appears after you \
      have accepted the offer, and vanishes when either side ends it. "beaconmon guide --to-person NAME" leads there.

      Examples:
        sudo beaconmon friends
        sudo beaconmon friends accept ada
        sudo beaconmon friends watch --json
      """,
    subcommands: [List.self, Accept.self, Decline.self, Watch.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the offers to this device, with the positions of accepted ones.",
      discussion: """
        Example:
          sudo beaconmon friends list
        """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func run() throws {
      let friends = try SharingLink.ask(bus) { $0.friends($1) }
      let output = TerminalOutput.standardOutput
      guard !json else {
        return try output.write(Record(["friends": .list(friends.map { FriendReport.Values.formatted($0) })]).json + "\n")
      }
      guard !friends.isEmpty else { return try output.write("there is no offer to this device\n") }
      let text = ShareText(time: output.timeFormat(isUTC: times.utc))
      for friend in friends.compactMap({ FriendReport($0) }) { try output.write(text.text(friend)) }
    }
  }

  struct Accept: GuidedCommand {
    static let nextStep = "\"beaconmon friends list\" lists the offers"

    static let configuration = CommandConfiguration(
      abstract: "Accept an offer, which its owner then sees.",
      discussion: """
        Example:
          sudo beaconmon friends accept ada
        """)

    @Argument(help: ArgumentHelp("The owner, the tag, or the beginning of the id.", valueName: "name"))
    var name: String

    @OptionGroup var bus: BusOptions

    func run() throws {
      let friend = try FriendsCommand.find(name, bus)
      try SharingLink.ask(bus) { $0.accept(friend.id, $1) }
    }
  }

  struct Decline: GuidedCommand {
    static let nextStep = "\"beaconmon friends list\" lists the offers"

    static let configuration = CommandConfiguration(
      abstract: "Decline an offer, or leave an accepted share.",
      discussion: """
        Example:
          sudo beaconmon friends decline ada
        """)

    @Argument(help: ArgumentHelp("The owner, the tag, or the beginning of the id.", valueName: "name"))
    var name: String

    @OptionGroup var bus: BusOptions

    func run() throws {
      let friend = try FriendsCommand.find(name, bus)
      try SharingLink.ask(bus) { $0.decline(friend.id, $1) }
    }
  }

  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print each change of the offers and positions until Ctrl-C.",
      discussion: """
        A line begins with the time of the change. With --json, each line is an object with the key event: friend, or ended with the id.

        Example:
          sudo beaconmon friends watch
        """)

    @Flag(help: "Print each change as one line of JSON.")
    var json = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func run() throws {
      let link = try SharingLink(bus.address)
      let output = ScreenOutput()
      let times = output.timeFormat(self.times)
      let text = ShareText(time: times)
      func show(_ event: String, _ record: Record, _ words: String) {
        var line = Record(["event": .text(event)])
        line.append(record)
        output.write((json ? line.json : "\(times.text(WallClock.now))  \(words)") + "\n")
      }
      var following: ShareFollowing?
      try link.run {
        following = ShareFollowing(SharedPositions(link.sharing)) { change in
          switch change {
          case .changed(let friend): show("friend", friend.record, text.line(friend))
          case .ended(let friend): show("ended", Record(["id": .text(friend.id)]), "\(friend.owner)  ended")
          case .failed(let failure): link.end(failure)
          }
          if output.isClosed { link.end() }
        }
      }
      withExtendedLifetime(following) {}
      if let failure = output.failure { throw failure }
    }
  }

  private static func find(_ name: String, _ bus: BusOptions) throws(Failure) -> FriendReport {
    try SharingLink.ask(bus) { $0.friends($1) }.compactMap { FriendReport($0) }.one(named: name)
  }
}
