public import Beacons
import Instants
import Rooms

/// The surveys of one site, as an installer makes, lists and deletes them.
///
/// Its functions throw `SurveyRefusal`, and the errors of the store.
public struct SiteSurvey {
  let link: SurveyLink
  let terminal: any SurveyTerminal
  let clock: any SurveyClock
  let site: String
  private let actor: String

  /// - Parameters:
  ///   - connect: Opens a link to the database.
  ///   - actor: The name of the installer in the audit log.
  public init(
    of site: String, connect: @escaping () throws -> any SurveyStore, _ terminal: any SurveyTerminal, _ clock: any SurveyClock,
    by actor: String
  ) {
    (self.site, self.terminal, self.clock, self.actor) = (site, terminal, clock, actor)
    link = SurveyLink(connect, terminal, clock)
  }

  /// Returns the devices with a room, which other administrators may place meanwhile.
  func devices() throws -> [PlacedDevice] {
    guard let devices = try link.run({ try $0.devices(of: site) }) else { throw SurveyRefusal.unknownSite(site) }
    return devices
  }

  /// Prints the rooms with their surveys, and whether these decide.
  public func list() throws {
    var overview = SurveyOverview(of: site, devices: try devices())
    let stored = try link.run { try $0.rooms(of: site) }
    for room in overview.rooms {
      guard let entry = stored.first(where: { $0.room == room }) else {
        terminal.show(overview.addUnsurveyed(room))
        continue
      }
      do {
        guard let survey = try link.run({ try $0.survey(of: room, at: site) }) else { continue }
        terminal.show(overview.add(entry, survey))
      } catch let error as RoomStateError {
        terminal.show(overview.add(entry, error))
      }
    }
    for line in overview.abandoned(stored) { terminal.show(line) }
    terminal.show(overview.verdict)
  }

  /// Deletes the survey of a room, or those of all rooms.
  public func forget(_ room: String?) throws {
    _ = try devices()
    let rooms = try link.run { try $0.forget(room, at: site, by: actor) }
    guard !rooms.isEmpty else { throw SurveyRefusal.noSurvey(room: room, site: site) }
    for room in rooms { terminal.show("forgot the survey of \(room)") }
  }

  /// Returns the tag of a text such as `1/7`, which has to name one tag that the site has heard, or `UUID/MAJOR/MINOR`.
  public func tag(_ text: String) throws -> BeaconIdentity {
    guard try !devices().isEmpty else { throw SurveyRefusal.noPlacedDevice(site: site) }
    if let identity = BeaconIdentity(text) { return identity }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else { throw SurveyRefusal.noTag(text) }
    let tags = try link.run { try $0.tags(of: site, major: major, minor: minor) }
    guard let found = tags.first else { throw SurveyRefusal.unheardTag(text, site: site) }
    guard tags.count == 1 else { throw SurveyRefusal.ambiguousTag(text, site: site, tags: tags.map { "\($0)" }) }
    return found
  }

  /// Takes a walk whose times an installer states.
  ///
  /// - Parameters:
  ///   - walk: The walk without its parts.
  ///   - parts: The beginning and the end of each part, in milliseconds since 1970.
  public func take(_ walk: Walk, parts: [(begin: Int64, end: Int64)]) throws {
    if let refusal = SurveyReview.refusal(of: parts, present: try link.run { try $0.time() }) { throw refusal }
    if let refusal = SurveyReview.refusal(of: walk.room, doors: walk.doors, at: site, devices: try devices()) { throw refusal }
    var walk = walk
    walk.parts = parts.map { $0.begin...$0.end }
    try take(walk)
  }

  /// Reads a walk, prints which devices heard the tag, and stores the survey.
  func take(_ walk: Walk) throws {
    guard let first = walk.parts.first, let last = walk.parts.last else { return }
    let wait = Span.milliseconds(last.upperBound + RoomSurvey.longestDelay - (try link.run { try $0.time() }))
    if wait > .zero {
      terminal.show("waiting \(Int(wait.seconds.rounded(.up))) s for late digests")
      clock.pause(min(wait, .milliseconds(RoomSurvey.longestDelay)))
    }
    let devices = try devices()
    if let refusal = SurveyReview.refusal(ofSeconds: WalkLevels(of: walk.tag, during: walk.parts, devices: []).seconds) { throw refusal }
    let levels = try link.run { try $0.levels(of: walk.tag, at: site, during: walk.parts, devices: devices) }
    let survey = levels.survey(of: walk.room, doors: walk.doors)
    let review = SurveyReview(of: survey, at: site, devices: devices)
    for line in review.lines { terminal.show(line) }
    if let refusal = review.refusal { throw refusal }
    try link.run { try $0.store(survey, at: site, from: first.lowerBound, by: actor) }
    terminal.show("stored the survey of \(walk.room)")
  }
}
