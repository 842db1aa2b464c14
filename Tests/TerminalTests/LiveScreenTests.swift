import Beacons
import EventLoop
import Foundation
import Instants
import Ranging
import TestSupport
import Testing

@testable import Terminal

/// Interactive screens on a pseudo-terminal.
@Suite struct LiveScreenTests {
  /// A screen of beacons, and the terminal that shows it.
  private final class Scene {
    let loop: Loop
    let terminal: PseudoTerminal
    let screen: LiveScreen<RangeContent>
    private let other: Int32
    var hasQuit = false

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
      loop = try Loop()
      terminal = try PseudoTerminal()
      terminal.resize(columns: columns, rows: rows)
      other = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      let content = RangeContent(subject: galleryUUID, source: "beaconmond", style: plain)
      screen = try LiveScreen(loop, ListScreen(content, style: plain), output: TerminalOutput(other), input: other)
      screen.onQuit = { [unowned self] in hasQuit = true }
    }

    deinit {
      screen.finish()
      close(other)
    }

    func show(_ distances: [Double], at second: Double = 0) {
      let beacons = distances.enumerated().map { (report: beacon(UInt16($0 + 1), distance: $1), reception: BeaconReception()) }
      screen.update { $0.take(beacons, at: start + .seconds(second)) }
    }

    /// The output so far.
    private(set) var text = ""

    func read() {
      while let more = terminal.read(within: 0) { text += more }
    }

    func forget() { text = "" }

    func waitForText(_ part: String) throws {
      try loop.wait {
        read()
        return text.contains(part)
      }
    }

    /// Whether the terminal echoes and collects lines, as a shell needs it.
    var isAsBefore: Bool {
      var mode = termios()
      return tcgetattr(other, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }
  }

  @Test func `keys reach the list without an echo, and the terminal is restored at the end`() throws {
    let scene = try Scene()
    #expect(scene.isAsBefore)
    scene.show([1.5, 2.5])
    try scene.waitForText("2 beacons")
    #expect(!scene.isAsBefore && scene.text.contains("\u{1B}[?25l"))
    scene.terminal.write("\u{1B}[B\r")
    try scene.waitForText("1/1  \(galleryUUID)")
    scene.terminal.write("\u{1B}")
    scene.forget()
    try scene.waitForText("minor  proximity")
    scene.terminal.write("q")
    try scene.loop.wait { scene.hasQuit }
    scene.screen.finish()
    scene.read()
    #expect(scene.isAsBefore && scene.text.hasSuffix("\u{1B}[?25h"))
  }

  @Test func `a window that changes its size gets a whole frame of the new size`() throws {
    let scene = try Scene()
    scene.show([1.5])
    try scene.waitForText("last 20 s")
    scene.forget()
    scene.terminal.resize(columns: 40)
    // It is not a controlling terminal of this process, so the kernel sends no signal about it.
    scene.terminal.write("\u{0C}")
    try scene.waitForText("1 beacon")
    #expect(scene.text.contains("\u{1B}[H") && !scene.text.contains("dBm"))
  }

  @Test func `a screen is painted at most ten times a second, and only the lines that changed`() throws {
    let scene = try Scene()
    scene.show([1.5, 2.5])
    try scene.waitForText("2 beacons")
    scene.forget()
    let (began, before) = (scene.loop.now, scene.screen.frames)
    for step in 0..<200 {
      scene.show([1.5, 2.5 + Double(step) / 10], at: 0)
      // The pace of the updates, of which twenty come between two frames.
      try scene.loop.run(for: .milliseconds(5))
      guard step == 100 else { continue }
      // From here on the history of the first beacon stays the same, and so does its row.
      scene.read()
      scene.forget()
    }
    let seconds = (scene.loop.now - began).seconds
    #expect(Double(scene.screen.frames - before) <= seconds * 10 + 2)
    try scene.waitForText(" 22.4 ")
    #expect(scene.text.components(separatedBy: " 2 ").count > 3)
    #expect(scene.text.components(separatedBy: " 1.5 ").count <= 2, "at most a whole frame in between has the first row")
  }

  @Test func `a slow terminal gets fewer frames, and the latest one when it is ready`() throws {
    let scene = try Scene(columns: 132, rows: 50)
    var updates = 0
    while updates < 150 {
      updates += 1
      scene.show((0..<200).map { Double(updates * ($0 + 1) % 97) + 0.5 }, at: Double(updates))
      // The terminal reads nothing, and the loop still turns.
      try scene.loop.run(for: .milliseconds(20))
    }
    let (frames, octets) = (scene.screen.frames, scene.screen.octets)
    // In three seconds a terminal that is fast enough gets thirty frames.
    #expect(frames < 20 && octets < 150_000, "\(frames) frames with \(octets) octets")
    scene.show([77.5], at: 1000)
    try scene.waitForText(" 77.5 ")
  }

  @Test func `a terminal that is gone ends the screen`() throws {
    let loop = try Loop()
    var terminal: PseudoTerminal? = try PseudoTerminal()
    let other = open(terminal?.path ?? "", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(other) }
    let content = RangeContent(subject: galleryUUID, source: "beaconmond", style: plain)
    let screen = try LiveScreen(loop, ListScreen(content, style: plain), output: TerminalOutput(other), input: other)
    var (hasQuit, failures) = (false, 0)
    screen.onQuit = { hasQuit = true }
    screen.onFailure = { _ in failures += 1 }
    screen.update { $0.take([], at: start) }
    try loop.wait { screen.frames > 0 }
    terminal = nil
    screen.update { $0.take([], at: start + .seconds(1)) }
    try loop.wait { hasQuit || failures > 0 }
    screen.finish()
    #expect(failures <= 1)
  }
}
