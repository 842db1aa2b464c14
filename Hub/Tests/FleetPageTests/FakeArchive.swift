import FleetPage
import FleetQueries
import People
import WebPage

/// A database in memory that records the queries it gets.
final class FakeArchive: FleetArchive {
  var persons: [Login: Person] = [:]
  var accounts: [String: Account] = [:]
  var update = FeedUpdate()
  /// Whether queries of the feed fail.
  var isDown = false
  /// Whether reads get no answer yet.
  var holdsAnswers = false
  private(set) var held: [() -> Void] = []
  var outcome = ChangeOutcome.done
  /// Whether the password of each account has changed since it was read.
  var hasChangedPasswords = false
  private(set) var queries: [FleetQuery] = []
  private(set) var changes: [FleetChange] = []
  private(set) var requests: [FeedRequest] = []
  private(set) var sessions: [String: Int32] = [:]

  func read(_ query: FleetQuery, by person: Person, _ answer: @escaping ArchiveAnswer<[ArchiveRow]>) {
    queries.append(query)
    let complete = { answer(.success([ArchiveRow(key: "k", json: #"{"a":1}"#)])) }
    if holdsAnswers { held.append(complete) } else { complete() }
  }

  func make(_ change: FleetChange, by person: Person, _ answer: @escaping ArchiveAnswer<ChangeOutcome>) {
    changes.append(change)
    answer(.success(outcome))
  }

  func account(named name: String, _ answer: @escaping ArchiveAnswer<Account?>) { answer(.success(accounts[name])) }

  func begin(session: String, of account: Account, _ answer: @escaping ArchiveAnswer<Bool>) {
    guard !hasChangedPasswords else { return answer(.success(false)) }
    sessions[session] = account.person
    answer(.success(true))
  }

  func end(session: String, _ answer: @escaping ArchiveAnswer<Void>) {
    sessions[session] = nil
    answer(.success(()))
  }

  func person(of login: Login, _ answer: @escaping ArchiveAnswer<Person?>) { answer(.success(persons[login])) }

  func feedUpdate(_ request: FeedRequest, _ answer: @escaping ArchiveAnswer<FeedUpdate>) {
    requests.append(request)
    guard !isDown else { return answer(.failure(.database)) }
    var update = update
    update.persons = persons
    answer(.success(update))
  }
}

/// Verifies passwords at once: the hash is the password.
final class FakePasswords: PasswordVerifier {
  private(set) var verifications: [String?] = []
  var isFull = false

  func verify(_ password: String, against hash: String?, _ completion: @escaping (PasswordVerdict) -> Void) -> Bool {
    guard !isFull else { return false }
    verifications.append(hash)
    completion(hash == password ? .right : .wrong)
    return true
  }
}
