import Foundation
import TestSupport
import Testing

/// Commands behind a socket, as beaconmon-action.socket and beaconmon-action@.service run them.
///
/// Only root can have a config that only root can write.
@Suite(.enabled(if: getuid() == 0, "requires root for a config that only root can write"))
struct ActionSocketTests {
  private static let options = ["--action-socket", "FOLDER/action.socket"]

  /// Starts the program for each connection, with the connection on standard input, as systemd does.
  private func actionService(_ scene: NotifierScene) throws -> RunningProgram {
    let service = try RunningProgram(
      "/usr/bin/systemd-socket-activate",
      [
        "--accept", "--inetd", "--listen", scene.stage.folder.file("action.socket"), Programs.notifier, "--run-action", "--config",
        scene.config,
      ])
    _ = try service.log.next("the socket") { $0.contains("Listening on") }
    return service
  }

  @Test func `a command runs behind the socket with its event, and without the notifier's secrets`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      name = "welcome"
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo $PPID $BEACONMON_REGION ${TILL_KEY-none} $(wc -l) >> FOLDER/calls"]
      """, environment: ["TILL_KEY": "whsec_1"], options: Self.options)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 3, at: 0)
    let words = try scene.lines(of: "calls", count: 1)[0].split(separator: " ")
    #expect(words.dropFirst().joined(separator: " ") == "exhibit 3 none 1")
    #expect(Int32(words[0]) != scene.notifier.pid)
    let outcome = try scene.notifier.log.next("the outcome") { $0.contains("event 1") }
    #expect(outcome == "beaconmon-notifier: welcome for event 1 (enter exhibit 3): done")
    service.signal(SIGTERM)
  }

  @Test func `a child has none of the notifier's secrets, and keeps the search path for programs`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["sh", "-c", "env | sort | cut -d= -f1 > FOLDER/names; echo $LC_MESSAGES >> FOLDER/calls"]
      """, environment: ["TILL_KEY": "whsec_1", "CREDENTIALS_DIRECTORY": "FOLDER", "LC_MESSAGES": "C"])
    try scene.feed.hear(minor: 3, at: 0)
    #expect(try scene.lines(of: "calls", count: 1) == ["C"])
    let names = Set(try scene.lines(of: "names", count: 5))
    #expect(names.contains("PATH"))
    #expect(names.isDisjoint(with: ["TILL_KEY", "CREDENTIALS_DIRECTORY", "BEACONMON_PROGRAMS"]))
  }

  @Test func `the exit status, output and timeout of a command come back through the socket`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo the speaker is off >&2; exit 3"]
      [[notifier.action]]
      name = "killed"
      events = ["enter"]
      command = ["/bin/sh", "-c", "kill -KILL $$"]
      [[notifier.action]]
      name = "slow"
      events = ["enter"]
      command = ["/bin/sh", "-c", "sleep 1000 & echo $! > FOLDER/child; wait"]
      timeout = "300ms"
      [[notifier.action]]
      name = "missing"
      events = ["enter"]
      command = ["/nowhere/play"]
      [[notifier.action]]
      name = "later"
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo later >> FOLDER/later; test $(wc -l < FOLDER/later) -ge 2 || exit 75"]
      """, options: Self.options)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 4, at: 0)
    let event = "for event 1 (enter exhibit 4)"
    let expected = [
      "warning: /bin/sh \(event): exit code 3: the speaker is off", "warning: killed \(event): ended by signal 9",
      "warning: slow \(event): ended after its timeout of 300ms",
      "warning: missing \(event): cannot be started: posix_spawn /nowhere/play: No such file or directory (ENOENT)",
      "warning: later \(event): exit code 75; retrying", "later \(event): done",
    ]
    try scene.notifier.log.next("every outcome", ofEach: expected.map { line in { $0 == "beaconmon-notifier: \(line)" } })
    service.signal(SIGTERM)
  }

  @Test func `commands of a config that other users can write do not run`() throws {
    let scene = try NotifierScene(
      "[[notifier.action]]\nname = \"welcome\"\ncommand = [\"touch\", \"FOLDER/touched\"]", options: Self.options)
    chmod(scene.config, 0o666)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 4, at: 0)
    let line = try scene.notifier.log.next("the refusal") { $0.contains("welcome") }
    #expect(
      line == "beaconmon-notifier: warning: welcome for event 1 (enter exhibit 4): \(scene.config) is writable by other users than root, "
        + "so its commands are not run: chown root \(scene.config) && chmod go-w \(scene.config); retrying")
    #expect(!FileManager.default.fileExists(atPath: scene.stage.folder.file("touched")))
    // The event is delivered after the config is repaired.
    chmod(scene.config, 0o644)
    _ = try scene.notifier.log.next("the command") { $0.hasSuffix("welcome for event 1 (enter exhibit 4): done") }
    service.signal(SIGTERM)
  }

  @Test(arguments: ["conf.d/site.toml", "conf.d"])
  func `commands do not run while other users can write a drop-in or its folder`(writable: String) throws {
    let scene = try NotifierScene(
      "[[notifier.action]]\nname = \"welcome\"\ncommand = [\"touch\", \"FOLDER/touched\"]", options: Self.options)
    let folder = scene.stage.folder
    try FileManager.default.createDirectory(atPath: folder.file("conf.d"), withIntermediateDirectories: false)
    chmod(folder.file("conf.d"), 0o755)
    chmod(try scene.stage.file("conf.d/site.toml", "[[region]]\nidentifier = \"exhibit 4\"\ndwell = \"1h\"\n"), 0o644)
    // A hidden drop-in is not an obstacle.
    symlink("/dev/null", folder.file("conf.d/hidden.toml"))
    let mode: mode_t = writable.hasSuffix(".toml") ? 0o644 : 0o755
    chmod(folder.file(writable), mode | 0o022)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 4, at: 0)
    let line = try scene.notifier.log.next("the refusal") { $0.contains("welcome") }
    #expect(line.contains("\(writable) is writable by other users than root"), "\(line)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("touched")))
    chmod(folder.file(writable), mode)
    _ = try scene.notifier.log.next("the command") { $0.hasSuffix("welcome for event 1 (enter exhibit 4): done") }
    service.signal(SIGTERM)
  }

  @Test func `a command of a drop-in runs behind the socket`() throws {
    let scene = try NotifierScene("[[notifier.action]]\nname = \"welcome\"\ncommand = [\"false\"]", options: Self.options)
    let folder = scene.stage.folder
    try FileManager.default.createDirectory(atPath: folder.file("conf.d"), withIntermediateDirectories: false)
    chmod(folder.file("conf.d"), 0o755)
    let text = "[[notifier.action]]\nname = \"welcome\"\ncommand = [\"touch\", \"\(folder.file("touched"))\"]\n"
    chmod(try scene.stage.file("conf.d/site.toml", text), 0o644)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 4, at: 0)
    _ = try scene.notifier.log.next("the command") { $0.hasSuffix("welcome for event 1 (enter exhibit 4): done") }
    #expect(FileManager.default.fileExists(atPath: folder.file("touched")))
    service.signal(SIGTERM)
  }

  @Test func `a command without the socket does not run as a child, and is retried once the socket exists`() throws {
    let scene = try NotifierScene(
      "[[notifier.action]]\nname = \"welcome\"\ncommand = [\"touch\", \"FOLDER/touched\"]", options: Self.options)
    try scene.feed.hear(minor: 4, at: 0)
    let line = try scene.notifier.log.next("the failure") { $0.contains("welcome") }
    let advice = "commands require beaconmon-action.socket; run systemctl start beaconmon-action.socket"
    #expect(line.hasSuffix("No such file or directory (ENOENT); \(advice); retrying"))
    let service = try actionService(scene)
    _ = try scene.notifier.log.next("the command") { $0.hasSuffix("welcome for event 1 (enter exhibit 4): done") }
    service.signal(SIGTERM)
  }

  @Test func `the end of the notifier ends the command`() throws {
    let scene = try NotifierScene(
      "[[notifier.action]]\ncommand = [\"/bin/sh\", \"-c\", \"echo $$ > FOLDER/pid; exec sleep 1000\"]", options: Self.options)
    let service = try actionService(scene)
    try scene.feed.hear(minor: 1, at: 0)
    let command = try #require(Int32(try scene.lines(of: "pid", count: 1)[0]))
    try scene.killNotifier()
    try wait(for: "the end of process \(command)") { kill(command, 0) != 0 }
    service.signal(SIGTERM)
  }

  @Test(arguments: [
    ("{\"action\":\"/bin/sh\"}\n{\"sequence\":1}\n", "has no command of this name"),
    ("{\"action\":\"log\"}\n{\"sequence\":1}\n", "has no command of this name"),
    ("/bin/sh\n-c\n", "the request is not two lines of JSON"),
    (String(repeating: "x", count: 70_000), "the request is longer than 65536 octets"),
  ])
  func `a malformed request is refused with its reason`(request: String, reason: String) throws {
    let scene = try NotifierScene("[[notifier.action]]\nname = \"log\"\nlog = \"{region}\"")
    let service = try actionService(scene)
    let client = """
      import socket, sys
      connection = socket.socket(socket.AF_UNIX)
      connection.connect(sys.argv[1])
      connection.sendall(sys.stdin.buffer.read())
      print(connection.makefile().readline())
      """
    let answer = try JSON(
      parsing: try RunningProgram.result(
        Programs.python, ["-c", client, scene.stage.folder.file("action.socket")], input: request))
    #expect(answer["outcome"] == "refused")
    #expect(answer["reason"]?.text?.contains(reason) ?? false)
    service.signal(SIGTERM)
  }

  @Test func `no command runs without a connection on standard input`() throws {
    let program = try RunningProgram(Programs.notifier, ["--run-action"])
    #expect(
      try program.log.next()
        == "beaconmon-notifier: --run-action requires a connection on standard input, which beaconmon-action@.service passes")
    #expect(try program.exitStatus() == 64)
  }
}
