import Authorization
import Consent
import EventLoop
import Journal
import Logging
import Regions
import SQLite

/// Which regions apps have registered, on the disk beside the decisions, and a journal for each user who has any.
final class Registrations {
  /// A user's journal ends where it keeps no more than this: nobody's regions push out what happened at another's, or at the config's.
  private static let journalSize = 4 << 20

  private let loop: Loop
  private let store: ConsentStore?
  private let file: JournalFile
  private let log: Logger
  private(set) var users: [UInt32: RegisteringUser] = [:]

  /// - Parameter file: of the daemon's own journal; those of users are beside it.
  init(_ loop: Loop, _ store: ConsentStore?, beside file: JournalFile, log: Logger) {
    self.loop = loop
    self.store = store
    self.file = file
    self.log = log
    do throws(DatabaseError) {
      for registration in try store?.registrations() ?? [] {
        user(registration.user)?.keep(registration)
      }
    } catch {
      log.error("the regions that apps have registered cannot be read, and nothing comes of them: \(error)")
    }
  }

  /// The owner of that number; nil for any other.
  func user(of owner: RegionOwner) -> RegisteringUser? {
    owner.user.flatMap { index in users.values.first { $0.index == index } }
  }

  /// Keeps one on the disk and here, and says whose it is.
  func add(_ registration: Registration) throws(RegistrationError) -> RegisteringUser {
    do throws(DatabaseError) {
      try store?.add(registration)
    } catch {
      throw RegistrationError("\(error)")
    }
    guard let user = user(registration.user) else { throw RegistrationError("there are too many users") }
    user.keep(registration)
    return user
  }

  /// - Parameter identifier: nil: all of the app's.
  /// - Returns: the identifiers that are gone.
  func remove(_ identifier: String?, of app: AppID, from user: RegisteringUser) throws(RegistrationError) -> [String] {
    do throws(DatabaseError) {
      try store?.removeRegistrations(of: app, user: user.number, identifier: identifier)
    } catch {
      throw RegistrationError("\(error)")
    }
    return user.drop(identifier, of: app)
  }

  /// Forgets a user without regions, and what happened at those that there were; false while there are some.
  @discardableResult func forget(_ user: RegisteringUser) -> Bool {
    guard user.regions.isEmpty else { return false }
    users[user.number] = nil
    user.journal.erase()
    return true
  }

  /// Tries the files again that fail.
  func retry() {
    for user in users.values { user.journal.retry() }
  }

  /// Nil when there are more than have a number.
  private func user(_ number: UInt32) -> RegisteringUser? {
    if let user = users[number] { return user }
    let taken = Set(users.values.map(\.index))
    guard let index = (0..<RegionOwner.mostUsers).first(where: { !taken.contains($0) }) else { return nil }
    let file = file.ofUser(number, size: Self.journalSize)
    let user = RegisteringUser(number, index, JournalKeeper(loop, file, log: log))
    users[number] = user
    return user
  }
}

/// What keeps a region from being registered.
struct RegistrationError: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
