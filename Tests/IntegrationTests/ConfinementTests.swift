import Foundation
import TestSupport
import Testing

/// The AppArmor profiles of the services, which the boot lab enforces.
@Suite struct ConfinementTests {
  @Test(arguments: ["beaconmond", "beaconmon-notifier"])
  func `the profile of a service lets it look up the names of hosts`(service: String) throws {
    let profile = try String(contentsOfFile: Programs.repository("debian/apparmor/\(service)"), encoding: .utf8)
    // HostAddresses runs getent(1), for brokers, gpsd and receivers over TCP.
    #expect(profile.contains(/(?m)^  \/\{usr\/,\}bin\/getent mrix,$/))
  }
}
