import Authorization
import Consent
import EventLoop
import Journal
import Logging
import Regions
import SQLite

/// The regions that apps have registered, on the disk beside the decisions, and a journal for each user who has any.
final class Registrations {
  /// The maximum size of a user's journal.
  /// With separate journals, one user's events do not displace those of other users or of the config.
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

  /// Returns the user of an owner; nil for an owner that is no registering user.
  func user(of owner: RegionOwner) -> RegisteringUser? {
    owner.user.flatMap { index in users.values.first { $0.index == index } }
  }

  /// Stores a registration on the disk and in memory, and returns its user.
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

  /// Removes one or all regions of an app.
  ///
  /// - Parameter identifier: nil for all regions of the app.
  /// - Returns: the identifiers that are gone.
  func remove(_ identifier: String?, of app: AppID, from user: RegisteringUser) throws(RegistrationError) -> [String] {
    do throws(DatabaseError) {
      try store?.removeRegistrations(of: app, user: user.number, identifier: identifier)
    } catch {
      throw RegistrationError("\(error)")
    }
    return user.drop(identifier, of: app)
  }

  /// Drops a user without regions, and their journal; returns false if the user still has regions.
  @discardableResult func forget(_ user: RegisteringUser) -> Bool {
    guard user.regions.isEmpty else { return false }
    users[user.number] = nil
    user.journal.erase()
    return true
  }

  /// Retries the files that fail.
  func retry() {
    for user in users.values { user.journal.retry() }
  }

  /// Returns the user of that number; nil if there are more users than numbers.
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

/// The reason why a region cannot be registered.
struct RegistrationError: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
