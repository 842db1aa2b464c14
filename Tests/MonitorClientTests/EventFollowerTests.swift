import DBus
import EventLoop
import Events
import Instants
import MonitorProtocol
import Records
import TestSupport
import Testing

@testable import MonitorClient

/// Followers of a daemon that refuses some calls at first.
@Suite struct EventFollowerTests {
  private let bus: PrivateBus
  private let loop: Loop
  private let daemon: ReluctantDaemon
  private let connection: DBusConnection

  init() throws {
    bus = try PrivateBus()
    loop = try Loop()
    daemon = try ReluctantDaemon(DBusConnection(loop: loop, address: .explicit(bus.address)))
    connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
  }

  @Test(arguments: ["EventsSince", "CreateSession", "FollowRegisteredRegions", "RegisteredEventsSince"])
  func `a refused follower retries until it has an answer, and reports the trouble once`(member: String) throws {
    daemon.refusals[member] = 2
    let client = MonitorClient(connection)
    var troubles: [String] = []
    var sequences: [EventPlace?] = []
    var isCaughtUp = false
    let take: ([Event]) -> Void = { sequences += $0.map(\.place) }
    let follower =
      member == "EventsSince"
      ? client.followEvents(orFrom: .beginning, handler: take) : client.followRegistered(purpose: "Tests", handler: take)
    follower.onTrouble = { troubles.append($0.name) }
    follower.onCaughtUp = { isCaughtUp = true }
    try loop.wait { isCaughtUp }
    #expect(sequences == [EventPlace(journal: "A", sequence: 1), EventPlace(journal: "A", sequence: 2)])
    #expect(troubles == ["org.beaconmon.Monitor1.Error.LimitsExceeded"])
    #expect(daemon.refusals[member] == 0)
    withExtendedLifetime(follower) {}
  }

  @Test func `a follower of registered events reports the consent at the start and at each change`() throws {
    var consents: [Bool] = []
    let follower = MonitorClient(connection).followRegistered(purpose: "Tests") { _ in }
    follower.onConsentChange = { consents.append($0) }
    try loop.wait { consents.count == 1 }
    for authorization in ["whenInUse", "always", "denied"] { try daemon.change(authorization) }
    try loop.wait { consents.count == 4 }
    #expect(consents == [true, false, true, false])
  }

  @Test(arguments: ["FollowRegisteredRegions", "Authorization"])
  func `a follower that tries again asks for the consent again`(refused: String) throws {
    var consents: [Bool] = []
    daemon.refusals[refused] = 1
    let follower = MonitorClient(connection).followRegistered(purpose: "Tests") { _ in }
    follower.onConsentChange = { consents.append($0) }
    // Without a signal, as if it was changed while the daemon did not answer.
    follower.onTrouble = { [daemon] _ in daemon.authorization = "denied" }
    try loop.wait { consents.last == false }
    #expect(consents == (refused == "Authorization" ? [false] : [true, false]))
  }

  /// A search that takes the first event of each page.
  private struct Search: JournalSearch {
    var pages: JournalPages
    var found: [UInt64?] = []
    var nextPage: JournalPages.Page? { pages.next() }

    func taking(_ answer: [Event]?) -> Search {
      var search = self
      search.found.append(answer?.first?.sequence)
      if let nextPage { search.pages.advance(past: nextPage) }
      return search
    }
  }

  @Test func `a search requests pages of the journal in use until it needs no more, and ends with the first error`() throws {
    let client = MonitorClient(connection)
    var isThere = false
    let presence = client.watchPresence { isThere = $0 }
    try loop.wait { isThere }
    func search() throws -> Result<[UInt64?], DBusError>? {
      var result: Result<[UInt64?], DBusError>?
      client.journal.search {
        Search(pages: JournalPages(before: $0.lastSequence + 1, size: 1, most: 9))
      } _: {
        result = $0.map(\.found)
      }
      try loop.wait { result != nil }
      return result
    }
    #expect(try search()?.get() == [2, 1])
    daemon.refusals["EventsSince"] = 1
    guard case .failure(let error)? = try search() else { throw Timeout() }
    #expect(error.name == "org.beaconmon.Monitor1.Error.LimitsExceeded")
    withExtendedLifetime(presence) {}
  }
}

/// The part of the daemon that a follower uses, with two events in its journal.
private final class ReluctantDaemon {
  var authorization = "always"
  /// The number of refusals of each method or property before its first answer.
  var refusals: [String: Int] = [:]
  private let connection: DBusConnection
  private let tree: ObjectTree
  private var objects: [ExportedObject] = []
  private var name: OwnedName?

  init(_ connection: DBusConnection) throws {
    self.connection = connection
    tree = ObjectTree(connection: connection, managerPath: MonitorNames.root)
    let session = MonitorNames.path(ofSession: "1")
    let (journal, sequence, limit) = (DBusArgument("journal", "s"), DBusArgument("sequence", "t"), DBusArgument("limit", "u"))
    let manager = DBusInterface(
      MonitorNames.manager,
      methods: [
        method("EventsSince", in: [journal, sequence, limit], out: [DBusArgument("events", "aa{sv}")]) { Self.events($0) },
        method("CreateSession", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("session", "o")]) { _ in [.objectPath(session)]
        },
      ],
      properties: [
        DBusProperty("Journal", "s") { .string("A") }, DBusProperty("EarlierJournals", "as") { .strings([]) },
        DBusProperty("LastSequence", "t") { .uint64(2) },
      ])
    let registered = DBusInterface(
      MonitorNames.session,
      methods: [
        method("FollowRegisteredRegions", out: [DBusArgument("journals", "as"), DBusArgument("lastSequence", "t")]) { _ in
          [.strings(["A"]), .uint64(2)]
        },
        method("RegisteredEventsSince", in: [journal, sequence, limit], out: [DBusArgument("events", "aa{sv}")]) { Self.events($0) },
        method("Close") { _ in [] },
      ],
      properties: [DBusProperty("Authorization", "s") { [unowned self] in refuses("Authorization") ? nil : .string(authorization) }],
      signals: [DBusSignal("AuthorizationChanged", [DBusArgument("authorization", "s"), DBusArgument("reason", "s")])])
    objects = [try tree.export(MonitorNames.root, [manager]), try tree.export(session, [registered])]
    name = connection.requestName(MonitorNames.bus) { _ in }
  }

  /// Reports another permission to the session.
  func change(_ authorization: String) throws {
    self.authorization = authorization
    try objects[1].emit(MonitorNames.session, "AuthorizationChanged", [.string(authorization), .string("")])
  }

  /// Returns whether the next call of a member is refused, and counts it.
  private func refuses(_ member: String) -> Bool {
    guard let left = refusals[member], left > 0 else { return false }
    refusals[member] = left - 1
    return true
  }

  private func method(
    _ name: String, in inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [], answer: @escaping ([DBusValue]) -> [DBusValue]
  ) -> DBusMethod {
    DBusMethod(name, in: inputs, out: outputs) { [unowned self] call throws(DBusError) in
      if refuses(name) { throw .monitor(.limitsExceeded, "not now") }
      return answer(call.arguments)
    }
  }

  private static func events(_ arguments: [DBusValue]) -> [DBusValue] {
    let after = arguments[1].integer(UInt64.self) ?? 0
    let left = [UInt64(1), 2].filter { $0 > after }
    return [.array(of: "a{sv}", left.map { Record(["sequence": .count($0), "journal": .text("A")]).dbusValue })]
  }
}
