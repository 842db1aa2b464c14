import DBus
import EventLoop
import Instants
import TestSupport
import Testing

@Suite struct ObjectTreeTests {
  private let fixture: BusFixture
  private let tree: ObjectTree
  private let shop: ExportedObject
  private let name: OwnedName
  private let state = ShopState()

  private final class ShopState {
    var open = true
    var visitors: UInt32? = 3
    var waiting: [MethodCall] = []
  }

  init() throws {
    fixture = try BusFixture()
    tree = ObjectTree(connection: fixture.connection, managerPath: "/org/example")
    let (fixture, state) = (fixture, state)
    let interface = DBusInterface(
      "org.example.Shop",
      methods: [
        DBusMethod("Greet", in: [DBusArgument("name", "s"), DBusArgument("times", "u")], out: [DBusArgument("text", "s")]) {
          call throws(DBusError) in
          guard let times: Int = call.arguments[1].integer(), times < 4 else {
            throw DBusError(name: "org.example.Error.TooOften", message: "greet at most 3 times")
          }
          return [.string(Array(repeating: "Hello, \(call.arguments[0].string ?? "")", count: times).joined(separator: "; "))]
        },
        .deferred("Wait", out: [DBusArgument("by", "s")]) { call in
          state.waiting.append(call)
          fixture.loop.enqueue {
            for call in state.waiting { call.reply([.string(call.sender.isEmpty ? "nobody" : "later")]) }
            state.waiting = []
          }
        },
        .deferred("Forget") { _ in },
        DBusMethod("Lie", out: [DBusArgument("number", "u")]) { _ in [.string("no number")] },
      ],
      properties: [
        DBusProperty("Open", "b") { .boolean(state.open) },
        DBusProperty("Visitors", "u", change: .invalidates) { state.visitors.map { .uint32($0) } },
        DBusProperty("Founded", "q", change: .constant) { .uint16(1984) },
      ],
      signals: [DBusSignal("Entered", [DBusArgument("who", "s"), DBusArgument("details", "a{sv}")])])
    shop = try tree.export("/org/example/shop", [interface])
    name = try fixture.own("org.example.Shop", fixture.connection)
  }

  private func call(_ arguments: String...) throws -> String {
    try fixture.loop.result(
      of: ["busctl", "--address=\(fixture.bus.address)", "call", "org.example.Shop"] + arguments
    ).output.text
  }

  // MARK: - Methods

  @Test(arguments: [(63, 0), (64, 1)]) func `an answer counts as large from 64 elements on`(count: Int, expected: Int) throws {
    let visits = DBusInterface(
      "org.example.Visits",
      methods: [
        DBusMethod("List", out: [DBusArgument("names", "as")]) { _ in [.array(of: "s", Array(repeating: .string("Ada"), count: count))] }
      ])
    let object = try tree.export("/org/example/visits", [visits])
    var large = 0
    fixture.connection.onLargeAnswer = { large += 1 }
    _ = try call("/org/example/visits", "org.example.Visits", "List")
    #expect(large == expected)
    withExtendedLifetime(object) {}
  }

  @Test func `a method is answered at once`() throws {
    #expect(try call("/org/example/shop", "org.example.Shop", "Greet", "su", "Ann", "2") == "s \"Hello, Ann; Hello, Ann\"\n")
  }

  @Test func `a method is answered later`() throws {
    #expect(try call("/org/example/shop", "org.example.Shop", "Wait") == "s \"later\"\n")
  }

  @Test func `a method's own error arrives with its name and message`() throws {
    let text = try fixture.gdbus(
      "call", "--dest", "org.example.Shop", "--object-path", "/org/example/shop", "--method", "org.example.Shop.Greet", "Ann", "9")
    #expect(text.contains("GDBus.Error:org.example.Error.TooOften: greet at most 3 times"))
  }

