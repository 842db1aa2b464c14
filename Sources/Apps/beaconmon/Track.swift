import ArgumentParser
import DBus
import Failures
import Locating
import MonitorClient
import ProgramSupport
import Records
import Terminal

struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow where this device is.",
    discussion: """
      One line for each update: time, latitude and longitude, accuracy, speed, course, source; a narrow window goes without the last of them. On a terminal \
      times are local, else in UTC. Ctrl-C ends it. With --distance-filter \
      a line comes when the device has moved so far from the last one, or is known at least twice as exactly.

      Examples:
        beaconmon track
        beaconmon track --distance-filter 5m
        beaconmon track --accuracy 100m --geojson > way.geojsonl
      """)

  @Option(
    help: ArgumentHelp(
      "What is good enough: a length, or best, nearestTenMeters, hundredMeters, kilometer, threeKilometers.", valueName: "length"),
    transform: DesiredAccuracy.parse)
  var accuracy = DesiredAccuracy.best

  @Option(help: ArgumentHelp("Print a line only after a move of so much.", valueName: "length"), transform: Metres.parse)
  var distanceFilter: Double?

  @OptionGroup var output: LocationOutputOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if distanceFilter == 0 { throw ValidationError("--distance-filter must be above zero; leave it out for every fix") }
  }

  func run() throws {
    let screen = ScreenOutput()
    var list = TrackList(style: screen.style, units: .ofEnvironment, time: screen.timeFormat(times))
    let link = try DaemonLink(bus.address, forSession: true)
    var stream: RemoteStream?
    link.onPresenceChange = { ScreenOutput.tell($0 ? "beaconmond is back" : "beaconmond went away; waiting for it") }
    try link.run { client in
      stream = client.track(LocationRequest(accuracy: accuracy, distanceFilter: distanceFilter)) { error in
        link.end(Failure(refusal: error))
      } handler: { news in
        link.settle()
        switch news {
        case .located(let location): screen.write(output.line(location, words: { list.line($0, width: screen.width) }))
        case .unknown(let reason): ScreenOutput.tell(reason)
        }
        if screen.isClosed { link.end() }
      }
    }
    withExtendedLifetime(stream) {}
    if let failure = screen.failure { throw failure }
  }
}
