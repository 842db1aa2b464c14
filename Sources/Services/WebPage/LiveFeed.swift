import Events
public import HTTPMessages
public import Instants
import Locations
import Records
public import Scheduling
import Venues

/// The present state of the daemon and its place, for any number of viewers.
///
/// All viewers share one session with the daemon. It lasts while there is a viewer, and a little longer, because a page that is loaded
/// again leaves and returns. A new viewer gets the present state at once.
public final class LiveFeed {
  public struct Limits: Sendable {
    /// The maximum number of viewers together, and of one login.
    public var viewers = 64
    public var viewersOfLogin = 8
    /// The octets that may wait for a viewer.
    ///
    /// A viewer for whom more wait is too slow. It gets no states until it has caught up, because newer ones replace them.
    public var pending = 64 * 1024
    /// The events that are kept for viewers that connect again.
    public var events = 512
    public var heartbeat = Span.seconds(15)
    /// The interval of requests for the status.
    public var status = Span.seconds(4)
    /// The shortest time between two, after an event.
    public var soon = Span.seconds(2)
    /// The time for which the session outlives its last viewer.
    public var rest = Span.seconds(30)

    public init() {}
  }

  private struct Viewer {
    let stream: EventStream
    /// The login of the viewer.
    let login: String
  }

  private let scheduler: any Scheduler
  private let source: any LiveSource
  private let limits: Limits
  /// Whether a login still exists; asked with each heartbeat.
  public var isLoginValid: (String) -> Bool = { _ in true }
  private var viewers: [Viewer] = []
  /// The objects that keep the feed running; empty while it rests.
  private var watches: [AnyObject] = []
  private var state = LiveState()
  private var events: RecentEvents
  private var isAsking = false
  private var lastStatus: Instant?
  private lazy var statusTimer = scheduler.timer { [unowned self] in askStatus() }
  private lazy var heartbeatTimer = scheduler.timer { [unowned self] in beat() }
  private lazy var restTimer = scheduler.timer { [unowned self] in if viewers.isEmpty { rest() } }

  public init(_ scheduler: any Scheduler, _ source: any LiveSource, _ limits: Limits = Limits()) {
    (self.scheduler, self.source, self.limits) = (scheduler, source, limits)
    events = RecentEvents(limits.events)
  }

  public var viewerCount: Int { viewers.count }
  /// Whether the feed has a session with the daemon.
  public var isRunning: Bool { !watches.isEmpty }

  /// Adds a viewer, which leaves with its stream.
  ///
  /// - Parameter id: the id of the last event that the viewer has; nil for a new one.
  /// - Returns: nil if there are too many.
  public func open(login: String, after id: String?) -> EventStream? {
    guard viewers.count < limits.viewers, viewers.count(where: { $0.login == login }) < limits.viewersOfLogin else { return nil }
    let stream = EventStream()
    viewers.append(Viewer(stream: stream, login: login))
    stream.onEnd = { [weak self, unowned stream] in self?.remove(stream) }
    begin()
    for message in state.messages { message.send(to: stream) }
    if let place = id.flatMap({ EventPlace(id: $0) }) {
      let missed = events.after(place)
      if missed.isIncomplete { LiveMessage("missed", "{}").send(to: stream) }
      for event in missed.messages { event.send(to: stream) }
    }
    return stream
  }

  /// Ends the streams of logins that have ended.
  public func endInvalid() {
    for viewer in viewers where !isLoginValid(viewer.login) { viewer.stream.end() }
  }

  /// Ends the streams of a login.
  public func end(login: String) {
    for viewer in viewers where viewer.login == login { viewer.stream.end() }
  }

  private func remove(_ stream: EventStream) {
    viewers.removeAll { $0.stream === stream }
    if viewers.isEmpty { restTimer.arm(at: scheduler.now + limits.rest) }
  }

  // MARK: Beginning and end

  private func begin() {
    restTimer.arm(at: .never)
    guard watches.isEmpty else { return }
    // Without a presence the state is unknown, and nothing is shown.
    state = LiveState()
    heartbeatTimer.arm(at: scheduler.now + limits.heartbeat)
    watches = [
      source.watchPresence { [unowned self] in presenceChanged($0) },
      source.watchVenues { [unowned self] in venuesChanged() },
      source.followEvents { [unowned self] in take($0) },
      source.observe { [unowned self] in take($0) },
    ]
  }

  /// Ends the session with the daemon.
  private func rest() {
    watches = []
    state = LiveState()
    // Events are missed from now on.
    events = RecentEvents(limits.events)
    statusTimer.arm(at: .never)
    heartbeatTimer.arm(at: .never)
  }

  private func presenceChanged(_ isThere: Bool) {
    state.isPresent = isThere
    state.forget()
    sendDaemon()
    guard isThere else { return statusTimer.arm(at: .never) }
    askFrames()
    askStatus()
  }

  private func venuesChanged() {
    send(LiveMessage("venues", "{}"))
    askFrames()
    askStatusSoon()
  }

  private func beat() {
    heartbeatTimer.arm(at: scheduler.now + limits.heartbeat)
    endInvalid()
    send(LiveMessage("heartbeat", Record(["time": .time(scheduler.wallClock)]).json))
  }

  // MARK: States

  private func askFrames() {
    source.requestPlans(locale: nil) { [weak self] answer in
      guard case .success(let plans) = answer else { return }
      self?.state.use(plans)
    }
  }

  private func askStatusSoon() {
    guard state.isPresent == true, let lastStatus, !isAsking else { return }
    let soon = max(scheduler.now, lastStatus + limits.soon)
    if statusTimer.due.map({ soon < $0 }) ?? true { statusTimer.arm(at: soon) }
  }

  private func askStatus() {
    guard isRunning, state.isPresent == true, !isAsking else { return }
    isAsking = true
    lastStatus = scheduler.now
    source.requestStatus { [weak self] answer in
      guard let self else { return }
      isAsking = false
      guard isRunning, state.isPresent == true else { return }
      statusTimer.arm(at: scheduler.now + limits.status)
      switch answer {
      case .success(let status):
        state.refusal = nil
        if let message = state.take(status: status) { sendState(message) }
      case .failure(let refusal) where refusal.status == 403: state.refusal = refusal.message
      // The next answer, or the presence of the daemon, decides.
      case .failure: break
      }
      sendDaemon()
    }
  }

  private func take(_ observation: LiveObservation) {
    switch observation {
    case .beacons(let record): sendState(state.take(beacons: record))
    case .located(let location): if let message = state.take(location) { sendState(message) }
    case .locationUnknown(let reason): if let message = state.take(unknownLocation: reason) { sendState(message) }
    case .denied(let reason):
      state.denial = reason
      sendDaemon()
    case .permitted:
      state.denial = nil
      sendDaemon()
    }
  }

  private func take(_ new: [Event]) {
    for event in new {
      guard let message = events.add(event) else { continue }
      send(message)
    }
    askStatusSoon()
  }

  // MARK: Messages

  private func sendDaemon() {
    if let message = state.changedDaemon() { send(message) }
  }

  private func send(_ message: LiveMessage) {
    for viewer in viewers { message.send(to: viewer.stream) }
  }

  /// Sends a state to the viewers that read.
  private func sendState(_ message: LiveMessage) {
    for viewer in viewers where viewer.stream.pendingCount < limits.pending { message.send(to: viewer.stream) }
  }
}
