import ArgumentParser
import ClientCommands
import Failures
import MonitorClient
import ProgramSupport
import Speech
import Terminal
import Wayfinding

struct GuideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "Lead to a place: an arrow, the distance, and the next step.",
    discussion: """
      DESTINATION is one of:
        - the id or the title of a place in a venue
        - a point of a plan, in metres with at most two decimals: 12.5,8@first
        - a coordinate, in degrees with four decimals or more: 48.13715,11.57549@first
        - latitude and longitude as two arguments

      --to-person leads to a person who shares a position with this device, and follows the person; see "beaconmon friends".

      --level alone leads to a level by the nearest way. In a venue the way follows the routes of its file; elsewhere it is a straight line.

      A terminal shows the next step, the progress and the rest of the way, and an arrow that turns with a device that has a compass. In a \
      pipe, each change is one line of JSON with the key event: guidance, route, instruction, failed or ended. The command ends at the \
      destination. Press Ctrl-C to stop earlier.

      Exit codes: 64 if there is no such place, 65 if no route leads there in 12 seconds, 69 without a location source or \
      speech output, 75 if the destination was removed or the share ended, 77 without permission.

      Examples:
        beaconmon guide library
        beaconmon guide "Board room" --accessible --speak --language de
        beaconmon guide 48.13715 11.57549
        beaconmon guide -33.8688 151.2093
        beaconmon guide --level first | jq -r 'select(.event == "instruction").text'
        sudo beaconmon guide --to-person ada
      """)

  @Argument(help: ArgumentHelp("The place, the point, or latitude and longitude.", valueName: "destination"))
  var destination: [String] = []

  @Option(help: ArgumentHelp("Lead to this person, device or tag of an accepted share.", valueName: "name"))
  var toPerson: String?

  @Option(help: ArgumentHelp("The level of a coordinate or a point; alone, the level to go to.", valueName: "id"))
  var level: String?

  @Option(help: ArgumentHelp("The venue, if several have the place.", valueName: "id"))
  var venue: String?

  @Flag(help: "Use only ways that are known to be accessible, the safest first.")
  var accessible = false

  @Option(
    help: ArgumentHelp("The walking speed in metres a second, 0.1 to 5. Defaults to 1.33, or to 0.8 with --accessible.", valueName: "m/s"))
  var speed: Double?

  @Option(
    help: ArgumentHelp("The distance at which you have arrived, 1 to 1000 metres. Defaults to that of the place.", valueName: "metres"))
  var radius: Double?

  @Flag(help: "Speak the instructions through speech-dispatcher or espeak-ng.")
  var speak = false

  @Flag(help: "Print each change as one line of JSON, also on a terminal.")
  var json = false

  @OptionGroup var languages: LanguageOptions
  @OptionGroup var bus: BusOptions

  mutating func validate() throws {
    destination = destination.map(NegativeNumber.restored)
    if let speed, !(0.1...5).contains(speed) { throw ValidationError("--speed must be from 0.1 to 5") }
    if let radius, !(1...1000).contains(radius) { throw ValidationError("--radius must be from 1 to 1000") }
    guard toPerson == nil else {
      guard destination.isEmpty, level == nil else { throw ValidationError("--to-person takes no other destination and no --level") }
      return
    }
    _ = try place()
  }

  func run() throws {
    // Guidance to a person begins when the position is known.
    let options = GuidanceOptions(
      to: toPerson == nil ? try place() : .place(""), venue: venue, isAccessible: accessible, speed: speed, radius: radius,
      locale: languages.locale,
      isImperial: !Units.ofEnvironment.isMetric)
    let output = GuideOutput(isJSON: json) { GuideScreen(style: $0, units: .ofEnvironment, languages: languages.tags) }
    if let warning = languages.missingSentences { output.warn(warning) }
    do {
      let link = try CommandLink(bus.address, forSession: true)
      let speaker = try speak ? Speaker(link.loop, InstalledSpeechProgram.all(on: link.loop)) : nil
      try GuideFollowing(link, options, toPerson: toPerson, output, speaker).run()
    } catch {
      output.finish()
      throw error
    }
    output.finish()
    if let failure = output.failure { throw failure }
  }

  private func place() throws(ValidationError) -> GuidanceOptions.Place {
    guard let first = destination.first else {
      guard let level else { throw ValidationError("the destination is missing; write a place, or --level") }
      return .level(level)
    }
    guard first.contains(where: { !$0.isWhitespace }) else { throw ValidationError("the destination is empty; write a place, or --level") }
    guard destination.count <= 2 else {
      throw ValidationError("there are \(destination.count) destinations; quote a title with spaces, such as \"Board room\"")
    }
    if destination.count == 2 {
      guard let latitude = Double(first), let longitude = Double(destination[1]) else {
        throw ValidationError(
          "\"\(first)\" and \"\(destination[1])\" are not a latitude and a longitude; quote a title with spaces, such as \"Board room\"")
      }
      guard abs(latitude) <= 90, abs(longitude) <= 180 else {
        throw ValidationError(
          "\"\(first)\" and \"\(destination[1])\" are not a latitude from -90 to 90 and a longitude from -180 to 180 degrees")
      }
      return .earth(latitude: latitude, longitude: longitude, level: level)
    }
    guard let point = try pair(first) else {
      guard level == nil else { throw ValidationError("a place has a level of its own; leave --level out") }
      return .place(first)
    }
    guard point.level == nil || level == nil else { throw ValidationError("the point has the level after @; leave --level out") }
    switch point.kind {
    case .plan(let x, let y): return .plan(x: x, y: y, level: point.level ?? level)
    case .coordinate(let latitude, let longitude): return .earth(latitude: latitude, longitude: longitude, level: point.level ?? level)
    }
  }

  private func pair(_ text: String) throws(ValidationError) -> PointText? {
    do throws(PointText.Ambiguity) {
      return try PointText(text)
    } catch {
      throw ValidationError("\(error), or latitude and longitude as two arguments")
    }
  }
}
