import Consent
import DBus
import Events
import MonitorProtocol
import Scheduling

/// The events of a daemon that an `EventFollower` follows: their journals, and their signals.
protocol FollowedSource: AnyObject {
  /// Receives every change, after the follower has set it.
  var onChange: (FollowedChange) -> Void { get set }

  /// Prepares requests to a daemon that has appeared.
  func open(_ completion: @escaping (Result<Void, DBusError>) -> Void)
  /// Forgets a daemon that is gone.
  func close()
  /// Requests the journals.
  ///
  /// - Parameter completion: takes nil if there is no journal yet, so that no event was missed.
  func askJournals(_ completion: @escaping (Result<RemoteJournal.Names?, DBusError>) -> Void)
  /// Requests a page of the events after a place.
  func askEvents(after place: EventPlace, _ completion: @escaping (Result<FollowedPage, DBusError>) -> Void)
}

enum FollowedChange {
  /// An event arrived as a signal.
  case event(Event)
  /// Events that were not available before may be available now.
  case renewed
  /// The daemon has closed the source, which can be opened again.
  case closed
  /// Whether the user consents to these events is known, or has changed.
  case consent(isGiven: Bool)
}

enum FollowedPage {
  /// The next events; empty if there are no more, and the journal is in use.
  case events([Event])
  /// The journal has no more events and is not in use.
  case end
  /// The daemon reports no events without consent, and none were missed.
  case withheld
}

/// The events of the configured regions.
final class ConfiguredEvents: FollowedSource {
  var onChange: (FollowedChange) -> Void = { _ in }
  private let journal: RemoteJournal
  private var signals: SignalSubscription?

  init(_ connection: DBusConnection) {
    journal = RemoteJournal(connection: connection)
    let rule = MatchRule(sender: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "RegionEvent")
    signals = connection.addMatch(rule) { [unowned self] signal in
      guard signal.signature == "tsoa{sv}", let event = Event(signal.arguments[3]) else { return }
      onChange(.event(event))
    }
  }

  func open(_ completion: @escaping (Result<Void, DBusError>) -> Void) { completion(.success(())) }

  func close() {}

  func askJournals(_ completion: @escaping (Result<RemoteJournal.Names?, DBusError>) -> Void) {
    journal.names { completion($0.map(Optional.some)) }
  }

  func askEvents(after place: EventPlace, _ completion: @escaping (Result<FollowedPage, DBusError>) -> Void) {
    journal.events(after: place) { completion($0.map { $0.map { .events($0) } ?? .end }) }
  }
}

/// The events of the regions that apps of this user have registered. They require no privilege beyond the user's own.
final class RegisteredEvents: FollowedSource {
  var onChange: (FollowedChange) -> Void = { _ in }
  private let connection: DBusConnection
  private let opener: SessionOpener
  private var signals: SignalSubscription?
  private var session: String?
  private let answers = StaleAnswerFilter()
  /// True if no app of this user has registered a region yet.
  private var isWithoutJournal = false
  /// The consent that was reported last; nil before the first report.
  private var hasConsent: Bool?

  /// - Parameter purpose: the reason for following, shown in the list of clients.
  init(_ connection: DBusConnection, purpose: String) {
    self.connection = connection
    opener = SessionOpener(connection, SessionClaim(purpose: purpose))
    let rule = MatchRule(sender: MonitorNames.bus, interface: MonitorNames.session)
    signals = connection.addMatch(rule) { [unowned self] in if $0.path == session { receive($0) } }
  }

  deinit {
    if let session { connection.closeSession(session) }
  }

  func open(_ completion: @escaping (Result<Void, DBusError>) -> Void) {
    answers.renew()
    opener.open { [unowned self] answer in
      // A failure leaves no session, and goes to the follower.
      session = try? answer.get()
      completion(answer.map { _ in })
    }
  }

  func close() {
    session = nil
    answers.renew()
    opener.daemonVanished()
  }

  /// Asks for the consent, which is reported if it has changed.
  ///
  /// - Parameter completion: takes the error if there is no answer. The follower then repeats all requests.
  private func askConsent(of session: String, _ completion: @escaping (DBusError?) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: session, interface: StandardName.properties, member: "Get",
      [.string(MonitorNames.session), .string("Authorization")],
      completion: answers.current { [unowned self] reply in
        switch reply {
        case .success(let values):
          report(values.first)
          completion(nil)
        case .failure(let error): completion(error)
        }
      })
  }

  /// Reports the consent if it has changed.
  private func report(_ authorization: DBusValue?) {
    guard let authorization = authorization?.string.flatMap(Authorization.init(rawValue:)) else { return }
    let isGiven = authorization.covers(.always)
    guard isGiven != hasConsent else { return }
    hasConsent = isGiven
    onChange(.consent(isGiven: isGiven))
  }

  private func receive(_ signal: DBusMessage) {
    switch signal.member {
    case "RegisteredEvent":
      guard signal.signature == "tsssa{sv}", let event = Event(signal.arguments[4]) else { return }
      // The first event of a user shows that a journal exists now.
      onChange(isWithoutJournal ? .renewed : .event(event))
    case "AuthorizationChanged":
      report(signal.arguments.first)
      // Events that were denied before may be available now.
      onChange(.renewed)
    case "Stopped":
      close()
      onChange(.closed)
    default: break
    }
  }

  func askJournals(_ completion: @escaping (Result<RemoteJournal.Names?, DBusError>) -> Void) {
    guard let session else { return }
    askConsent(of: session) { [unowned self] error in
      if let error { completion(.failure(error)) } else { askJournals(of: session, completion) }
    }
  }

  private func askJournals(of session: String, _ completion: @escaping (Result<RemoteJournal.Names?, DBusError>) -> Void) {
    connection.call(
      session: session, "FollowRegisteredRegions",
      completion: answers.current { [unowned self] reply in
        completion(
          reply.map { values in
            let journals = values.first?.strings ?? []
            isWithoutJournal = journals.isEmpty
            return journals.last.map {
              RemoteJournal.Names(earlier: Array(journals.dropLast()), current: $0, lastSequence: values.last?.integer() ?? 0)
            }
          })
      })
  }

  func askEvents(after place: EventPlace, _ completion: @escaping (Result<FollowedPage, DBusError>) -> Void) {
    guard let session else { return }
    let page: [DBusValue] = [.string(place.journal), .uint64(place.sequence), .uint32(UInt32(RemoteJournal.pageSize))]
    connection.call(session: session, "RegisteredEventsSince", page) { reply in
      switch reply {
      case .success(let values): completion(.success(.events((values.first?.elements ?? []).compactMap { Event($0) })))
      case .failure(let error) where error.monitorError == .journalChanged: completion(.success(.end))
      // AuthorizationChanged reports the end of this state.
      case .failure(let error) where error.isLackOfConsent: completion(.success(.withheld))
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}
