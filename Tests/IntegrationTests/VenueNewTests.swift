import Foundation
import TestSupport
import Testing

/// `beaconmon venue new` and `venue check --map`.
@Suite struct VenueNewTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
  }

  private static let anchors = ["--anchor", "120,80=48.13740,11.57520", "--anchor", "2280,1500=48.13690,11.57610"]

  private func picture(_ name: String = "ground.svg", width: Int = 2400) throws -> String {
    try stage.file(name, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"1600\"/>")
  }

  private func new(_ arguments: String...) throws -> CommandLine { try CommandLine(["venue", "new"] + arguments) }

  @Test func `a picture and two anchors make a venue file that is valid without warnings`() throws {
    let picture = try picture()
    let file = stage.folder.file("ground.toml")
    let run = try CommandLine(["venue", "new", picture, "--name", "Gallery \"of\" art", "--uuid", CaptureOctets.uuid] + Self.anchors)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(
      run.errors.count == 1 && run.errors[0].hasPrefix("\(file): 80.8 x 53.9 m, lower left corner at 48.13694"), "\(run.errors)")
    let check = try CommandLine(["venue", "check", file, "--strict"])
    #expect(check.status == 0 && check.output == ["\(file): valid, 1 level, 0 beacons, 0 places"])
    // The commented examples are valid as well.
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let part = try #require(text.range(of: "# [[beacon]]"))
    let examples = text[part.lowerBound...].split(separator: "\n").map { line -> Substring in
      let isCode = line.hasPrefix("# ") && (line.contains(" = ") || line.hasPrefix("# [["))
      return isCode ? line.dropFirst(2) : line
    }
    let whole = try stage.file("whole.toml", String(text[..<part.lowerBound]) + examples.joined(separator: "\n"))
    #expect(try CommandLine(["venue", "check", whole, "--strict"]).output == ["\(whole): valid, 1 level, 1 beacon, 1 place"])
    // The anchors have the coordinates of the options.
    let kml = try CommandLine(["venue", "export", file, "--plan", "ground", "--qgis-points"])
    #expect(kml.output.contains { $0.hasPrefix("11.5752,48.1374,120") })
  }

  @Test func `an existing file is kept without --force`() throws {
    let picture = try picture()
    let file = try stage.file("ground.toml", "mine")
    let refused = try CommandLine(["venue", "new", picture] + Self.anchors)
    #expect(refused.status == 74 && refused.errors.count == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try CommandLine(["venue", "new", picture, "--force"] + Self.anchors).status == 0)
  }

  @Test func `warnings of a check come in the order of their lines, and a missing picture needs no absolute path`() throws {
    let file = try stage.file(
      "venue.toml",
      """
      format = 1
      name = { en = "Hall" }
      [[level]]
      id = "ground"
      plan = { image = "ground.png", size = [10, 10] }
      colour = "red"

      """)
    let run = try RunningProgram(
      "/bin/sh", ["-c", "cd \"$1\" && exec \"$0\" venue check venue.toml", Programs.commandLine, stage.folder.path])
    let lines = try run.output.all()
    #expect(lines.count == 3 && file.hasSuffix("venue.toml"), "\(lines)")
    #expect(lines.contains("venue.toml:5: warning: level \"ground\": plan: image: there is no file ground.png; check the path"), "\(lines)")
    #expect(lines.last?.hasPrefix("venue.toml:6: warning: level \"ground\": unknown key \"colour\"") == true, "\(lines)")
  }

  @Test func `wrong anchors are one line with the remedy`() throws {
    let picture = try picture()
    func error(_ arguments: String...) throws -> String {
      let run = try CommandLine(["venue", "new", picture, "-o", "-"] + arguments)
      #expect(run.status == 64 && run.errors.count == 1 && run.output.isEmpty, "\(run.errors)")
      return run.errors.first ?? ""
    }
    let first = "--anchor=120,80=48.13740,11.57520"
    #expect(try error(first).contains("a plan needs at least two"))
    #expect(try error(first, first).contains("anchors 1 and 2 are in one spot of the plan; choose places that are far apart"))
    #expect(try error(first, "--anchor=500,500=48.13740,11.57520").contains("in one spot on the earth"))
    #expect(try error(first, "--anchor=2500,500=48.13,11.57").contains("anchor 2: the pixel is outside the picture of 2400 x 1600 pixels"))
    #expect(try error(first, "--anchor=500,500=11.57610,48.13690").contains("are latitude and longitude swapped?"))
    #expect(try error(first, "--anchor=200,200=48.2,11.6").contains("m wide; check the pixels"))
    #expect(try error(first, "--anchor=500;500").contains("write a pixel and its place on the earth"))
    #expect(try error(first, "--anchor=500,500=98,11").contains("the latitude is -90 to 90"))
    let mirrored = ["--anchor=0,0=48.0,11.0", "--anchor=2400,0=48.0,10.999", "--anchor=0,1600=47.999553,11.0"]
    #expect(try error(mirrored[0], mirrored[1], mirrored[2]).contains("mirror"))
  }

  @Test func `anchors that are close together are a warning with the expected error`() throws {
    let run = try new(try picture(), "--anchor", "1000,800=48.13740,11.57520", "--anchor", "1200,900=48.13737,11.57531")
    #expect(run.status == 0 && run.errors.count == 2)
    #expect(run.errors.last?.contains("warning: level \"ground\": anchors: are too close together") == true, "\(run.errors)")
  }

  @Test func `a picture without a size, a missing one and one of another folder are refused`() throws {
    let text = try stage.file("plan.png", "no picture")
    let damaged = try CommandLine(["venue", "new", text] + Self.anchors)
    #expect(damaged.status == 65 && damaged.errors[0].contains("is not a PNG, JPEG or SVG picture that states its size"))
    #expect(try CommandLine(["venue", "new", stage.folder.file("nothing.png")] + Self.anchors).status == 66)
    let elsewhere = try CommandLine(["venue", "new", try picture(), "-o", "/tmp/ground.toml"] + Self.anchors)
    #expect(elsewhere.status == 64 && elsewhere.errors[0].contains("is not in the folder of the picture"))
  }

  @Test func `a map of expected errors is an SVG picture with a legend`() throws {
    let floors = Programs.repository("Docs/examples/scenarios/three-floors.venue.toml")
    let map = stage.folder.file("map.svg")
    let all = try CommandLine(["venue", "check", floors, "--map", map])
    #expect(all.status == 64 && all.errors[0].contains("--map draws one level; choose one with --level: ground, first, second"))
    let run = try CommandLine(["venue", "check", floors, "--map", map, "--level", "first"])
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: map, encoding: .utf8)
    let reader = "import sys, xml.dom.minidom as m; print(m.parse(sys.argv[1]).documentElement.tagName)"
    #expect(try RunningProgram.result(Programs.python, ["-c", reader, map]).hasPrefix("svg"))
    #expect(text.contains("class=\"e3\"") && text.contains("two thirds of the positions are closer to the truth than"))
    #expect(text.contains("Promised: 5 m"))
    #expect(try CommandLine(["venue", "check", floors, "--map", map, "--level", "first"]).status == 74)
  }

  @Test func `an archive whose venue file would be too large is refused by the import`() throws {
    // Imported positions have more digits, and each wall names its level.
    let walls = (0..<20_000).map { "[[wall]]\nfrom=[\($0 % 100),\($0 / 100)]\nto=[\($0 % 100),\($0 / 100 + 1)]\nattenuation=5\n" }.joined()
    let text =
      "format = 1\n[frame]\nlatitude = 48\nlongitude = 11\n[[level]]\nid = \"g\"\n"
      + "walkable = [[[0, 0], [100, 0], [100, 100], [0, 100]]]\n"
    let file = try stage.file("large.toml", text + walls)
    #expect(try CommandLine(["venue", "export", file]).status == 0)
    let run = try CommandLine(["venue", "import", stage.folder.file("large.zip"), "-o", stage.folder.file("copy.toml")])
    #expect(run.status == 65 && run.errors.count == 1, "\(run.errors.prefix(3))")
    #expect(run.errors.first?.contains("MiB, and at most 1 MiB can be read") == true)
    #expect(!FileManager.default.fileExists(atPath: stage.folder.file("copy.toml")))
  }
}
