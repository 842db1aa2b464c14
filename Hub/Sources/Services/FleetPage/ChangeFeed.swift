import FleetQueries
import HTTPMessages
public import Instants
import People
public import Scheduling
import WebPage

/// Sends room changes and changed states of devices to open pages. Each page receives only those of its person's sites.
///
/// The feed queries the database once for all viewers, and only while there are any. The sites of each person are read again each time, so
/// that a revoked role takes effect in an open page too.
public final class ChangeFeed {
  public struct Limits: Sendable {
    /// The maximum number of viewers in total, and for one person.
    public var viewers = 256
    public var viewersOfPerson = 8
    /// The maximum number of octets that wait for a viewer. The server ends the stream of a viewer that reads more slowly.
    public var pending = 64 * 1024
    /// The time between two queries of the database.
    public var interval = Span.seconds(5)
    public var heartbeat = Span.seconds(5)

    public init() {}
  }

  private struct Viewer {
    let stream: EventStream
    let login: Login
    let person: Int32
    /// The roles of the person by the keys of sites.
    var roles: [Int32: SiteRole]
  }

  private let scheduler: any Scheduler
  private let archive: any FleetArchive
  private let limits: Limits
  private var viewers: [Viewer] = []
  private var numbers: RecentNumbers?
  /// The sites of the last answer.
  private var knownSites: Set<Int32> = []
  /// The last states of devices; nil before the first ones.
  private var devices: [Int32: FeedUpdate.Device]?
  /// The digests of the shares of each person; nil before the first ones.
  private var shares: [Int32: String]?
  private var isAsking = false
  private var isFailing = false
  private lazy var timer = scheduler.timer { [unowned self] in ask() }
  private lazy var heartbeat = scheduler.timer { [unowned self] in beat() }

  public init(_ scheduler: any Scheduler, _ archive: any FleetArchive, _ limits: Limits = Limits()) {
    (self.scheduler, self.archive, self.limits) = (scheduler, archive, limits)
  }

  public var viewerCount: Int { viewers.count }

  /// Adds a viewer, which leaves with its stream. Nil if there are too many.
  func open(_ login: Login, _ person: Person) -> EventStream? {
    guard viewers.count < limits.viewers, viewers.count(where: { $0.person == person.id }) < limits.viewersOfPerson else { return nil }
    let stream = EventStream()
    stream.onEnd = { [weak self, unowned stream] in self?.viewers.removeAll { $0.stream === stream } }
    if viewers.isEmpty {
      // Changes that happened without viewers are not sent.
      (numbers, devices, shares, knownSites) = (nil, nil, nil, [])
      timer.arm(at: scheduler.now)
      heartbeat.arm(at: scheduler.now + limits.heartbeat)
    }
    viewers.append(Viewer(stream: stream, login: login, person: person.id, roles: person.roles))
    stream.send(event: "database", data: isFailing ? #"{"state":"absent"}"# : #"{"state":"running"}"#)
    return stream
  }

  /// Ends the streams of a login.
  func end(_ login: Login) {
    for viewer in viewers where viewer.login == login { viewer.stream.end() }
    viewers.removeAll { $0.login == login }
  }

  private func beat() {
    for viewer in viewers { viewer.stream.send(event: "heartbeat", data: "{}") }
    if !viewers.isEmpty { heartbeat.arm(at: scheduler.now + limits.heartbeat) }
  }

  // MARK: Asking

  private func ask() {
    guard !viewers.isEmpty, !isAsking else { return }
    isAsking = true
    let logins = Array(Set(viewers.map(\.login)))
    let sites = viewers.reduce(into: Set<Int32>()) { $0.formUnion($1.roles.keys) }.sorted()
    archive.feedUpdate(FeedRequest(sites: sites, beyond: numbers?.mark, logins: logins)) { [weak self] result in
      self?.take(result, logins, at: Set(sites))
    }
  }

  private func take(_ result: Result<FeedUpdate, PageRefusal>, _ logins: [Login], at sites: Set<Int32>) {
    isAsking = false
    if !viewers.isEmpty { timer.arm(at: scheduler.now + limits.interval) }
    switch result {
    case .failure: report(isFailing: true)
    case .success(let update):
      report(isFailing: false)
      take(update.persons, of: logins)
      takeMoves(of: update)
      knownSites = sites
      takeShares(of: update)
      take(update.devices)
    }
  }

  private func report(isFailing: Bool) {
    guard isFailing != self.isFailing else { return }
    self.isFailing = isFailing
    for viewer in viewers { viewer.stream.send(event: "database", data: isFailing ? #"{"state":"absent"}"# : #"{"state":"running"}"#) }
  }

  /// Applies the present roles of persons, and ends the streams of logins that have ended.
  private func take(_ persons: [Login: Person], of logins: [Login]) {
    for login in logins where persons[login] == nil { end(login) }
    for index in viewers.indices {
      guard let person = persons[viewers[index].login] else { continue }
      let roles = person.roles
      guard roles != viewers[index].roles else { continue }
      viewers[index].roles = roles
      viewers[index].stream.send(event: "sites", data: "{}")
    }
  }

  private func takeMoves(of update: FeedUpdate) {
    guard numbers != nil else {
      numbers = RecentNumbers(from: update.highest)
      return
    }
    let new = numbers?.take(update.moves.map(\.number), highest: update.highest, at: scheduler.now) ?? []
    // The moves of a site that had no viewer before are in the lists that the page has loaded.
    for move in update.moves where new.contains(move.number) && knownSites.contains(move.site) { send("move", move.json, of: move.site) }
  }

  /// Notifies a person of changed shares. The page loads them, so that their places are in no stream.
  private func takeShares(of update: FeedUpdate) {
    let earlier = shares
    shares = update.shares
    guard let earlier else { return }
    for viewer in viewers where earlier[viewer.person] != update.shares[viewer.person] { viewer.stream.send(event: "share", data: "{}") }
  }

  private func take(_ states: [FeedUpdate.Device]) {
    let earlier = devices
    devices = Dictionary(states.map { ($0.device, $0) }, uniquingKeysWith: { $1 })
    guard let earlier else { return }
    // The devices of a site that had no viewer before have not changed.
    let known = Set(earlier.values.map(\.site))
    for state in states where known.contains(state.site) && earlier[state.device] != state { send("device", state.json, of: state.site) }
  }

  private func send(_ event: String, _ json: String, of site: Int32) {
    for viewer in viewers where viewer.roles[site] != nil {
      guard viewer.stream.pendingCount < limits.pending else {
        viewer.stream.end()
        continue
      }
      viewer.stream.send(event: event, data: json)
    }
  }
}

extension Person {
  /// The roles by the keys of sites.
  fileprivate var roles: [Int32: SiteRole] { Dictionary(sites.values.map { ($0.site, $0.role) }, uniquingKeysWith: max) }
}
