import BeaconAdvertising
import Beacons
import EventActions
import Events
import Instants
import MonitorConfiguration
import Ranging
import Regions
import Testing

let galleryUUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

@Suite struct ConfigurationTests {
  @Test(arguments: ["", "# nothing\n", "[ranging]\n[notifier]\n", "\u{FEFF}# with a byte order mark\r\n"])
  func `an empty file gives the defaults`(text: String) throws {
    let configuration = try Configuration.parse(text: text, name: "t")
    #expect(configuration == Configuration())
    #expect(configuration.captureSpeed == 1)
    #expect(configuration.ranging.timeConstant == 2)
    #expect(configuration.notifier.parallelCommands == 4)
  }

  @Test(
    arguments: [
      ("", 30, true), ("exit-delay = \"45s\"", 45, false), ("exit-delay = \"45s\"\nlearn-exit-delay = true", 45, true),
      ("learn-exit-delay = false", 30, false),
    ] as [(String, Double, Bool)])
  func `a configured exit delay is fixed, and an omitted one is learned`(lines: String, seconds: Double, learns: Bool) throws {
    let configuration = try Configuration.parse(text: "[[region]]\nidentifier = \"a\"\nuuid = \"\(galleryUUID)\"\n\(lines)", name: "t")
    let region = try #require(configuration.regions.first?.beaconRegion)
    #expect(region.exitDelay == .seconds(seconds) && region.learnsExitDelay == learns)
  }

  @Test func `every key is read`() throws {
    let text = """
      source = "capture:walk.btsnoop"
      capture-speed = 10
      [[adapter]]
      address = "00:1a:7d:da:71:13"
      rssi-offset = 4.5
      [[adapter]]
      address = "B0:EC:AC:00:00:00"
      use = false
      [ranging]
      path-loss-exponent = 2.7
      rssi-offset = -3
      time-constant = "1500ms"
      method = "plain"
      [[beacon]]
      uuid = "\(galleryUUID)"
      major = 1
      minor = 5
      rssi-offset = -3.5
      [[region]]
      identifier = "entrance"
      uuid = "\(galleryUUID.uppercased())"
      major = 1
      minor = 5
      exit-delay = "1m"
      within = 3
      leave-beyond = 5.0
      hold = "1s"
      nearest-only = true
      learn-exit-delay = true
      enter-sightings = 3
      enter-time = "5s"
      minimum-rssi = -80
      dwell = "2m"
      assume = "outside"
      notify-on-entry = false
      notify-on-exit = false
      [[region]]
      identifier = "gallery"
      uuid = "\(galleryUUID)"
      [notifier]
      parallel-commands = 2
      [[notifier.action]]
      region = "entrance"
      events = ["state"]
      command = ["play", "welcome.ogg"]
      timeout = "5s"
      [[notifier.action]]
      region = ["entrance", "gallery"]
      notification = { title = "{region}", body = "Welcome" }
      [[notifier.action]]
      log = "{event}"
      """
    let uuid = try BeaconUUID(galleryUUID)
    let beacon = BeaconIdentity(uuid: uuid, major: 1, minor: 5)
    let expected = Configuration(
      source: .capture(path: "walk.btsnoop"), captureSpeed: 10,
      adapters: [
        AdapterSettings(address: try #require(BluetoothAddress("00:1A:7D:DA:71:13")), rssiOffset: 4.5, isCalibrated: true),
        AdapterSettings(address: try #require(BluetoothAddress("B0:EC:AC:00:00:00")), isUsed: false),
      ],
      ranging: RangingSettings(
        model: PathLossModel(exponent: 2.7), rssiOffset: -3, beaconOffsets: [beacon: -3.5], isCalibrated: true,
        timeConstant: 1.5, method: .plain),
      regions: [
        .beacon(
          BeaconRegion(
            identifier: "entrance", constraint: BeaconConstraint(uuid: uuid, major: 1, minor: 5), exitDelay: .seconds(60),
            learnsExitDelay: true, nearness: BeaconRegion.Nearness(within: 3, leaveBeyond: 5, hold: .seconds(1), isNearestOnly: true),
            minimumRSSI: -80,
            entry: BeaconRegion.Entry(sightings: 3, within: .seconds(5)), dwell: .seconds(120), assumed: .outside, notifyOnEntry: false,
            notifyOnExit: false)),
        .beacon(BeaconRegion(identifier: "gallery", constraint: BeaconConstraint(uuid: uuid))),
      ],
      notifier: NotifierSettings(
        parallelCommands: 2,
        targets: [
          Target(inline: .command(["play", "welcome.ogg"], timeout: .seconds(5)), besides: []),
          Target(inline: .notification(title: try Template("{region}"), body: try Template("Welcome")), besides: []),
          Target(inline: .log(try Template("{event}")), besides: []),
        ],
        actions: [
          EventAction(regions: ["entrance"], triggers: [.state], targets: ["command play welcome.ogg"]),
          EventAction(regions: ["entrance", "gallery"], targets: ["notification {region}: Welcome"]),
          EventAction(targets: ["log {event}"]),
        ]))
    #expect(try Configuration.parse(text: text, name: "t") == expected)
  }

  @Test func `an omitted key has its default`() throws {
    let text = """
      region = [{ identifier = "a", uuid = "\(galleryUUID)", within = 2.0 }]
      [[notifier.action]]
      command = ["true"]
      [[notifier.action]]
      notification.title = "Hello"
      """
    let configuration = try Configuration.parse(text: text, name: "t")
    #expect(configuration.regions.first?.beaconRegion?.exitDelay == .seconds(30))
    #expect(configuration.regions.first?.beaconRegion?.nearness == BeaconRegion.Nearness(within: 2, leaveBeyond: 3))
    #expect(configuration.notifier.actions.map(\.triggers) == [[.enter, .exit], [.enter, .exit]])
    #expect(
      configuration.notifier.targets.map(\.means) == [
        .command(["true"], timeout: .seconds(30)), .notification(title: try Template("Hello"), body: .empty),
      ])
  }

  @Test func `the offsets of adapters follow the numbers of a roster`() throws {
    let text = """
      [[adapter]]
      address = "B0:EC:AC:00:00:00"
      [[adapter]]
      address = "00:1A:7D:DA:71:13"
      rssi-offset = -3
      """
    let configuration = try Configuration.parse(text: text, name: "t")
    #expect(configuration.ranging.adapterOffsets.isEmpty)
    #expect(configuration.ranging(of: AdapterRoster(configuration.adapters)).adapterOffsets == [1: -3])
  }
}
