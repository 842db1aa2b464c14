import Consent
import ConsentService
import DBus
import EventLoop
import Instants
import Logging
import MonitorService
import ProgramSupport
import Proximity
import Records
import Regions
import TOML

extension Monitor: RegionRegistry {
  var registry: any RegionRegistry { self }

  func identifiers(of app: AppID, user: UInt32) -> [String] {
    registrations.users[user]?.regions.filter { $0.app == app }.map(\.identifier) ?? []
  }

  func count(of user: UInt32) -> Int { registrations.users[user]?.regions.count ?? 0 }

  func register(_ definition: [String: TOMLNode], as identifier: String, of app: AppID, for client: ConsentClient) throws(DBusError) {
    let old = registrations.users[client.person.number]?.regions.first { $0.app == app && $0.identifier == identifier }
    let registration = Registration(
      user: client.person.number, app: app, identifier: identifier, purpose: client.purpose, definition: RegionDefinition.json(definition),
      // A region that an app registers again unchanged at each start keeps its place.
      time: old?.time ?? loop.wallClock)
    guard registration != old else { return }
    do throws(RegistrationError) {
      let user = try registrations.add(registration)
      if user.isActive { begin { watch(registration, of: user, in: &$0) } } else { updateRegistrations() }
    } catch {
      throw .failed("the region is not registered: \(error.reason)")
    }
  }

  func unregister(_ identifier: String?, of app: AppID, user number: UInt32) throws(DBusError) {
    guard let user = registrations.users[number], let owner = user.owner(of: app) else { return }
    do throws(RegistrationError) {
      let gone = try registrations.remove(identifier, of: app, from: user)
      adjust { $0.remove(gone, of: owner) }
      if registrations.forget(user) { adjust { $0.forget(user.row) } } else { save(user) }
    } catch {
      throw .failed("nothing was changed: \(error.reason)")
    }
  }

  func watch(_ identifier: String, of app: AppID, user: UInt32) -> RegionWatch? {
    registrations.users[user]?.owner(of: app).flatMap { watch(identifier, of: $0) }
  }

  func app(of owner: RegionOwner) -> (user: UInt32, app: AppID)? {
    guard let user = registrations.user(of: owner), let app = user.app(of: owner) else { return nil }
    return (user.number, app)
  }

  func journal(of user: UInt32) -> (any MonitorJournal)? { registrations.users[user]?.journal }

  var registrationCounts: Record {
    let users = registrations.users.values
    return Record([
      "regions": .count(UInt64(users.reduce(0) { $0 + $1.regions.count })), "apps": .count(UInt64(users.reduce(0) { $0 + $1.appCount })),
      "idle": .count(UInt64(users.reduce(0) { $0 + ($1.isActive ? 0 : $1.regions.count) })),
    ])
  }

  var registered: [Record] {
    registrations.users.values.sorted { $0.number < $1.number }.flatMap { user in
      user.regions.map { region in
        var record = consent.record(of: Claimant(user: region.user, app: region.app, purpose: region.purpose))
        record.append("identifier", .text(region.identifier))
        record.append("time", .time(region.time))
        record.append("idle", .flag(!user.isActive))
        return record
      }
    }
  }
}
