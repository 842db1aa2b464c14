import ArgumentParser
import Captures
import Failures
import Geotagging
import Instants
import Photos
import ProgramSupport
import Terminal

struct Stamp: GuidedCommand {
  static let nextStep = "name the photos, such as *.jpg; \"beaconmon track --json > track.jsonl\" records a track while they are taken"

  static let configuration = CommandConfiguration(
    abstract: "Write the place of each photo into its EXIF tags.",
    discussion: """
      Finds where this device was when a photo was taken, and writes the place into a copy: img-stamped.jpg for img.jpg. The tags are:
        - position and altitude
        - floor (GPSAreaInformation)
        - direction (GPSImgDirection, true or magnetic)
        - time (GPSDateStamp, GPSTimeStamp)

      Of these tags, the command removes those that the new place lacks. It keeps all other tags. A photo that cannot be stamped is \
      reported and left as it is, and the others are stamped.

      Positions are those of the events in the daemon's journal, or of recorded tracks: lines of "beaconmon track --json" and "beaconmon \
      heading --json", NMEA 0183, or the JSON of gpsd. Only a track has floors and directions. A photo between two fixes gets a place \
      between them. A course does not count as the direction of a photo.

      The time is DateTimeOriginal with OffsetTimeOriginal, or in the zone of --timezone.

      Exit codes: 69 if libgexiv2 is not installed. For the first photo that is not stamped: 65 if it has no time, is damaged or too far \
      from the fixes, 66 if it cannot be read, 74 if the result cannot be written.

      Examples:
        beaconmon stamp --track track.jsonl *.jpg
        beaconmon stamp --track walk.nmea --timezone Europe/Berlin --output stamped *.jpg
        beaconmon stamp --in-place img_2041.jpg
      """)

  @Argument(help: ArgumentHelp("The photos: JPEG, PNG, WebP or TIFF.", valueName: "photo"))
  var photos: [String]

  @Option(help: ArgumentHelp("Use the fixes and headings of this recording instead of the journal; can be repeated.", valueName: "file"))
  var track: [String] = []

  @Option(
    help: ArgumentHelp(
      "The zone of photos without OffsetTimeOriginal: an offset such as +02:00, a name such as Europe/Berlin, or local.", valueName: "zone"),
    transform: CameraZone.parse)
  var timezone: CameraZone?

  @Option(
    help: ArgumentHelp("The longest time between a photo and a fix. Defaults to 5m.", valueName: "duration"), transform: Span.parse)
  var maxGap = Span.seconds(300)

  @Option(name: .shortAndLong, help: ArgumentHelp("Write the copies to this folder, with the names of the photos.", valueName: "folder"))
  var output: String?

  @Flag(help: "Replace the photos with the results.")
  var inPlace = false

  @Flag(help: "Replace existing copies.")
  var force = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    if inPlace, output != nil { throw ValidationError("--in-place and --output cannot be combined") }
    if !track.isEmpty, bus.isChosen { throw ValidationError("--track and --bus, --session or --system cannot be combined") }
  }

  func run() throws {
    let library: ExifLibrary
    do throws(PhotoError) { library = try ExifLibrary() } catch { throw Failure(error) }
    var track = track.isEmpty ? try JournalTrack.read(bus) : try readTracks()
    track.sort()
    let screen = ScreenOutput()
    let text = StampText(style: screen.style, units: .ofEnvironment)
    var failures: [Failure] = []
    var copies = PhotoCopies(in: output, of: Set(photos.compactMap { FileIdentity(path: $0) }))
    for path in photos {
      do throws(Failure) {
        let target = inPlace ? path : copies.path(ofPhoto: path)
        if !inPlace {
          do throws(PhotoCopies<FileIdentity>.Collision) {
            try copies.check(FileIdentity(path: target))
          } catch {
            throw Self.failure(error, target)
          }
        }
        let place = try stamp(path, to: target, track, text, library)
        if !inPlace { copies.note(FileIdentity(path: target)) }
        screen.write("\(inPlace ? path : "\(path) -> \(target)"): \(text.text(place))\n")
      } catch {
        let failure = Failure(error.status, "\(path): \(error)")
        failures.append(failure)
        if photos.count > 1 { ScreenOutput.note(failure.description) }
      }
    }
    if let failure = screen.failure { throw failure }
    guard let first = failures.first else { return }
    throw photos.count == 1 ? first : Failure(first.status, "\(failures.count) of \(photos.count) photos were not stamped")
  }

  private func stamp(
    _ path: String, to target: String, _ track: GeotagTrack, _ text: StampText, _ library: ExifLibrary
  ) throws(Failure) -> GeotagPlace {
    let photo: Photo
    do throws(PhotoError) { photo = try Photo(path: path, library) } catch { throw Failure(error) }
    let time = try time(of: photo, text)
    let place: GeotagPlace
    do throws(GeotagRefusal) {
      place = try track.place(at: time, gap: maxGap)
    } catch {
      throw Failure(.dataError, text.reason(error, time: time, period: track.period, gap: maxGap))
    }
    do throws(PhotoError) {
      try photo.set(place.tags)
      try photo.write(to: target, replaces: force || inPlace)
    } catch {
      throw Failure(error)
    }
    return place
  }

  private func time(of photo: Photo, _ words: StampText) throws(Failure) -> Instant {
    guard let text = photo.text(of: "Exif.Photo.DateTimeOriginal") else {
      throw Failure(.dataError, "has no time; set its tag DateTimeOriginal, for example with exiftool")
    }
    guard
      let time = PhotoTime(
        dateTime: text, subsecond: photo.text(of: "Exif.Photo.SubSecTimeOriginal"), offset: photo.text(of: "Exif.Photo.OffsetTimeOriginal"))
    else {
      throw Failure(.dataError, words.invalidTime(text))
    }
    guard let instant = time.instant(inZone: timezone.map { $0.instant }) else {
      throw Failure(.dataError, "its time has no zone; add --timezone with that of the camera's clock, such as Europe/Berlin or +01:00")
    }
    return instant
  }

  private static func failure(_ collision: PhotoCopies<FileIdentity>.Collision, _ target: String) -> Failure {
    switch collision {
    case .photo:
      Failure(.ioError, "the copy would replace the photo \(target); choose another folder for --output, or use --in-place")
    case .copy:
      Failure(.ioError, "\(target) is the copy of another of these photos; stamp photos of one name into different folders")
    }
  }

  private func readTracks() throws(Failure) -> GeotagTrack {
    var result = GeotagTrack()
    for path in track {
      try result.read(file: path)
    }
    guard result.fixCount > 0 else {
      throw Failure(.dataError, "\(track.joined(separator: ", ")): no fix has a time; record a track with \"beaconmon track --json\"")
    }
    return result
  }
}