  @Test(arguments: [
    (["/nowhere", "org.example.Shop", "Greet"], "there is no object /nowhere; introspect / to list the objects"),
    (["/org/example/shop", "org.example.Bank", "Greet"], "/org/example/shop has no interface org.example.Bank; it has org.example.Shop,"),
    (["/org/example/shop", "org.example.Shop", "Grete"], "org.example.Shop has no method Grete; it has Greet, Wait, Forget, Lie"),
    (["/org/example/shop", "org.example.Shop", "Greet", "s", "Ann"], "Greet takes (s name, u times), not (s)"),
    (["/org/example/shop", "org.example.Shop", "Forget"], "org.example.Shop.Forget was not answered"),
    (["/org/example/shop", "org.example.Shop", "Lie"], "org.example.Shop.Lie returned (s) instead of (u); this is a bug in the service"),
  ])
  func `the error for an invalid call explains the fault`(arguments: [String], message: String) throws {
    let text = try fixture.loop.result(
      of: ["busctl", "--address=\(fixture.bus.address)", "call", "org.example.Shop"] + arguments
    ).output.text
    #expect(text.contains(message))
  }

  @Test(arguments: [
    (["/nowhere", "org.example.Shop.Greet"], "UnknownObject"),
    (["/org/example/shop", "org.example.Bank.Greet"], "UnknownInterface"),
    (["/org/example/shop", "org.example.Shop.Grete"], "UnknownMethod"),
    (["/org/example/shop", "org.example.Shop.Greet"], "InvalidArgs"),
    (["/org/example/shop", "org.freedesktop.DBus.Properties.Get", "string:org.example.Shop", "string:Closed"], "UnknownProperty"),
    (["/org/example/shop", "org.freedesktop.DBus.Properties.GetAll", "string:org.example.Bank"], "UnknownInterface"),
    (
      ["/org/example/shop", "org.freedesktop.DBus.Properties.Set", "string:org.example.Shop", "string:Open", "variant:boolean:false"],
      "PropertyReadOnly"
    ),
  ])
  func `errors have the names of the D-Bus specification`(arguments: [String], name: String) throws {
    let text = try fixture.loop.result(
      of: ["dbus-send", "--bus=\(fixture.bus.address)", "--dest=org.example.Shop", "--print-reply"] + arguments
    ).output.text
    #expect(text.hasPrefix("Error org.freedesktop.DBus.Error.\(name): "))
  }

  @Test(arguments: [("Wait", "reply: later"), ("Nothing", "error: no interface of /org/example/shop has a method Nothing")])
  func `a call without an interface finds the method`(member: String, answer: String) throws {
    #expect(try fixture.rawCall("org.example.Shop", "/org/example/shop", member) == answer + "\n")
  }

  @Test func `libdbus answers the Peer interface`() throws {
    #expect(try call("/org/example/shop", "org.freedesktop.DBus.Peer", "Ping").isEmpty)
    #expect(try call("/any", "org.freedesktop.DBus.Peer", "GetMachineId").hasPrefix("s \""))
  }

  @Test func `no answer is sent to a caller that requests none`() throws {
    let text = try fixture.monitored("sender='org.example.Shop',type='method_return'") {
      _ = try fixture.busctl(
        "call", "--expect-reply=no", "org.example.Shop", "/org/example/shop", "org.example.Shop", "Greet", "su", "Ann", "1")
      _ = try call("/org/example/shop", "org.example.Shop", "Greet", "su", "Bob", "1")
    }
    #expect(!text.contains("Hello, Ann"))
    #expect(text.contains("Hello, Bob"))
  }

  // MARK: - Properties

