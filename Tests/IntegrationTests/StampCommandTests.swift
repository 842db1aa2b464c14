import Foundation
import TestSupport
import Testing

/// `beaconmon stamp`, whose results exiftool reads.
@Suite struct StampCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A gray JPEG of 8 × 8 pixels without any tag.
  private static let jpeg: [UInt8] = {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] { [0xFF, marker, 0, UInt8(content.count + 2)] + content }
    func table(_ name: UInt8) -> [UInt8] { segment(0xC4, [name, 1] + [UInt8](repeating: 0, count: 16)) }
    return [0xFF, 0xD8] + segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
      + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]) + table(0) + table(0x10)
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x3F, 0xFF, 0xD9]
  }()

  private static let cameraTags = [
    "-Make=Lodestone", "-Model=Camera 1", "-UserComment=héllo", "-XMP:Title=Bild", "-IPTC:City=Berlin", "-GPSSpeed=3", "-GPSAltitude=1",
  ]

  /// Writes a photo of the walk's sixth second, 12:00:05.25 UTC.
  @discardableResult
  private func photo(_ name: String, _ tags: [String]? = nil, in directory: String? = nil) throws -> String {
    let path = "\(directory ?? folder.path)/\(name)"
    try Data(Self.jpeg).write(to: URL(fileURLWithPath: path))
    let time = ["-DateTimeOriginal=2025:06:01 14:00:05", "-SubSecTimeOriginal=25", "-OffsetTimeOriginal=+02:00"]
    _ = try Self.exiftool(["-q", "-overwrite_original"] + Self.cameraTags + (tags ?? time) + [path])
    return path
  }

  private static func exiftool(_ arguments: [String]) throws -> String { try RunningProgram.result("/usr/bin/exiftool", arguments) }

  /// Returns the tags of a photo as exiftool reads them, with their groups; numbers are raw.
  private func tags(_ path: String) throws -> [String: String] {
    let lines = try Self.exiftool(["-a", "-G1", "-s", "-n", path]).split(separator: "\n")
    var tags: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstRange(of: " : ") else { continue }
      let name = line[..<colon.lowerBound].split(separator: " ").joined(separator: " ")
      tags[name] = String(line[colon.upperBound...])
    }
    return tags
  }

  private func stamp(_ arguments: [String]) throws -> CommandLine { try CommandLine(["stamp"] + arguments) }

  private static var walk: String { Programs.fixture("walk.nmea") }

  @Test func `exiftool reads position, time and altitude, and every other tag as before`() throws {
    let photo = try photo("a.jpg")
    let before = try tags(photo)
    let run = try stamp(["--track", Self.walk, photo])
    #expect(run.status == 0, "\(run.errors)")
    let copy = folder.file("a-stamped.jpg")
    #expect(run.output.count == 1 && run.output.first?.hasPrefix("\(photo) -> \(copy): 50.25") == true)
    let after = try tags(copy)
    let latitude = try #require(after["[Composite] GPSLatitude"].flatMap { Double($0) })
    let longitude = try #require(after["[Composite] GPSLongitude"].flatMap { Double($0) })
    // A quarter of the way from 50° 15.1309' N, 8° 30.5778' E to 15.1324', 30.5798'.
    #expect(abs(latitude - 50.252187917) < 1e-6 && abs(longitude - 8.509638333) < 1e-6)
    #expect(after["[GPS] GPSDateStamp"] == "2025:06:01" && after["[GPS] GPSTimeStamp"] == "12:00:05.25")
    #expect(after["[GPS] GPSMapDatum"] == "WGS-84" && after["[GPS] GPSSpeed"] == "3")
    for (name, value) in before where !name.hasPrefix("[System]") && !name.hasPrefix("[ExifTool]") && !name.hasPrefix("[Composite]") {
      guard !["[GPS] GPSAltitude", "[GPS] GPSVersionID", "[XMP-x] XMPToolkit"].contains(name) else { continue }
      #expect(after[name] == value, "\(name)")
    }
    // To read the tags is an access, whose time is a tag.
    #expect(try tags(photo).filter { !$0.key.hasPrefix("[System]") } == before.filter { !$0.key.hasPrefix("[System]") })
    // The picture itself is the same.
    #expect(try Self.exiftool(["-s3", "-ImageDataHash", copy]) == Self.exiftool(["-s3", "-ImageDataHash", photo]))
  }

  /// Writes lines as `track --json` and `heading --json` print them.
  private func track(_ lines: [String]) throws -> String {
    let path = folder.file("track.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `floor and direction come from a track with headings, true before magnetic`() throws {
    func line(_ second: Int, _ heading: String) -> [String] {
      let time = "\"time\":\"2025-06-01T12:00:0\(second).000000Z\""
      return [
        "{\"latitude\":-33.8567844,\"longitude\":-151.2152967,\"altitude\":-2.5,\"horizontalAccuracy\":4.00,\"floor\":1,\(time),"
          + "\"levelName\":\"Obergeschoß\",\"venueName\":\"Museum\"}",
        "{\(time.replacing("time", with: "timestamp")),\"kind\":\"heading\",\(heading)}",
      ]
    }
    let photo = try photo("a.jpg")
    let both = try track(
      line(5, "\"magneticHeading\":348.0,\"trueHeading\":358.0") + line(6, "\"magneticHeading\":352.0,\"trueHeading\":2.0"))
    #expect(try stamp(["--track", both, photo]).status == 0)
    let values = try tags(folder.file("a-stamped.jpg"))
    #expect(values["[GPS] GPSImgDirectionRef"] == "T" && values["[GPS] GPSImgDirection"] == "359")
    #expect(values["[GPS] GPSAreaInformation"] == "Obergeschoß, Museum")
    #expect(values["[GPS] GPSLatitudeRef"] == "S" && values["[GPS] GPSLongitudeRef"] == "W")
    #expect(values["[GPS] GPSAltitudeRef"] == "1" && values["[GPS] GPSAltitude"] == "2.5" && values["[GPS] GPSHPositioningError"] == "4")
    let magnetic = try track(line(5, "\"magneticHeading\":90.0"))
    #expect(try stamp(["--track", magnetic, "--force", photo]).status == 0)
    let other = try tags(folder.file("a-stamped.jpg"))
    #expect(other["[GPS] GPSImgDirectionRef"] == "M" && other["[GPS] GPSImgDirection"] == "90")
  }

  @Test func `in place, the photo keeps its mode and a link to it stays a link`() throws {
    let photo = try photo("a.jpg")
    let link = folder.file("link.jpg")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: photo)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: photo)
    #expect(try stamp(["--track", Self.walk, "--in-place", link]).status == 0)
    #expect(try tags(photo)["[GPS] GPSLatitudeRef"] == "N")
    #expect(try FileManager.default.attributesOfItem(atPath: photo)[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == photo)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jpg", "link.jpg"])
    // A stamped photo can be stamped again.
    #expect(try stamp(["--track", Self.walk, "--in-place", photo]).status == 0)
  }

  @Test func `the zone of a camera without one is an option`() throws {
    let photo = try photo("a.jpg", ["-DateTimeOriginal=2025:06:01 14:00:05"])
    let bare = try stamp(["--track", Self.walk, photo])
    #expect(bare.status == 65 && bare.errors.count == 1 && bare.errors.first?.contains("--timezone") == true)
    for zone in ["Europe/Berlin", "+02:00"] {
      #expect(try stamp(["--track", Self.walk, "--force", "--timezone", zone, photo]).status == 0)
      #expect(try tags(folder.file("a-stamped.jpg"))["[GPS] GPSTimeStamp"] == "12:00:05")
    }
    let far = try stamp(["--track", Self.walk, "--force", "--timezone", "UTC", photo])
    #expect(far.status == 65 && far.errors.first?.contains("the nearest fix is 2 h away") == true)
    // The second one is a table in the folder of the zones.
    for zone in ["Europe/Nowhere", "zone.tab"] {
      let wrong = try stamp(["--track", Self.walk, "--timezone", zone, photo])
      #expect(wrong.status == 64 && wrong.errors.first?.contains(zone) == true)
    }
  }

  @Test func `a photo that cannot be stamped is named, and the others are stamped`() throws {
    let good = try photo("good.jpg")
    let timeless = try photo("timeless.jpg", [])
    let unset = try photo("unset.jpg", ["-DateTimeOriginal=0000:00:00 00:00:00"])
    let old = try photo("old.jpg", ["-DateTimeOriginal=2024:06:01 12:00:05", "-OffsetTimeOriginal=Z"])
    let text = folder.file("text.jpg")
    try "hello".write(toFile: text, atomically: true, encoding: .utf8)
    let empty = folder.file("empty.jpg")
    try Data().write(to: URL(fileURLWithPath: empty))
    let damaged = try photo("damaged.jpg")
    var octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: damaged)))
    let header = try #require(octets.firstRange(of: Array("Exif\0\0".utf8))).upperBound
    octets[(header + 8)..<(header + 10)] = [0xFF, 0xFF]
    try Data(octets).write(to: URL(fileURLWithPath: damaged))
    let short = folder.file("short.jpg")
    try Data(try Data(contentsOf: URL(fileURLWithPath: good)).prefix(200)).write(to: URL(fileURLWithPath: short))
    let missing = folder.file("missing.jpg")
    let last = try photo("last.jpg")
    let refused = [timeless, unset, old, text, empty, damaged, short, missing, folder.path]
    let before = try [timeless, unset, old, text, empty, damaged, short].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let run = try stamp(["--track", Self.walk, "--in-place", good] + refused + [last])
    #expect(run.status == 65)
    #expect(run.output.map { $0.prefix { $0 != ":" } } == [good[...], last[...]])
    let reasons = [
      "has no time", "has no time", "nearest fix", "not a photo", "not a photo", "damaged", "damaged", "No such file", "not a file",
    ]
    #expect(run.errors.count == refused.count + 1, "\(run.errors)")
    for ((path, reason), line) in zip(zip(refused, reasons), run.errors) {
      #expect(line.hasPrefix("beaconmon: \(path): ") && line.contains(reason), "\(line)")
    }
    #expect(run.errors.last == "beaconmon: 9 of 11 photos were not stamped")
    #expect(try [timeless, unset, old, text, empty, damaged, short].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    #expect(try stamp(["--track", Self.walk, missing]).status == 66)
  }

  @Test func `an existing copy is replaced only with --force`() throws {
    let photo = try photo("a.jpg")
    let copy = folder.file("a-stamped.jpg")
    try "mine".write(toFile: copy, atomically: true, encoding: .utf8)
    let run = try stamp(["--track", Self.walk, photo])
    #expect(run.status == 74 && run.errors == ["beaconmon: \(photo): \(copy) already exists; --force replaces it"])
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
    #expect(try stamp(["--track", Self.walk, "--force", photo]).status == 0)
    #expect(try tags(copy)["[GPS] GPSLatitudeRef"] == "N")
    let output = folder.file("out")
    #expect(try stamp(["--track", Self.walk, "--output", output, photo]).status == 74)
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
    #expect(try stamp(["--track", Self.walk, "--output", output, photo]).status == 0)
    #expect(try tags("\(output)/a.jpg")["[GPS] GPSLatitudeRef"] == "N")
  }

  @Test func `a copy replaces no photo and no other copy of the same run, not even with --force`() throws {
    let photo = try photo("a.jpg")
    let before = try Data(contentsOf: URL(fileURLWithPath: photo))
    let itself = try stamp(["--track", Self.walk, "--force", "--output", folder.path, photo])
    #expect(itself.status == 74 && itself.errors.first?.contains("would replace the photo") == true, "\(itself.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo)) == before)
    let (other, output) = (folder.file("other"), folder.file("out"))
    for path in [other, output] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    let second = try self.photo("a.jpg", in: other)
    let run = try stamp(["--track", Self.walk, "--force", "--output", output, photo, second])
    #expect(run.status == 74 && run.output.count == 1, "\(run.errors)")
    #expect(run.errors.first?.hasPrefix("beaconmon: \(second): \(output)/a.jpg is the copy of another") == true, "\(run.errors)")
    // The next run may replace it.
    #expect(try stamp(["--track", Self.walk, "--force", "--output", output, second]).status == 0)
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func `a full disk and a read-only folder leave the photo as it was`() throws {
    let disk = try SmallDisk()
    let photo = try photo("a.jpg", in: disk.path)
    let before = try Data(contentsOf: URL(fileURLWithPath: photo))
    // All octets of the disk are taken.
    let filler = FileManager.default.createFile(atPath: "\(disk.path)/filler", contents: nil)
    #expect(filler)
    let handle = try #require(FileHandle(forWritingAtPath: "\(disk.path)/filler"))
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    let full = try stamp(["--track", Self.walk, "--in-place", photo])
    #expect(full.status == 74 && full.errors.first?.contains("No space left on device") == true, "\(full.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo)) == before)
    try handle.truncate(atOffset: 0)
    try handle.close()
    try disk.setReadOnly(true)
    let readOnly = try stamp(["--track", Self.walk, "--in-place", photo])
    #expect(readOnly.status == 74 && readOnly.errors.first?.contains("Read-only file system") == true)
    try disk.setReadOnly(false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["a.jpg", "filler"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo)) == before)
  }

  @Test func `the events in the journal are a track, too`() throws {
    let scene = try CircleScene(CircleScene.circle("square", 52.52, 13.405, radius: 200))
    let photo = try photo("a.jpg")
    let none = try stamp(["--bus", scene.stage.bus.address, photo])
    #expect(none.status == 65 && none.errors.first?.contains("no event in the journal has a location") == true, "\(none.errors)")
    try scene.stand(52.53, 13.405)
    try scene.stand(52.5201, 13.405)
    try scene.pass(22)
    let events = try CommandLine(["events", "--json", "--bus", scene.stage.bus.address]).output.map { try JSON(parsing: $0) }
    let time = try #require(events.last?["reason"]?["fixTime"]?.text)
    let date = time.prefix(10).replacing("-", with: ":")
    let taken = try self.photo(
      "b.jpg",
      [
        "-DateTimeOriginal=\(date) \(time.dropFirst(11).prefix(8))", "-OffsetTimeOriginal=Z",
        "-SubSecTimeOriginal=\(time.dropFirst(20).prefix(6))",
      ])
    let run = try stamp(["--bus", scene.stage.bus.address, taken])
    #expect(run.status == 0, "\(run.errors)")
    let latitude = try #require(try tags(folder.file("b-stamped.jpg"))["[Composite] GPSLatitude"].flatMap { Double($0) })
    #expect(abs(latitude - 52.5201) < 1e-4)
  }

  @Test func `a TIFF is a photo as well`() throws {
    let photo = try photo("a.jpg")
    // exiftool makes a TIFF-like file of tags alone, which DNG and many raw files are.
    let tiff = folder.file("a.tif")
    try Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0, 1, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]).write(to: URL(fileURLWithPath: tiff))
    _ = try Self.exiftool(["-q", "-overwrite_original", "-tagsFromFile", photo, "-EXIF:all", tiff])
    #expect(try stamp(["--track", Self.walk, tiff]).status == 0)
    #expect(try tags(folder.file("a-stamped.tif"))["[GPS] GPSLatitudeRef"] == "N")
  }
}
