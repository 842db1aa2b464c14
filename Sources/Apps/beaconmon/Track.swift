import ArgumentParser
import ClientCommands
import DBus
import Failures
import LocationArbitration
import MonitorClient
import ProgramSupport
import Records
import Terminal

struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow the location of this device.",
    discussion: """
      Prints one line for each update: time, latitude and longitude, accuracy, speed, course and source; a narrow window omits the last \
      ones. Times are local on a terminal, and in UTC otherwise. Press Ctrl-C to stop. With --distance-filter, an update follows when the \
      device has moved this far since the last one, or when a fix is at least twice as accurate.

      Examples:
        beaconmon track
        beaconmon track --distance-filter 5m
        beaconmon track --accuracy 100m --geojson > way.geojsonl
      """)

  @Option(
    help: ArgumentHelp(
      "The accuracy that the program needs: a length, or best, nearestTenMeters, hundredMeters, kilometer, threeKilometers.",
      valueName: "length"),
    transform: DesiredAccuracy.parse)
  var accuracy = DesiredAccuracy.best

  @Option(help: ArgumentHelp("Print a line only after a movement of this length.", valueName: "length"), transform: Metres.parse)
  var distanceFilter: Double?

  @OptionGroup var output: LocationOutputOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if distanceFilter == 0 { throw ValidationError("--distance-filter must be greater than zero; omit it to print every fix") }
  }

  func run() throws {
    let screen = ScreenOutput()
    var list = TrackList(style: screen.style, units: .ofEnvironment, time: screen.timeFormat(times))
    let link = try CommandLink(bus.address, forSession: true)
    var stream: RemoteStream?
    link.onPresenceChange = { ScreenOutput.note(DaemonWatch.note(isAvailable: $0)) }
    try link.run { client in
      let updates = LocationUpdateOptions.Updates.fixes(desiredAccuracy: accuracy.metres, distanceFilter: distanceFilter)
      stream = client.track(LocationUpdateOptions(updates, locale: output.names.locale)) { error in
        link.end(Failure(refusal: error))
      } handler: { event in
        link.settle()
        switch event {
        case .located(let location): screen.write(output.line(location, words: { list.line($0, width: screen.width) }))
        case .unknown(let reason): ScreenOutput.note(reason)
        }
        if screen.isClosed { link.end() }
      }
    }
    withExtendedLifetime(stream) {}
    if let failure = screen.failure { throw failure }
  }
}
