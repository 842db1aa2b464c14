import Foundation
import TestSupport

/// A Python program on a private bus that receives signals and makes calls, without any of our code.
final class BusClient {
  struct Signal: Hashable {
    let name: String
    let interface: String
    let path: String
    /// The receiver's unique name; nil for a broadcast.
    let destination: String?
    let arguments: [JSON]
    /// The tree of the arguments with D-Bus' type letters as leaves.
    let types: JSON
  }

  enum Reply: Hashable {
    case values([JSON])
    case error(String, message: String)
  }

  static let busName = "org.beaconmon.Monitor1"
  static let root = "/org/beaconmon/Monitor1"

  /// The client's unique name.
  let name: String
  /// The signals received so far.
  private(set) var signals: [Signal] = []
  /// Answers that no call has collected yet, with the members that they answer.
  private var answers: [(member: String, reply: Reply)] = []
  private let program: RunningProgram

  /// Receives the signals of the match rules and those sent to it alone. Returns when the rules are active.
  ///
  /// - Parameter user: The user of the process; nil for the tests' own. Another user requires root.
  init(_ bus: PrivateBus, as user: UInt32? = nil, matching rules: String...) throws {
    // Another user may not even enter the folder of the sources.
    var script = Programs.peer("bus_client.py")
    if user != nil {
      script = bus.directory.file("bus_client-\(UUID().uuidString).py")
      try FileManager.default.copyItem(atPath: Programs.peer("bus_client.py"), toPath: script)
    }
    let command = [Programs.python, script, bus.address] + rules
    let someoneElse = user.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
    let words = someoneElse + command
    program = try RunningProgram(words[0], Array(words.dropFirst()))
    name = try JSON(parsing: try program.output.next("the client's name"))["name"]?.text ?? ""
  }

  /// Stops the client from reading.
  func freeze() { program.signal(SIGSTOP) }

  func thaw() { program.signal(SIGCONT) }

  /// Calls the daemon, or the name in `destination`.
  func call(
    _ interface: String, _ member: String, at path: String = root, signature: String = "", _ arguments: JSON...,
    destination: String = busName
  ) throws -> Reply {
    try call(interface, member, at: path, signature: signature, arguments: arguments, destination: destination)
  }

  func call(
    _ interface: String, _ member: String, at path: String = root, signature: String = "", arguments: [JSON],
    destination: String = busName
  ) throws -> Reply {
    try ask(interface, member, at: path, signature: signature, arguments: arguments, destination: destination)
    return try answer(to: member)
  }

  /// Calls without waiting for the answer.
  func ask(
    _ interface: String, _ member: String, at path: String = root, signature: String = "", arguments: [JSON],
    destination: String = busName
  ) throws {
    let ask: JSON = [
      "destination": .text(destination), "path": .text(path), "interface": .text(interface), "member": .text(member),
      "signature": .text(signature), "arguments": .list(arguments),
    ]
    try program.input.write(contentsOf: Data((try ask.line + "\n").utf8))
  }

  /// Returns the first answer to a call of `member` that was not returned yet; with nil, to any call.
  func answer(to member: String? = nil) throws -> Reply {
    while true {
      if let index = answers.firstIndex(where: { $0.member == member || member == nil }) { return answers.remove(at: index).reply }
      _ = try nextLine("the answer to \(member ?? "a call")")
    }
  }

  /// Returns the value of a property; nil if it has none.
  func property(_ name: String, _ interface: String, at path: String = root) throws -> JSON? {
    switch try call("org.freedesktop.DBus.Properties", "GetAll", at: path, signature: "s", .text("\(Self.busName).\(interface)")) {
    case .values(let values): values.first?[name]
    case .error(let error, let message): throw TimeoutError("\(error): \(message)")
    }
  }

  /// Returns once the daemon answers.
  func waitForDaemon() throws {
    try wait(for: "the daemon") { try call("org.freedesktop.DBus.Peer", "Ping") == .values([]) }
  }

  /// Makes a round trip: the daemon's earlier signals have arrived afterwards, and the daemon has looked at its clock.
  func ping() throws { _ = try call("org.freedesktop.DBus.Peer", "Ping") }

  /// Returns once a signal satisfies `condition`; earlier signals count too.
  ///
  /// The client calls the daemon meanwhile, so that the daemon looks at its clock.
  func waitUntilTold(_ description: String, where condition: (Signal) -> Bool) throws {
    try wait(for: description) {
      try ping()
      return signals.contains(where: condition)
    }
  }

  /// Returns once a program has subscribed to signals of this name.
  func waitForSubscriber(to signal: String) throws { try waitForRule(with: "member='\(signal)'") }

  /// Returns once a program has added a match rule that contains `part`.
  func waitForRule(with part: String) throws {
    try wait(for: "a rule with \(part)") {
      let rules = try call(
        "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules", at: "/org/freedesktop/DBus", destination: "org.freedesktop.DBus")
      guard case .values(let values) = rules else { throw TimeoutError("\(rules)") }
      return (values.first?.object ?? [:]).values.contains {
        $0.list?.contains { $0.text?.contains(part) ?? false } ?? false
      }
    }
  }

  /// Waits for the first signal not yet waited for that satisfies `condition`.
  func next(_ description: String = "a signal", where condition: (Signal) -> Bool = { _ in true }) throws -> Signal {
    while true {
      let known = signals.count
      _ = try nextLine(description)
      if signals.count > known, let signal = signals.last, condition(signal) { return signal }
    }
  }

  private func nextLine(_ description: String) throws -> JSON {
    let line = try JSON(parsing: try program.output.next(description))
    if let signal = Signal(line) { signals.append(signal) }
    if let member = line["member"]?.text, let reply = Reply(line) { answers.append((member, reply)) }
    return line
  }
}

extension BusClient.Reply {
  fileprivate init?(_ line: JSON) {
    if let values = line["reply"]?.list {
      self = .values(values)
    } else if let error = line["error"]?.text {
      self = .error(error, message: line["message"]?.text ?? "")
    } else {
      return nil
    }
  }
}

extension BusClient.Signal {
  fileprivate init?(_ line: JSON) {
    guard let name = line["signal"]?.text, let arguments = line["arguments"]?.list, let types = line["types"] else { return nil }
    self.name = name
    interface = line["interface"]?.text ?? ""
    path = line["path"]?.text ?? ""
    destination = line["destination"]?.text
    self.arguments = arguments
    self.types = types
  }

  /// The new values of a PropertiesChanged signal.
  var changed: JSON { name == "PropertiesChanged" ? arguments.dropFirst().first ?? .null : .null }

  /// The details of a RegionEvent.
  var details: JSON? { name == "RegionEvent" ? arguments.last : nil }

  /// Whether the daemon reports that its source has ended.
  var saysEnded: Bool { changed["SourceEnded"] == true }
}
