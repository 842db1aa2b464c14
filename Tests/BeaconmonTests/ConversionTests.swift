import Beacons
import FoundationEssentials
import Instants
import Ranging
import MonitorClient
import Records
import Testing

@testable import Beaconmon

@Suite struct ConversionTests {
  private let text = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  @Test(arguments: [(nil, nil), (1, nil), (1, 65_535)] as [(UInt16?, UInt16?)])
  func `a constraint keeps its values in the conversion to D-Bus`(major: UInt16?, minor: UInt16?) throws {
    let constraint = try #require(BeaconConstraint(uuid: try BeaconUUID(text), major: major, minor: minor))
    let condition = BeaconIdentityCondition(constraint)
    #expect(condition.uuid == UUID(uuidString: text))
    #expect(condition.major == major && condition.minor == minor)
    #expect(condition.constraint == constraint)
    #expect(condition.description == constraint.description)
  }

  @Test func `a region becomes the dictionary of the service, without unset values`() throws {
    let uuid = try #require(UUID(uuidString: text))
    let plain = BeaconRegion(uuid: uuid, identifier: "hall")
    #expect(plain.request(assuming: .unknown).record == Record(["identifier": "hall", "uuid": .text(text)]))
    var region = BeaconRegion(uuid: uuid, major: 1, minor: 2, identifier: "desk")
    region.notifyOnExit = false
    region.exitDelay = .milliseconds(1500)
    region.within = 3
    region.leaveBeyond = 4.5
    region.nearestOnly = true
    #expect(
      region.request(assuming: .inside).record
        == Record([
          "identifier": "desk", "uuid": .text(text), "major": .short(1), "minor": .short(2), "exitDelay": "1500ms", "within": .metres(3),
          "leaveBeyond": .metres(4.5), "nearestOnly": .flag(true), "assume": "inside", "notifyOnExit": .flag(false),
        ]))
  }

  @Test func `a value that the record of a beacon lacks is nil`() throws {
    let known = Record([
      "uuid": .text(text), "major": .short(1), "minor": .short(2), "proximity": "near", "distance": .metres(1.25), "accuracy": .metres(0.5),
      "rssi": .rssi(-61.5), "lastSeen": .time(.init(microseconds: 1_600_000_000_500_000)), "distanceMethod": "bayesian",
      "place": "Lodestone", "placeId": "lodestone",
    ])
    let beacon = try #require(Beacon(BeaconReport(known)))
    #expect(beacon.id.description == "\(text)/1/2" && beacon.proximity == .near)
    #expect(beacon.distance == 1.25 && beacon.accuracy == 0.5 && beacon.rssi == -61.5 && beacon.distanceMethod == .bayesian)
    #expect(beacon.place == "Lodestone" && beacon.placeID == "lodestone")
    #expect(beacon.timestamp == Date(timeIntervalSince1970: 1_600_000_000.5))
    let bare = try #require(Beacon(BeaconReport(Record(["uuid": .text(text), "major": .short(1), "minor": .short(2)]))))
    #expect(bare.proximity == .unknown && bare.distance == nil && bare.accuracy == nil && bare.rssi == nil)
    #expect(Beacon(BeaconReport(Record(["uuid": .text(text), "major": .short(1)]))) == nil)
  }
}

extension RecordValue: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .text(text) }
}
