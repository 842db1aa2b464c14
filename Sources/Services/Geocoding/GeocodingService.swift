import Locations

public import Addresses
public import Instants
public import Logging
public import Scheduling
public import Status

/// Looks up the addresses of locations at a server that others share, and remembers the answers.
///
/// It sends at most one request a second, and pauses after failures. Nothing waits longer than it asked to: without an answer in time there
/// is no address, and the next request for it asks again.
public final class GeocodingService {
  /// The time for which a request for a location waits for its address.
  public static let patience = Span.seconds(2)
  /// The time between two requests of all streams of locations together.
  static let streamInterval = Span.seconds(60)
  /// The maximum number of queries that wait to be sent; others are not asked.
  static let mostQueries = 16
  /// The time after which new answers are stored.
  static let saveDelay = Span.seconds(30)

  /// A request for an address that waits for the answer to its query.
  private struct Waiter {
    let number: UInt64
    let deadline: Instant
    let completion: (PostalAddress?) -> Void
  }

  /// Runs when the health of the server changes.
  public var onChange: () -> Void = {}

  private let scheduler: any Scheduler
  private let server: any AddressServer
  private let file: (any AddressFile)?
  /// The language of addresses for clients that name none; nil for that of the daemon.
  public let language: String?
  private let log: Logger
  /// The answers; nil before the first query.
  private var cache: AddressCache?
  /// Decides about the next request. Another service for the same server continues with it.
  public private(set) var pacer: RequestPacer
  /// The queries that wait to be sent, the oldest first.
  private var queue: [AddressQuery] = []
  /// The query that was sent.
  private var sent: AddressQuery?
  private var waiters: [AddressQuery: [Waiter]] = [:]
  private var lastWaiter: UInt64 = 0
  /// The time from which a stream of locations may ask again.
  private var nextStreamQuery = Instant(microseconds: .min)
  private var answers: UInt64 = 0
  /// The reason of the last failure; nil after a success.
  private var failure: String?
  private var timer: (any SchedulerTimer)?
  private var saveTimer: (any SchedulerTimer)?

  /// - Parameters:
  ///   - file: the file of answers; nil keeps them in memory.
  ///   - language: the language of addresses for clients that name none.
  ///   - pacer: that of the former service for the same server; nil without one.
  public init(
    _ scheduler: any Scheduler, _ server: any AddressServer, _ file: (any AddressFile)?, language: String? = nil,
    pacer: RequestPacer? = nil, log: Logger
  ) {
    self.pacer = pacer ?? RequestPacer()
    self.language = language
    self.scheduler = scheduler
    self.server = server
    self.file = file
    self.log = log
    timer = scheduler.timer { [unowned self] in advance() }
    saveTimer = scheduler.timer { [unowned self] in save() }
  }

  /// Stores the answers, and ends all requests without an address; the service is not used afterwards.
  public func end() {
    if saveTimer?.due != nil { save() }
    let open = waiters.values.flatMap(\.self)
    (waiters, queue) = ([:], [])
    for waiter in open { waiter.completion(nil) }
  }

  // MARK: Requests

  /// Returns a known address; nil if it is unknown or must be asked first.
  public func knownAddress(_ query: AddressQuery) -> PostalAddress? { (answer(to: query) ?? nil) }

  /// Looks up the address, and completes with nil if there is none in time.
  ///
  /// - Parameter completion: is called inside this call if the answer is known, or if the server cannot be asked in time.
  public func lookUp(_ query: AddressQuery, within patience: Span = patience, completion: @escaping (PostalAddress?) -> Void) {
    if let answer = answer(to: query) { return completion(answer) }
    let deadline = scheduler.now + patience
    guard enqueue(query, by: deadline) else { return completion(nil) }
    lastWaiter += 1
    waiters[query, default: []].append(Waiter(number: lastWaiter, deadline: deadline, completion: completion))
    advance()
  }

  /// Asks for an address that later locations of a stream may have. A stream does not wait, and does not ask often.
  public func prepare(_ query: AddressQuery) {
    guard scheduler.now >= nextStreamQuery, answer(to: query) == nil, enqueue(query, by: scheduler.now) else { return }
    nextStreamQuery = scheduler.now + Self.streamInterval
    advance()
  }

  private func answer(to query: AddressQuery) -> PostalAddress?? {
    if cache == nil { cache = file?.load(server: server.name) ?? AddressCache(server: server.name) }
    return cache?.answer(to: query, at: scheduler.wallClock)
  }

  /// Returns whether the query is or will be sent at `deadline` at the latest.
  private func enqueue(_ query: AddressQuery, by deadline: Instant) -> Bool {
    if sent == query || queue.contains(query) { return true }
    guard queue.count < Self.mostQueries, pacer.next + RequestPacer.interval * Double(queue.count) <= max(deadline, scheduler.now) else {
      return false
    }
    queue.append(query)
    return true
  }

  // MARK: Time

  private func advance() {
    let now = scheduler.now
    var late: [Waiter] = []
    for (query, waiting) in waiters {
      late += waiting.filter { $0.deadline <= now }
      let left = waiting.filter { $0.deadline > now }
      waiters[query] = left.isEmpty ? nil : left
    }
    if sent == nil, pacer.next <= now, !queue.isEmpty { send(queue.removeFirst(), at: now) }
    let next = waiters.values.joined().map(\.deadline).min() ?? .never
    timer?.arm(at: min(next, sent == nil && !queue.isEmpty ? pacer.next : .never))
    for waiter in late.sorted(by: { $0.number < $1.number }) { waiter.completion(nil) }
  }

  private func send(_ query: AddressQuery, at now: Instant) {
    pacer.send(at: now)
    sent = query
    server.send(query) { [weak self] in self?.take($0, of: query) }
  }

  private func take(_ answer: AddressAnswer, of query: AddressQuery) {
    guard sent == query else { return }
    sent = nil
    var found: PostalAddress?
    let before = status
    switch answer {
    case .address(let address):
      found = address
      cache?.store(address, for: query, at: scheduler.wallClock)
      answers += 1
      pacer.succeed()
      if saveTimer?.due == nil { saveTimer?.arm(at: scheduler.now + Self.saveDelay) }
      if failure != nil { log.notice("\(server.name) answers again") }
      failure = nil
    case .failed(let reason, let demand):
      pacer.fail(at: scheduler.now, demand: demand)
      if failure != reason { log.warning("\(server.name): no address: \(reason); locations have no address until it answers") }
      failure = reason
      // The waiting queries would miss their deadlines. The next request for such an address asks the server again.
      queue = []
    }
    let ready = (waiters.removeValue(forKey: query) ?? []) + (failure == nil ? [] : waiters.values.flatMap(\.self))
    if failure != nil { waiters = [:] }
    advance()
    if status.state != before.state || status.note != before.note { onChange() }
    for waiter in ready.sorted(by: { $0.number < $1.number }) { waiter.completion(found) }
  }

  private func save() {
    saveTimer?.arm(at: .never)
    if let cache { file?.save(cache) }
  }

  // MARK: Status

  /// The health of the server.
  public var status: GeocodingStatus {
    var status = GeocodingStatus()
    status.server = server.name
    status.state = failure != nil ? .failing : answers > 0 ? .answering : .idle
    status.answers = answers
    status.known = UInt64(cache?.count ?? 0)
    if let failure {
      let pause = max(.zero, pacer.next - scheduler.now)
      status.note = "\(failure); asks again \(pause == .zero ? "with the next request" : "after \(Int(pause.seconds.rounded(.up))) s")"
    }
    return status
  }
}
