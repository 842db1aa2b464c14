import Foundation
import Terminal
import TestSupport
import Testing

@Suite struct TerminalOutputTests {
  /// The reading and the writing end.
  private func pipes() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func `a pipe is not a terminal and has the default size`() throws {
    let (reader, writer) = try pipes()
    defer { for end in [reader, writer] { close(end) } }
    let output = TerminalOutput(writer)
    #expect(!output.isTerminal)
    #expect(!output.style.hasColours)
    #expect(output.size == TerminalSize(columns: 80, rows: 24))
  }

  @Test func `a terminal has its own size`() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    var window = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(terminal, UInt(TIOCSWINSZ), &window) == 0)
    let output = TerminalOutput(terminal)
    #expect(output.isTerminal)
    #expect(output.size == TerminalSize(columns: 100, rows: 30))
  }

  @Test func `a closed reader is distinguished from other failures`() throws {
    TerminalOutput.ignoreBrokenPipes()
    let (reader, writer) = try pipes()
    close(reader)
    defer { close(writer) }
    #expect(throws: OutputError.closed) { try TerminalOutput(writer).write("a") }
  }

  @Test func `a failure contains its reason`() {
    let error = #expect(throws: OutputError.self) { try TerminalOutput(-1).write("a") }
    #expect(error?.description == "the output cannot be written: Bad file descriptor")
  }

  @Test func `a text larger than the pipe arrives completely, even in a non-blocking pipe`() throws {
    let (reader, writer) = try pipes()
    defer { close(writer) }
    try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    let input = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
    let counter = try Child("/bin/sh", ["-c", "test $(head -c 320000 | wc -c) = 320000"], input: .file(input))
    try TerminalOutput(writer).write(text)
    #expect(counter.wait() == 0)
  }
}
