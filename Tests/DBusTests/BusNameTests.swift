import DBus
import EventLoop
import TestSupport
import Testing

@Suite struct BusNameTests {
  private let fixture: BusFixture

  init() throws {
    fixture = try BusFixture()
  }

  @Test func `a bus name in use is reported with its owner`() throws {
    let owner = try fixture.connect()
    let first = try fixture.own("org.example.Shop", owner)
    let second = try fixture.own("org.example.Shop", fixture.connection)
    #expect(first.state == .owned)
    #expect(second.state == .taken(by: owner.uniqueName))
  }

  @Test func `a released name is free`() throws {
    let holder = Holder(try fixture.own("org.example.Shop", fixture.connection))
    #expect(try fixture.busctl("list", "--acquired", "--no-legend").contains("org.example.Shop "))
    holder.value = nil
    let other = try fixture.connect()
    #expect(try fixture.own("org.example.Shop", other).state == .owned)
  }

  @Test(arguments: ["no name", "org.freedesktop.DBus", ":1.5", ""])
  func `a refused bus name is reported with the bus' reason`(name: String) throws {
    guard case .refused(let error) = try fixture.own(name, fixture.connection).state else {
      Issue.record("not refused")
      return
    }
    #expect(error.isStandard("InvalidArgs"))
  }

  @Test func `a watched name is followed as its owner appears and disappears`() throws {
    var owners: [String?] = []
    let watch = fixture.connection.watchName("org.example.Shop") { [loop = fixture.loop] in
      owners.append($0)
      loop.stop()
    }
    let peer = try fixture.connect()
    let name = Holder<OwnedName>()
    while owners.count < 1 { _ = try fixture.loop.run() }
    name.value = peer.requestName("org.example.Shop") { _ in }
    while owners.count < 2 { _ = try fixture.loop.run() }
    #expect(watch.owner == peer.uniqueName)
    name.value = nil
    while owners.count < 3 { _ = try fixture.loop.run() }
    #expect(owners == [nil, peer.uniqueName, nil])
  }

  @Test func `the loss of the bus removes the owner of every watched name`() throws {
    let name = try fixture.own("org.example.Shop", fixture.connection)
    var owners: [String?] = []
    let watch = fixture.connection.watchName("org.example.Shop") { [loop = fixture.loop] in
      owners.append($0)
      loop.stop()
    }
    while owners.count < 1 { _ = try fixture.loop.run() }
    let me = fixture.connection.uniqueName
    fixture.bus.kill()
    while owners.count < 2 { _ = try fixture.loop.run() }
    #expect(owners == [me, nil])
    #expect(name.state == .lost)
    withExtendedLifetime(watch) {}
  }
}
