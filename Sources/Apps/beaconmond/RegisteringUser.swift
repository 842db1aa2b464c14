import Authorization
import Consent
import Regions

/// A user whose apps have registered regions.
final class RegisteringUser {
  let number: UInt32
  /// Names the user among the owners of regions.
  let index: UInt16
  /// Of what happens at the registered regions.
  let journal: JournalKeeper
  /// Whether the regions are watched.
  var isActive = false
  /// Whether the file with the regions' states has been read since they are watched; nothing is saved over what nobody has read.
  var hasRestored = false
  /// In the order in which they came.
  private(set) var regions: [Registration] = []
  private var apps: [AppID: UInt16] = [:]

  init(_ number: UInt32, _ index: UInt16, _ journal: JournalKeeper) {
    self.number = number
    self.index = index
    self.journal = journal
  }

  /// Whose events are numbered in one row.
  var row: RegionOwner { .user(index) }

  var appCount: Int { apps.count }

  /// Nil while the app has registered nothing.
  func owner(of app: AppID) -> RegionOwner? { apps[app].map { .app($0, of: index) } }

  func app(of owner: RegionOwner) -> AppID? { apps.first { RegionOwner.app($0.value, of: index) == owner }?.key }

  /// One of the same app and identifier is replaced.
  func keep(_ registration: Registration) {
    if apps[registration.app] == nil {
      // A user has far fewer regions than there are numbers.
      let taken = Set(apps.values)
      apps[registration.app] = (1...UInt16.max).first { !taken.contains($0) }
    }
    if let position = regions.firstIndex(where: { $0.app == registration.app && $0.identifier == registration.identifier }) {
      regions[position] = registration
    } else {
      regions.append(registration)
    }
  }

  /// - Parameter identifier: nil: all of the app's.
  /// - Returns: the identifiers that are gone.
  @discardableResult func drop(_ identifier: String?, of app: AppID) -> [String] {
    let gone = regions.filter { $0.app == app && identifier ?? $0.identifier == $0.identifier }.map(\.identifier)
    regions.removeAll { $0.app == app && gone.contains($0.identifier) }
    if !regions.contains(where: { $0.app == app }) { apps[app] = nil }
    return gone
  }
}

// MARK: What the journal calls a region

extension Registration {
  /// Among all of the user: no app id has a blank in it.
  var savedName: String { "\(app) \(identifier)" }
}
