import ArgumentParser
import Beacons
import Captures
import Failures
import Geodesy
import MonitorConfiguration
import ProgramSupport
import Terminal
import Venues

struct VenueNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a venue file from a picture of a plan.",
    discussion: """
      Writes a commented venue file for a PNG, JPEG or SVG picture. Each --anchor is a pixel, counted from the top left corner, and its \
      place on the earth. Two anchors are required; choose them in opposite corners of the building, such as corners of walls in an aerial \
      picture. Three or more show their errors. The file has the whole picture as its floor; draw the floor more closely, and add the \
      beacons.

      Exit codes: 64 for wrong anchors, 65 if the picture cannot be read as one, 66 if the file cannot be read, 74 if the venue file exists.

      Example:
        beaconmon venue new ground.png --anchor 120,80=48.13740,11.57520 --anchor 2280,1500=48.13690,11.57610 --name Gallery
      """)

  @Argument(help: "A PNG, JPEG or SVG picture of the plan, in the folder of the venue file.")
  var picture: String

  @Option(
    help: ArgumentHelp(
      "A pixel and its latitude and longitude, such as 120,80=48.13740,11.57520. At least twice.", valueName: "x,y=lat,lon"),
    transform: Self.anchor)
  var anchor: [PlanAnchor]

  @Option(help: ArgumentHelp("The name for people.", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("The id of the level.", valueName: "id"))
  var level = VenueLevel.defaultID

  @Option(help: ArgumentHelp("The UUID of the beacons.", valueName: "uuid"), transform: Self.uuid)
  var uuid: BeaconUUID?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the venue file to this path; \"-\" is standard output. Defaults to the picture with the extension toml.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  func validate() throws {
    if anchor.count < 2 { throw ValidationError("--anchor: a plan needs at least two, such as --anchor 120,80=48.13740,11.57520") }
  }

  func run() throws {
    let (folder, image, stem) = Self.parts(of: picture)
    let path = output ?? "\(folder)\(stem).toml"
    if path != "-", Self.parts(of: path).folder != folder {
      throw Failure(.usage, "--output: \(path) is not in the folder of the picture; copy the picture there first")
    }
    if !force { try OutputFile.check(path: path) }
    guard let size = PictureSize(try Self.octets(of: picture)) else {
      throw Failure(.dataError, "\(picture): is not a PNG, JPEG or SVG picture that states its size; convert it to PNG")
    }
    let venue = try venue(called: VenueCommand.id(of: path == "-" ? picture : path), image, size)
    let text = venue.toml
    // The file is read back, so that the daemon will read it too.
    let document: VenueDocument
    do throws(ConfigurationError) {
      document = try VenueDocument.parse(text: text, name: path == "-" ? "\(stem).toml" : path)
    } catch {
      throw Failure(.usage, "the options give a venue file with errors; correct --name and --level:\n\(error)")
    }
    try OutputFile(path: path, replaces: force).write(text)
    func degrees(_ value: Double) -> String { "\((value * 1e6).rounded() / 1e6)" }
    let origin = venue.frame.origin
    func metres(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    try TerminalOutput.standardError.write(
      "\(path == "-" ? "standard output" : path): \(metres(venue.width)) x \(metres(venue.height)) m, lower left corner at "
        + "\(degrees(origin.latitude)), \(degrees(origin.longitude)), upwards is \(venue.frame.bearing) degrees from north; if not, correct the anchors\n"
        + document.warnings.map { $0.warningLine + "\n" }.joined())
  }

  private func venue(called id: String, _ image: String, _ size: PictureSize) throws(Failure) -> NewVenue {
    let transform: PlanTransform
    do throws(PlanTransformError) { transform = try PlanTransform(anchors: anchor, yAxis: .down) } catch {
      throw Failure(.usage, "--anchor: \(error)")
    }
    do throws(NewVenue.Problem) {
      return try NewVenue(id: id, name: name, image: image, size: size, transform: transform, level: level, uuid: uuid)
    } catch {
      throw Failure(.usage, "--anchor: \(error)")
    }
  }

  /// Returns the folder with a slash at its end, the name, and the name without its extension.
  private static func parts(of path: String) -> (folder: String, name: String, stem: String) {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[end...]
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    return (String(path[..<end]), String(name), stem.isEmpty ? "venue" : String(stem))
  }

  private static func octets(of path: String) throws(Failure) -> [UInt8] {
    do throws(CaptureFileError) {
      var file = try CaptureFile(path: path)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
      defer { buffer.deallocate() }
      var octets: [UInt8] = []
      while octets.count < PictureSize.mostOctets {
        let count = try file.read(into: buffer)
        if count == 0 { break }
        octets += buffer.prefix(count)
      }
      return octets
    } catch {
      throw Failure(error)
    }
  }

  private static func uuid(_ text: String) throws -> BeaconUUID {
    do throws(BeaconUUIDError) { return try BeaconUUID(text) } catch { throw ValidationError("\(error)") }
  }

  private static func anchor(_ text: String) throws -> PlanAnchor {
    let halves = text.split(separator: "=", omittingEmptySubsequences: false)
    let numbers = halves.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { Double($0) }
    guard halves.count == 2, numbers.count == 4, halves[0].contains(","), case let values = numbers.compactMap(\.self), values.count == 4,
      values.allSatisfy(\.isFinite)
    else { throw ValidationError("write a pixel and its place on the earth, such as 120,80=48.13740,11.57520") }
    guard let coordinate = Coordinate(latitude: values[2], longitude: values[3]) else {
      throw ValidationError("the latitude is -90 to 90 and the longitude -180 to 180, in this order")
    }
    return PlanAnchor(point: PlanPoint(x: values[0], y: values[1]), coordinate: coordinate)
  }
}
