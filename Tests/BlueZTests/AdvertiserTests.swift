import BeaconAdvertising
import Beacons
import BlueZ
import EventLoop
import Instants
import TestSupport
import Testing

/// The advertiser's calls to BlueZ, its results, and its recovery from each fault.
@Suite struct AdvertiserTests {
  private static let address: BluetoothAddress = "00:00:00:00:00:01"
  private static let advertised = "advertisement hci0 broadcast 004c:\(Payload.iBeacon(minor: 7)) MinInterval=100 MaxInterval=100"

  private static let sent = AdvertiserScene.sent(by: address)

  private func advertising(_ commands: String...) throws -> AdvertiserScene {
    let scene = try AdvertiserScene("add hci0 \(Self.address)")
    for command in commands { try scene.command(command) }
    scene.advertiser.transmissions = [try AdvertiserScene.transmission()]
    try scene.wait(for: Self.sent)
    return scene
  }

  @Test func `BlueZ broadcasts an iBeacon ten times a second`() throws {
    let scene = try advertising()
    #expect(scene.fake.calls == ["RegisterAdvertisement hci0", Self.advertised])
  }

  @Test func `a transmit power is requested only if configured`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)")
    scene.advertiser.transmissions = [try AdvertiserScene.transmission(transmitPower: -12)]
    try scene.wait(for: AdvertiserScene.sent(by: Self.address, notes: ["this adapter does not support --transmit-power"]))
    #expect(scene.fake.calls.last == Self.advertised + " TxPower=-12")
  }

  private static let slow = "BlueZ uses an interval of 1280ms; for others, start bluetoothd with --experimental, or install a newer BlueZ"

  @Test(arguments: [
    (["extended", "parameters"], Span.milliseconds(100)...Span.milliseconds(100), []),
    (["extended"], .milliseconds(1280) ... .milliseconds(1280), [slow]),
    (["parameters"], .milliseconds(100) ... .milliseconds(150), []),
  ])
  func `the actual advertising interval is reported`(options: [String], intervals: ClosedRange<Span>, notes: [String]) throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address) \(options.joined(separator: " "))")
    scene.advertiser.transmissions = [try AdvertiserScene.transmission()]
    try scene.wait(for: AdvertiserScene.sent(by: Self.address, every: intervals, notes: notes))
  }

  @Test func `a removed transmission is unregistered, and the others continue undisturbed`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address) extended parameters")
    let sent = AdvertiserScene.sent(by: Self.address, every: .milliseconds(100) ... .milliseconds(100))
    let (first, second) = (try AdvertiserScene.transmission(), try AdvertiserScene.transmission(minor: 8))
    scene.advertiser.transmissions = [first]
    try scene.wait(for: sent)
    scene.advertiser.transmissions = [second, first]
    try scene.wait(for: sent)
    #expect(scene.fake.calls.filter { $0.hasPrefix("Reg") }.count == 2)
    scene.advertiser.transmissions = [second]
    try scene.loop.wait { scene.fake.calls.last == "UnregisterAdvertisement hci0" }
    #expect(scene.fake.calls.filter { $0.hasPrefix("Unreg") }.count == 1)
    #expect(scene.advertiser.statuses.map(\.state) == [sent])
  }

  @Test func `each refusal is logged even if the status is unchanged`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)", "fail RegisterAdvertisement Failed 3")
    var refusals: [AdvertisingObstacle] = []
    scene.advertiser.onRefusal = { refusals.append($0) }
    scene.advertiser.transmissions = [try AdvertiserScene.transmission()]
    try scene.wait(for: Self.sent)
    #expect(refusals.count == 3)
    #expect(scene.states.count { if case .waiting(.refused) = $0 { true } else { false } } == 1, "\(scene.states)")
  }

  @Test func `a transmission is noted as alternating if an adapter without extended advertising has several`() throws {
    let scene = try advertising()
    let (first, second) = (try AdvertiserScene.transmission(), try AdvertiserScene.transmission(minor: 8))
    let alternating = AdvertiserScene.sent(
      by: Self.address,
      notes: ["the adapter alternates between 2 advertisements, which is impossible while it scans; use an adapter for each"])
    scene.advertiser.transmissions = [first, second]
    for index in 0...1 { try scene.wait(for: alternating, of: index) }
    scene.advertiser.transmissions = [second]
    try scene.wait(for: Self.sent)
  }

  @Test func `an adapter that is plugged in again continues to advertise, even under another name`() throws {
    let scene = try advertising()
    try scene.command("remove hci0")
    try scene.wait(for: .waiting(.noAdapter(nil)))
    try scene.command("add hci3 \(Self.address)")
    try scene.wait(for: Self.sent)
    #expect(scene.fake.calls.last == Self.advertised.replacing("hci0", with: "hci3"))
  }

  @Test(arguments: [("off", AdvertisingObstacle.off(address)), ("blocked", .blocked(address))])
  func `an adapter that is switched on again continues to advertise`(state: String, obstacle: AdvertisingObstacle) throws {
    let scene = try advertising()
    try scene.command("power hci0 \(state)")
    try scene.wait(for: .waiting(obstacle))
    try scene.loop.wait { scene.fake.calls.last == "UnregisterAdvertisement hci0" }
    try scene.command("power hci0 on")
    try scene.wait(for: Self.sent)
  }

  @Test func `the advertisement is registered again after bluetoothd was killed and restarted`() throws {
    let scene = try advertising()
    try scene.killBlueZ()
    try scene.restartBlueZ("add hci0 \(Self.address)")
    try scene.wait(for: Self.sent)
    #expect(scene.fake.calls == ["RegisterAdvertisement hci0", Self.advertised])
  }

  @Test func `the advertisement is registered again after the bus restarts`() throws {
    let scene = try advertising()
    try scene.bus.restart()
    try scene.loop.wait { if case .waiting(.noBus) = scene.states.last { true } else { false } }
    try scene.restartBlueZ("add hci0 \(Self.address)")
    try scene.wait(for: Self.sent)
  }

  @Test func `an advertisement that BlueZ releases is registered again`() throws {
    let scene = try advertising()
    try scene.command("unadvertise hci0")
    try scene.wait(for: .starting)
    try scene.wait(for: Self.sent)
  }

  @Test func `refusals are reported and retried`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)", "fail RegisterAdvertisement NotPermitted 1")
    scene.advertiser.transmissions = [try AdvertiserScene.transmission()]
    try scene.wait(for: .waiting(.full(Self.address)))
    try scene.wait(for: Self.sent)
  }

  @Test func `an adapter that cannot advertise is reported by its address`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address) noadvertising")
    scene.advertiser.transmissions = [try AdvertiserScene.transmission()]
    try scene.wait(for: .waiting(.incapable(Self.address)))
    #expect(scene.fake.calls == [])
  }

  @Test func `several adapters each send their own advertisements`() throws {
    let scene = try AdvertiserScene("add hci0 \(Self.address)", "add hci1 00:00:00:00:00:02")
    scene.advertiser.transmissions = [try AdvertiserScene.transmission(adapter: "00:00:00:00:00:02"), try AdvertiserScene.transmission()]
    try scene.wait(for: AdvertiserScene.sent(by: "00:00:00:00:00:02"))
    try scene.wait(for: Self.sent, of: 1)
  }

  @Test func `only bluetoothd can call the advertisement object`() throws {
    let scene = try advertising()
    let address = "--address=\(scene.bus.address)"
    let names = try scene.loop.result(of: ["busctl", address, "--list", "--no-legend", "--unique", "list"]).output.text
    for name in names.split(separator: "\n").compactMap({ $0.split(separator: " ").first.map(String.init) }) where name.hasPrefix(":") {
      let tree = try scene.loop.result(of: ["busctl", address, "--list", "tree", name]).output.text
      #expect(!tree.contains("advertisement1"))
    }
  }
}