  @Test func `properties are read one by one and all at once`() throws {
    #expect(
      try fixture.busctl("get-property", "org.example.Shop", "/org/example/shop", "org.example.Shop", "Open", "Founded")
        == "b true\nq 1984\n")
    #expect(
      try call("/org/example/shop", "org.freedesktop.DBus.Properties", "GetAll", "s", "org.example.Shop")
        == "a{sv} 3 \"Open\" b true \"Visitors\" u 3 \"Founded\" q 1984\n")
  }

  @Test func `a property without a value is absent from the list, and reading it is an error`() throws {
    state.visitors = nil
    #expect(
      try call("/org/example/shop", "org.freedesktop.DBus.Properties", "GetAll", "s", "org.example.Shop")
        == "a{sv} 2 \"Open\" b true \"Founded\" q 1984\n")
    #expect(
      try call("/org/example/shop", "org.freedesktop.DBus.Properties", "Get", "ss", "org.example.Shop", "Visitors")
        .contains("Visitors of /org/example/shop has no value now"))
  }

  @Test func `a property change is announced with the value, or only as invalidated`() throws {
    let text = try fixture.monitored("type='signal',interface='org.freedesktop.DBus.Properties'") {
      state.open = false
      shop.propertiesChanged("org.example.Shop", ["Open", "Visitors", "Founded"])
    }
    let changed = """
         string "org.example.Shop"
         array [
            dict entry(
               string "Open"
               variant             boolean false
            )
         ]
         array [
            string "Visitors"
         ]
      """
    #expect(text.contains("path=/org/example/shop; interface=org.freedesktop.DBus.Properties; member=PropertiesChanged\n\(changed)\n"))
  }

  // MARK: - Signals

  @Test func `a signal has the declared arguments, and any other is refused`() throws {
    let text = try fixture.monitored("type='signal',interface='org.example.Shop'") {
      try shop.emit("org.example.Shop", "Entered", [.string("Ann"), .options(["rssi": .double(-59.5)])])
    }
    #expect(text.contains("path=/org/example/shop; interface=org.example.Shop; member=Entered\n   string \"Ann\"\n"))
    #expect(text.contains("string \"rssi\"\n         variant             double -59.5\n"))
    #expect(throws: DBusError.invalidArguments("org.example.Shop.Entered carries (sa{sv}), not (s)")) {
      try shop.emit("org.example.Shop", "Entered", [.string("Ann")])
    }
    #expect(throws: DBusError.self) { try shop.emit("org.example.Shop", "Left", []) }
  }

  // MARK: - Introspection

  @Test func `the introspection lists exactly the declared members`() throws {
    let text = try fixture.gdbus("introspect", "--dest", "org.example.Shop", "--object-path", "/org/example/shop", "--xml")
    let expected = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>
       <interface name="org.example.Shop">
        <method name="Greet">
         <arg name="name" type="s" direction="in"/>
         <arg name="times" type="u" direction="in"/>
         <arg name="text" type="s" direction="out"/>
        </method>
        <method name="Wait">
         <arg name="by" type="s" direction="out"/>
        </method>
        <method name="Forget"/>
        <method name="Lie">
         <arg name="number" type="u" direction="out"/>
        </method>
        <signal name="Entered">
         <arg name="who" type="s"/>
         <arg name="details" type="a{sv}"/>
        </signal>
        <property name="Open" type="b" access="read"/>
        <property name="Visitors" type="u" access="read">
         <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>
        </property>
        <property name="Founded" type="q" access="read">
         <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
        </property>
       </interface>
      """
    #expect(text.hasPrefix(expected))
    #expect(text.contains(" <interface name=\"org.freedesktop.DBus.Properties\">\n"))
  }

  @Test func `other tools parse the introspection`() throws {
    let text = try fixture.busctl("introspect", "org.example.Shop", "/org/example/shop")
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    #expect(lines.contains(".Greet method su s -"))
    #expect(lines.contains(".Visitors property u 3 emits-invalidation"))
    #expect(lines.contains(".Entered signal sa{sv} - -"))
    #expect(try fixture.busctl("tree", "--list", "org.example.Shop") == "/\n/org\n/org/example\n/org/example/shop\n")
  }
}
