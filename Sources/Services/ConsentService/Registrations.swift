import Consent
import Logging
import Regions

/// The regions that apps have registered, in the file of decisions, by user.
public final class Registrations {
  public private(set) var users: [UInt32: RegisteringUser] = [:]
  private let file: (any ConsentFile)?
  private let log: Logger
  private var hasRead = false
  /// Whether the file could not be read so far, and registrations are kept in memory.
  private var isUnreadable = false
  private var hasLogged = false

  /// Reads the registrations.
  ///
  /// - Parameter file: nil keeps them in memory.
  public init(_ file: (any ConsentFile)?, log: Logger) {
    (self.file, self.log) = (file, log)
    read()
  }

  /// Reads the registrations in the file, unless an earlier call has read them. Logs the first failure.
  public func read() {
    do {
      try readFile()
    } catch {
      if !hasLogged { log.error("registered regions cannot be read and have no effect until they can: \(error)") }
      hasLogged = true
    }
  }

  private func readFile() throws {
    guard let file else { return }
    if isUnreadable, !file.isUnreadable {
      // The file has replaced the memory, and lacks the registrations since the start.
      for registration in users.values.flatMap(\.regions) { save(registration, in: file) }
      hasRead = false
    }
    isUnreadable = file.isUnreadable
    guard !hasRead else { return }
    for registration in try file.registrations() { user(registration.user)?.keep(registration) }
    hasRead = true
  }

  /// Whether the next call of `read` may bring more regions of the present users, because the file can be read now.
  public var isFileLate: Bool { isUnreadable && file?.isUnreadable == false }

  private func save(_ registration: Registration, in file: any ConsentFile) {
    do { try file.add(registration) } catch {
      log.warning("the region \"\(registration.identifier)\" of \(registration.app) is lost at the next restart: \(error)")
    }
  }

  /// Returns the user of an owner; nil for an owner that is not a registering user.
  public func user(of owner: RegionOwner) -> RegisteringUser? {
    owner.user.flatMap { index in users.values.first { $0.index == index } }
  }

  /// Stores a registration on the disk and in memory, and returns its user.
  public func add(_ registration: Registration) throws(RegistrationError) -> RegisteringUser {
    do {
      try readFile()
      try file?.add(registration)
    } catch {
      throw RegistrationError("the region was not registered: \(error)")
    }
    guard let user = user(registration.user) else { throw RegistrationError("the region was not registered: there are too many users") }
    user.keep(registration)
    return user
  }

  /// Removes one or all regions of an app, and forgets a user without regions.
  ///
  /// - Parameter identifier: nil for all regions of the app.
  /// - Returns: the identifiers that are gone.
  public func remove(_ identifier: String?, of app: AppID, from user: RegisteringUser) throws(RegistrationError) -> [String] {
    do {
      try file?.removeRegistrations(of: app, user: user.number, identifier: identifier)
    } catch {
      throw RegistrationError("the change was not saved: \(error)")
    }
    let gone = user.drop(identifier, of: app)
    if user.regions.isEmpty { users[user.number] = nil }
    return gone
  }

  /// Returns the user of that number; nil if there are more users than numbers.
  private func user(_ number: UInt32) -> RegisteringUser? {
    if let user = users[number] { return user }
    let taken = Set(users.values.map(\.index))
    guard let index = (0..<RegionOwner.mostUsers).first(where: { !taken.contains($0) }) else { return nil }
    let user = RegisteringUser(number, index)
    users[number] = user
    return user
  }
}

/// The reason why a region cannot be registered or removed.
public struct RegistrationError: Error {
  public let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
