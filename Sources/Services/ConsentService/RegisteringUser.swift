import Consent
import Regions

/// A user whose apps have registered regions.
public final class RegisteringUser {
  public let number: UInt32
  /// The index of the user among the owners of regions.
  public let index: UInt16
  /// The regions in the order of their registration.
  public private(set) var regions: [Registration] = []
  private var apps: [AppID: UInt16] = [:]

  init(_ number: UInt32, _ index: UInt16) {
    self.number = number
    self.index = index
  }

  /// The owner under which the user's events are numbered.
  public var row: RegionOwner { .user(index) }

  public var appCount: Int { apps.count }

  /// Returns the owner of an app's regions; nil if the app has registered none.
  public func owner(of app: AppID) -> RegionOwner? { apps[app].map { .app($0, of: index) } }

  public func app(of owner: RegionOwner) -> AppID? { apps.first { RegionOwner.app($0.value, of: index) == owner }?.key }

  /// Adds a registration, and replaces one of the same app and identifier.
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

  /// Removes one or all regions of an app.
  ///
  /// - Parameter identifier: nil for all regions of the app.
  /// - Returns: the identifiers that are gone.
  func drop(_ identifier: String?, of app: AppID) -> [String] {
    let gone = regions.filter { $0.app == app && identifier ?? $0.identifier == $0.identifier }.map(\.identifier)
    regions.removeAll { $0.app == app && gone.contains($0.identifier) }
    if !regions.contains(where: { $0.app == app }) { apps[app] = nil }
    return gone
  }
}

// MARK: Names in the journal

extension Registration {
  /// The name in the journal, unique among all regions of the user: no app id has a blank in it.
  public var savedName: String { "\(app) \(identifier)" }
}
