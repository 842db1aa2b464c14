import EventActions
import Events
import Failures
import Instants
import TestSupport
import Testing

@testable import Notification

/// The request for a command from a fake notifier, on a manual clock.
@Suite struct ActionExecutionTests {
  /// A command that runs; it stops when it is released.
  private final class Command {}

  private final class Port: ActionExecutionPort {
    var lookup: Result<ActionLookup, Failure> = .success(.found(ActionCommand(["/bin/true"], timeout: .seconds(60))))
    var startFailure: Failure?
    private(set) var starts: [CommandRequest] = []
    private(set) weak var running: Command?
    private(set) var answers: [CommandReport] = []
    private var completion: (CommandReport) -> Void = { _ in }

    func command(of action: String) throws(Failure) -> ActionLookup { try lookup.get() }

    func start(
      _ command: ActionCommand, for request: CommandRequest, completion: @escaping (CommandReport) -> Void
    ) throws(Failure) -> AnyObject {
      if let startFailure { throw startFailure }
      starts.append(request)
      self.completion = completion
      let command = Command()
      running = command
      return command
    }

    func answer(_ report: CommandReport) { answers.append(report) }

    func complete(_ report: CommandReport) { completion(report) }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let port = Port()
    private(set) lazy var execution = ActionExecution(scheduler, port)
    private(set) var late: [Failure] = []

    init() { execution.onLate = { [unowned self] in late.append($0) } }

    func send(_ text: String) { execution.take(Array(text.utf8)[...]) }
  }

  private static let request: CommandRequest = {
    let event = Event(sequence: 1, kind: .enter, region: "hall")
    return CommandRequest(action: "welcome", event: event, json: event.json)
  }()

  @Test func `a request that arrives in pieces starts its command once, and gets the result`() {
    let scene = Scene()
    let text = Self.request.text
    scene.send(String(text.prefix(20)))
    #expect(scene.port.starts.isEmpty)
    scene.send(String(text.dropFirst(20)))
    scene.send(text)
    #expect(scene.port.starts == [Self.request] && scene.port.running != nil && scene.port.answers.isEmpty)
    scene.port.complete(CommandReport(.exited(3)))
    #expect(scene.port.answers == [CommandReport(.exited(3))])
  }

  @Test func `a request must arrive within ten seconds, and the command may take longer`() {
    let scene = Scene()
    scene.scheduler.advance(by: .seconds(9.9))
    scene.send(Self.request.text)
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.late.isEmpty && scene.port.running != nil)
    let slow = Scene()
    slow.send(String(Self.request.text.prefix(20)))
    slow.scheduler.advance(by: .seconds(10))
    slow.send(String(Self.request.text.dropFirst(20)))
    #expect(slow.late == [Failure(.dataError, "no request within 10s")] && slow.port.starts.isEmpty)
  }

  @Test func `other octets are refused once`() {
    let scene = Scene()
    scene.send("GET / HTTP/1.1\n\n")
    scene.send(Self.request.text)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.port.answers == [CommandReport(.refused("the request is not two lines of JSON"))])
    #expect(scene.port.starts.isEmpty && scene.late.isEmpty)
  }

  @Test func `a configuration that cannot be used now is a failure, which the notifier retries`() {
    let scene = Scene()
    scene.port.lookup = .failure(Failure(.config, "a.toml:1: x\na.toml:2: y"))
    scene.send(Self.request.text)
    #expect(scene.port.answers == [CommandReport(.failed("a.toml:1: x; a.toml:2: y"))])
  }

  @Test func `an unknown action and a command that cannot be started are refused`() {
    let scene = Scene()
    scene.port.lookup = .success(.missing(file: "a.toml"))
    scene.send(Self.request.text)
    #expect(
      scene.port.answers == [CommandReport(.refused("a.toml has no command of this name; run systemctl reload beaconmon-notifier"))])
    let other = Scene()
    other.port.startFailure = Failure(.osError, "exec: no such file")
    other.send(Self.request.text)
    #expect(other.port.answers == [CommandReport(.refused("cannot be started: exec: no such file"))])
  }

  @Test func `a command stops with its connection`() {
    let scene = Scene()
    scene.send(Self.request.text)
    #expect(scene.port.running != nil)
    scene.execution.stop()
    #expect(scene.port.running == nil)
  }
}
