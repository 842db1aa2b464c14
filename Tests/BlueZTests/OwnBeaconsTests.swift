import BeaconAdvertising
import Beacons
import DBus
import EventLoop
import Instants
import Records
import Status
import TestSupport
import Testing

@testable import BlueZ

@Suite struct OwnBeaconsTests {
  private static let address: BluetoothAddress = "00:00:00:00:00:01"

  private let lines = LogLines()

  private func beacons(_ scene: AdvertiserScene) -> OwnBeacons {
    OwnBeacons(scene.loop, namesSystemctl: false, log: lines.logger) { scene.advertiser }
  }

  private func state(_ beacons: OwnBeacons) -> String? { beacons.advertised.first?.state?.rawValue }

  @Test func `a beacon is logged and listed with its adapter when it is advertised`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)")
    let beacons = beacons(scene)
    beacons.send([try AdvertiserScene.transmission()])
    try scene.loop.wait { state(beacons) == "advertising" }
    #expect(lines.all.last?.hasSuffix(" is advertised by \(Self.address)") == true)
    #expect(beacons.advertised.first?.adapter == Self.address)
    #expect(beacons.advertised.first?.measuredPower == -59)
  }

  @Test func `a beacon that waits is listed and logged with the obstacle`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)")
    let beacons = beacons(scene)
    var changes = 0
    beacons.onChange = { changes += 1 }
    beacons.send([try AdvertiserScene.transmission()])
    try scene.loop.wait { state(beacons) == "advertising" }
    let before = changes
    try scene.killBlueZ()
    #expect(state(beacons) == "waiting" && changes > before)
    let advice = "bluetoothd is not running; start the service bluetooth as root"
    #expect(beacons.advertised.first?.note == advice)
    #expect(lines.all.last?.hasSuffix(" is not advertised: \(advice)") == true)
  }

  @Test func `an adapter that refuses is asked to pause its scan each time`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)", "fail RegisterAdvertisement Failed 2")
    let beacons = beacons(scene)
    var paused: [BluetoothAddress] = []
    beacons.onScanInTheWay = { paused.append($0) }
    beacons.send([try AdvertiserScene.transmission()])
    try scene.loop.wait { state(beacons) == "advertising" }
    #expect(paused == [Self.address, Self.address])
  }

  @Test func `a machine without beacons opens no connection`() throws {
    let loop = try Loop()
    let beacons = OwnBeacons(loop, namesSystemctl: true, log: lines.logger) { () throws(DBusError) in throw .failed("no bus") }
    beacons.send([])
    #expect(lines.all.isEmpty && beacons.advertised.isEmpty)
    beacons.send([try AdvertiserScene.transmission()])
    #expect(lines.all == ["cannot advertise until the next reload of the config: no bus"])
  }
}
