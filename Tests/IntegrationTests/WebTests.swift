import Foundation
import TestSupport
import Testing

/// beaconmon-web with a daemon, as browsers and hostile clients see it.
@Suite(.ownThread) struct WebTests {
  private let stage: Stage
  private let port = UInt16.random(in: 20_000..<30_000)

  init() throws { stage = try Stage() }

  private func start(_ settings: String = "", _ more: String...) throws -> RunningProgram {
    let config = try stage.file("web.toml", "[web]\nlisten = \"127.0.0.1:\(port)\"\n\(settings)")
    let pages = stage.folder.file("pages")
    try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
    try Data("<!doctype html>".utf8).write(to: URL(fileURLWithPath: "\(pages)/index.html"))
    return try RunningProgram(
      Programs.web, ["--bus", stage.bus.address, "--config", config, "--pages", pages, "--state", stage.folder.file("state")] + more)
  }

  private func daemon() throws -> RunningProgram {
    let region = "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"
    return try stage.daemon(config: try stage.file("daemon.toml", region), source: Stage.walk, speed: "1")
  }

  /// Requests a path, as soon as the server listens. The output ends with a line break, as the reader of lines requires.
  private func curl(_ arguments: String..., scheme: String = "http", path: String = "/") throws -> String {
    let options = ["-sS", "-w", "\\n", "--max-time", "20", "--retry", "40", "--retry-connrefused", "--retry-delay", "1"]
    return try RunningProgram.result("/usr/bin/curl", options + arguments + ["\(scheme)://localhost:\(port)\(path)"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Logs in by the command line, and returns the options of curl for the session.
  private func login(edit: Bool = false) throws -> [String] {
    let address = try RunningProgram.result(
      Programs.commandLine, ["web", "login", "--bus", stage.bus.address] + (edit ? ["--edit"] : []))
    let token = try #require(address.split(separator: "#").last).trimmingCharacters(in: .whitespacesAndNewlines)
    let answer = try curl(
      "-i", "-H", "Origin: http://localhost:\(port)", "-H", "Content-Type: application/json", "-d", "{\"token\":\"\(token)\"}",
      path: "/api/login")
    let cookie = try #require(answer.firstMatch(of: /Set-Cookie: ([^;]+);/)).output.1
    return ["-H", "Cookie: \(cookie)"]
  }

  private func get(_ path: String, _ session: [String]) throws -> String {
    try RunningProgram.result("/usr/bin/curl", ["-sS", "-w", "\\n", "--max-time", "20"] + session + ["http://localhost:\(port)\(path)"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `a login of the command line reads the daemon, survives a restart, and ends with all others`() throws {
    let first = try start()
    #expect(try curl() == "<!doctype html>")
    let session = try login()
    #expect(try get("/api/plans", session).contains(#""code":"daemon-absent""#))
    let daemon = try daemon()
    try wait(for: "the daemon") { try get("/api/plans", session) == #"{"plans":[]}"# }
    try wait(for: "events") { try get("/api/events?last=5", session).contains(#""region":"hall""#) }
    first.signal(SIGTERM)
    #expect(try first.exitStatus() == 0)
    let state = try String(contentsOfFile: stage.folder.file("state/sessions.json"), encoding: .utf8)
    #expect(!state.contains(session[1].split(separator: "=").last ?? ""))
    let second = try start()
    #expect(try curl() == "<!doctype html>")
    #expect(try get("/api/session", session).contains(#""role":"view""#))
    _ = try RunningProgram.result(Programs.commandLine, ["web", "logout", "--bus", stage.bus.address])
    #expect(try get("/api/session", session).contains(#""code":"no-session""#))
    daemon.signal(SIGTERM)
    second.signal(SIGTERM)
  }

  @Test func `a stream reports a daemon that stops and returns`() throws {
    let web = try start()
    #expect(try curl() == "<!doctype html>")
    let stream = try RunningProgram("/usr/bin/curl", ["-sSN"] + login() + ["http://localhost:\(port)/api/live"])
    _ = try stream.output.next("the absence") { $0.contains(#""state":"absent""#) }
    let daemon = try daemon()
    _ = try stream.output.next("the daemon") { $0.contains(#""state":"running""#) }
    _ = try stream.output.next("beacons") { $0.contains(#""beacons":[{"uuid""#) }
    daemon.signal(SIGTERM)
    _ = try stream.output.next("the absence") { $0.contains(#""state":"absent""#) }
    stream.signal(SIGTERM)
    web.signal(SIGTERM)
  }

  @Test func `other machines are served only with a certificate, which a reload renews`() throws {
    let refused = try start("certificate = \"/a.pem\"\n")
    #expect(try refused.exitStatus() == 78)
    let certificate = try Certificate(in: stage.folder)
    let web = try start("certificate = \"\(certificate.file)\"\nkey = \"\(certificate.key)\"\n")
    #expect(try curl("--cacert", certificate.file, scheme: "https") == "<!doctype html>")
    let address = try RunningProgram.result(Programs.commandLine, ["web", "login", "--bus", stage.bus.address])
    #expect(address.hasPrefix("https://127.0.0.1:\(port)/login#"))
    _ = try Certificate(in: stage.folder)
    web.signal(SIGHUP)
    try wait(for: "the new certificate") {
      // Until then curl refuses the certificate.
      (try? curl("--cacert", certificate.file, scheme: "https")) == "<!doctype html>"
    }
    web.signal(SIGTERM)
    #expect(try web.exitStatus() == 0)
  }

  @Test func `hostile clients get no data, and cost neither memory nor the answers of others`() throws {
    let web = try start()
    #expect(try curl() == "<!doctype html>")
    let session = try login(edit: true)
    #expect(try get("/api/session", session + ["-H", "Host: evil.example"]).contains(#""code":"host""#))
    #expect(try get("/api/plans", session + ["-H", "Origin: https://evil.example"]).contains(#""code":"origin""#))
    #expect(try get("/api/venue/save", session + ["-d", "text=x"]).contains(#""code":"origin""#))
    #expect(try get("/..%2f..%2f..%2fetc%2fpasswd", []).contains("no such file"))
    let large = try? get("/api/session", session + ["-H", "X: \(String(repeating: "a", count: 60_000))"])
    #expect(large?.contains("role") != true)
    let stream = try RunningProgram("/usr/bin/curl", ["-sSN"] + session + ["http://localhost:\(port)/api/live"])
    _ = try stream.output.next("the state") { $0.contains(#""state":"absent""#) }
    let before = try memory(of: web)
    // Connections that send nothing, and requests that never end. Another process has their descriptors.
    let script = """
      import socket, sys
      held = []
      for number in range(1000):
          connection = socket.socket()
          connection.setblocking(False)
          connection.connect_ex(("127.0.0.1", \(port)))
          held.append(connection)
          if number % 2:
              try: connection.send(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nX: ")
              except OSError: pass
      print("held", flush=True)
      sys.stdin.read()
      """
    let crowd = try RunningProgram(Programs.python, ["-c", script])
    _ = try crowd.output.next("the connections") { $0 == "held" }
    // The queue of the kernel is short, so that most of them wait there.
    try wait(for: "the connections") { try descriptors(of: web) > 40 }
    #expect(try descriptors(of: web) < 300 && memory(of: web) - before < 12_000)
    try crowd.input.close()
    #expect(try curl() == "<!doctype html>")
    #expect(try get("/api/session", session).contains(#""role":"edit""#))
    #expect(stream.isRunning)
    stream.signal(SIGTERM)
    web.signal(SIGTERM)
    #expect(try web.exitStatus() == 0)
  }

  private func descriptors(of program: RunningProgram) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd").count
  }

  /// The resident memory in KiB.
  private func memory(of program: RunningProgram) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
    return try #require(status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) })
  }
}
