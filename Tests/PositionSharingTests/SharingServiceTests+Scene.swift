import FleetMessages
import Instants
import Sharing
import TestSupport

@testable import PositionSharing

extension SharingServiceTests {
  struct DiskFull: Error {}

  /// A file that a test lets fail, and that survives a restart.
  final class FakeFile: SharingFile {
    var text: String?
    var isFull = false
    var isStuck = false
    var isUnreadable = false
    var writes = 0

    func read() throws -> String? {
      if isUnreadable { throw DiskFull() }
      return text
    }

    func write(_ text: String) throws {
      if isFull { throw DiskFull() }
      writes += 1
      self.text = text
    }

    func remove() -> Bool {
      if !isStuck { text = nil }
      return !isStuck
    }
  }

  /// A notifier with a hub.
  final class Scene {
    let scheduler = ManualScheduler()
    let file: FakeFile
    let source = FakePositions()
    let hub: FakeHub
    let lines = LogLines()
    let service: SharingService

    init(_ file: FakeFile = FakeFile(), wallClock: Instant? = nil) {
      self.file = file
      if let wallClock { scheduler.wallClock = wallClock }
      hub = FakeHub(scheduler)
      service = SharingService(scheduler, file, source, log: lines.logger)
      hub.onConnectionChange = { [unowned self] in service.connectionChanged() }
      service.use(hub, of: "berlin.door at hub.example")
      hub.connect()
      scheduler.settle()
    }

    var messages: [ShareMessage] { hub.messages.compactMap { if case .share(let share) = $0.body { share } else { nil } } }
    var offers: [ShareOffer] { messages.compactMap { if case .offer(let offer) = $0 { offer } else { nil } } }
    var positions: [Double?] {
      messages.compactMap { if case .position(_, let position) = $0 { .some(position?.latitude) } else { nil } }
    }

    func offer(_ span: Span = .seconds(600)) throws -> ShareID {
      let id = try service.offer(to: [.person("ada")], purpose: "lunch", for: span, by: 1000)
      scheduler.settle()
      return id
    }

    func notice(_ id: ShareID, _ state: String) throws {
      let json = #"{"v":1,"shares":[{"id":"\#(id)","recipients":[{"name":"ada","state":"\#(state)"}]}],"offers":[]}"#
      try service.receive(Array(json.utf8))
      scheduler.advance(by: .seconds(1))
    }

    func accepted() throws -> ShareID {
      let id = try offer()
      try notice(id, "accepted")
      source.report(52)
      scheduler.advance(by: .seconds(11))
      return id
    }
  }
}
