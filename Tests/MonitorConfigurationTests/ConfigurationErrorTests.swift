import MonitorConfiguration
import Testing

/// A text and the messages it gives, without the `t:` of its name.
struct Mistake: CustomTestStringConvertible {
  let text: String
  let messages: [String]

  init(_ text: String, _ messages: String...) {
    self.text = text
    self.messages = messages
  }

  var testDescription: String { messages.first ?? text }

  /// In a region that is right but for these lines, which begin on line 4.
  static func region(_ lines: String, _ messages: String...) -> Mistake {
    Mistake("[[region]]\nidentifier = \"hall\"\nuuid = \"\(galleryUUID)\"\n\(lines)", messages)
  }

  /// In an action, from line 2, after which the region "hall" is defined.
  static func action(_ lines: String, _ messages: String...) -> Mistake {
    Mistake("[[notifier.action]]\n\(lines)\n[[region]]\nidentifier = \"hall\"\nuuid = \"\(galleryUUID)\"", messages)
  }

  private init(_ text: String, _ messages: [String]) {
    self.text = text
    self.messages = messages
  }
}

@Suite struct ConfigurationErrorTests {
  private func check(_ mistake: Mistake) {
    let expected = mistake.messages.map { "t:\($0)" }.joined(separator: "\n")
    do throws(ConfigurationError) {
      let configuration = try Configuration.parse(text: mistake.text, name: "t")
      Issue.record("accepted as \(configuration)")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test(arguments: [
    Mistake("source = \"hci0\"", "1: source: \"hci0\" is no source; there are auto, bluez, hci, none, capture:FILE and simulator:FILE"),
    Mistake(
      "source = \"\(String(repeating: "x", count: 1000))\"",
      "1: source: \"\(String(repeating: "x", count: 64))...\" is no source; there are auto, bluez, hci, none, capture:FILE and simulator:FILE"
    ),
    Mistake("source = \"capture:\"", "1: source: \"capture:\" names no file; write capture:FILE"),
    Mistake("source = 1", "1: source: needs a text such as \"capture:walk.btsnoop\", this is an integer"),
    Mistake("\ncapture-speed = 0", "2: capture-speed: 0 is not between 0.001 and 1000000"),
    Mistake("capture-speed = -1.5", "1: capture-speed: -1.5 is not between 0.001 and 1000000"),
    Mistake("capture-speed = nan", "1: capture-speed: nan is not between 0.001 and 1000000"),
    Mistake("capture-speed = inf", "1: capture-speed: inf is not between 0.001 and 1000000"),
    Mistake("capture-speed = \"2\"", "1: capture-speed: needs a number from 0.001 to 1000000, this is a text"),
    Mistake("capture-speed = 1979-05-27", "1: capture-speed: needs a number from 0.001 to 1000000, this is a date or time"),
  ])
  func `a wrong value at the top is named`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[[adapter]]", "1: adapter 1: address: is missing; it is needed here"),
    Mistake(
      "[[adapter]]\naddress = \"hci0\"",
      "2: adapter 1: address: \"hci0\" is no adapter's address; write it as \"00:1A:7D:DA:71:13\", not as hci0, which changes"),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\n[[adapter]]\naddress = \"00:1a:7d:da:71:13\"",
      "4: adapter 2: address: is already that of the adapter in line 1; keep one of them"),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\nuse = 1\nrssi-offset = 50",
      "3: adapter 1: use: needs true or false, this is an integer", "4: adapter 1: rssi-offset: 50 is not between -40 and 40"),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\nused = true", "3: adapter 1: used: there is no such key; did you mean use?"),
    Mistake("[adapter]", "1: adapter: can be there several times: write [[adapter]] in two brackets, this is a table"),
  ])
  func `a mistake about an adapter is named`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[ranging]\npath-loss-exponent = 9.5", "2: ranging: path-loss-exponent: 9.5 is not between 1 and 6"),
    Mistake("[ranging]\n\nrssi-offset = -41", "3: ranging: rssi-offset: -41 is not between -40 and 40"),
    Mistake("[ranging]\ntime-constant = 2", "2: ranging: time-constant: needs a text such as \"30s\", this is an integer"),
    Mistake(
      "[ranging]\ntime-constant = \"2\"",
      "2: ranging: time-constant: \"2\" is no duration; write a number and ms, s, m, h or d, such as \"30s\""),
    Mistake("[ranging]\ntime-constant = \"50ms\"", "2: ranging: time-constant: \"50ms\" is not between 100ms and 1m"),
    Mistake("ranging.path-loss-exponent = true", "1: ranging: path-loss-exponent: needs a number from 1 to 6, this is true or false"),
    Mistake("ranging = 3", "1: ranging: needs a table: write [ranging] and its keys below, this is an integer"),
    Mistake(
      "[[ranging]]\nrssi-offset = 1", "1: ranging: needs a table: write [ranging] and its keys below, this is a list"),
    Mistake(
      "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1",
      "1: beacon 1: minor: is missing; it is needed here", "1: beacon 1: rssi-offset: is missing; it is needed here"),
    Mistake(
      """
      [[beacon]]
      uuid = "\(galleryUUID)"
      major = 1
      minor = 2
      rssi-offset = 1
      [[beacon]]
      uuid = "\(galleryUUID.uppercased())"
      major = 1
      minor = 2
      rssi-offset = 2
      """, "6: beacon 2: is the beacon of line 1 again; keep one of them"),
    Mistake(
      "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1\nminor = 2\nrssi-offset = 41",
      "5: beacon 1: rssi-offset: 41 is not between -40 and 40"),
  ])
  func `a wrong value of ranging is named`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[[region]]", "1: region 1: identifier: is missing; it is needed here", "1: region 1: uuid: is missing; it is needed here"),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"8eg76ea3-6668-48da-9866-75be8bc86f4d\"",
      "3: region \"hall\": uuid: \"g\" at position 3 does not belong in a UUID (8-4-4-4-12)"),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3\"",
      "3: region \"hall\": uuid: a UUID has 36 characters (8-4-4-4-12), this has 8"),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = 5",
      "3: region \"hall\": uuid: needs a text such as \"\(galleryUUID)\", this is an integer"),
    .region("minor = 5", "4: region \"hall\": minor: needs a major beside it: minors of different majors have nothing in common"),
    .region("major = 65536", "4: region \"hall\": major: 65536 is not between 0 and 65535"),
    .region("major = -1", "4: region \"hall\": major: -1 is not between 0 and 65535"),
    .region("major = \"1\"", "4: region \"hall\": major: needs an integer from 0 to 65535, this is a text"),
    .region("major = 1.0", "4: region \"hall\": major: needs an integer from 0 to 65535, this is a decimal number"),
    .region("exit-delay = \"500ms\"", "4: region \"hall\": exit-delay: \"500ms\" is not between 1s and 1h"),
    .region("exit-delay = \"2h\"", "4: region \"hall\": exit-delay: \"2h\" is not between 1s and 1h"),
    .region("learn-exit-delay = \"yes\"", "4: region \"hall\": learn-exit-delay: needs true or false, this is a text"),
    .region("enter-sightings = 0", "4: region \"hall\": enter-sightings: 0 is not between 1 and 20"),
    .region(
      "enter-time = \"5s\"",
      "4: region \"hall\": enter-time: needs an enter-sightings beside it: without one, the first sighting enters"),
    .region("minimum-rssi = -128", "4: region \"hall\": minimum-rssi: -128 is not between -127 and 20"),
    .region("dwell = \"25h\"", "4: region \"hall\": dwell: \"25h\" is not between 1s and 1d"),
    .region(
      "assume = \"in\"", "4: region \"hall\": assume: \"in\" is no state; there are \"inside\", \"outside\" and \"unknown\""),
    .region("within = 0", "4: region \"hall\": within: 0 is not between 0.1 and 100"),
    .region(
      "within = 3\nleave-beyond = 2",
      "5: region \"hall\": leave-beyond: is less than within; a region is left farther out than it is entered"),
    .region(
      "leave-beyond = 2\nhold = \"1s\"",
      "4: region \"hall\": leave-beyond: needs a within beside it: without a distance, being heard is enough",
      "5: region \"hall\": hold: needs a within beside it: without a distance, being heard is enough"),
    .region("within = 3\nhold = \"61s\"", "5: region \"hall\": hold: \"61s\" is not between 0s and 1m"),
    .region("notify-on-entry = \"yes\"", "4: region \"hall\": notify-on-entry: needs true or false, this is a text"),
    .region("notify-on-exit = 0", "4: region \"hall\": notify-on-exit: needs true or false, this is an integer"),
    .region(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"\(galleryUUID)\"",
      "5: region \"hall\": identifier: is already that of the region in line 2; give each region its own"),
    Mistake(
      "[[region]]\nidentifier = \"\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: is empty; give the region a name such as \"entrance\""),
    Mistake(
      "[[region]]\nidentifier = \"\(String(repeating: "x", count: 65))\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: has 65 characters; at most 64 are allowed"),
    Mistake(
      "[[region]]\nidentifier = \"a\\nb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{a}b\" holds a control character; remove it"),
    Mistake(
      "[[region]]\nidentifier = \"a\\u009bb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{9b}b\" holds a control character; remove it"),
    Mistake(
      "[[region]]\nidentifier = \"a\\u202eb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{202e}b\" holds a character that changes the direction of a text; remove it"),
    Mistake(
      "[region]\nidentifier = \"hall\"",
      "1: region: can be there several times: write [[region]] in two brackets, this is a table"),
    Mistake("region = [1,\n2]", "1: region: needs tables, this is an integer", "2: region: needs tables, this is an integer"),
  ])
  func `a wrong value of a region is named`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[notifier]\nparallel-commands = 65", "2: notifier: parallel-commands: 65 is not between 1 and 64"),
    Mistake(
      "[notifier]\nparallel-commands = 2.5", "2: notifier: parallel-commands: needs an integer from 1 to 64, this is a decimal number"),
    Mistake(
      "[notifier.action]\nlog = \"x\"",
      "1: notifier: action: can be there several times: write [[notifier.action]] in two brackets, this is a table"),
    .action(
      "region = \"hall\"", "1: notifier action 1: does nothing; give it a target, a command, a notification, a log, a webhook or an mqtt"),
    .action(
      "log = \"x\"\ncommand = [\"true\"]",
      "2: notifier action 1: log: is one thing too many beside command; write one [[notifier.action]] for each"),
    .action("log = \"x\"\ntimeout = \"1s\"", "3: notifier action 1: timeout: is only for a command; remove it"),
    .action("region = \"hal\"\nlog = \"x\"", "2: notifier action 1: region: there is no region \"hal\"; did you mean \"hall\"?"),
    .action(
      "region = [\"hall\", \"kitchen\"]\nlog = \"x\"",
      "2: notifier action 1: region: there is no region \"kitchen\"; define it in a [[region]]"),
    .action("region = []\nlog = \"x\"", "2: notifier action 1: region: is empty; name at least one, or leave the key out for all"),
    .action("region = 1\nlog = \"x\"", "2: notifier action 1: region: needs a list such as [\"entrance\"], this is an integer"),
    .action(
      "events = []\nlog = \"x\"",
      "2: notifier action 1: events: is empty; name at least one of \"enter\", \"exit\", \"dwell\", \"cross\", \"state\", or leave the key out for enter and exit"
    ),
    .action(
      "events = [\n\"enter\",\n\"leave\"]\nlog = \"x\"",
      "4: notifier action 1: events: \"leave\" is no event; there are \"enter\", \"exit\", \"dwell\", \"cross\", \"state\""),
    .action("events = \"enter\"\nlog = \"x\"", "2: notifier action 1: events: needs a list such as [\"enter\", \"exit\"], this is a text"),
    .action("command = []", "2: notifier action 1: command: names no program; write a list such as [\"/usr/bin/play\", \"welcome.ogg\"]"),
    .action(
      "command = [\"\"]", "2: notifier action 1: command: names no program; write a list such as [\"/usr/bin/play\", \"welcome.ogg\"]"),
    .action(
      "command = \"play it\"",
      "2: notifier action 1: command: needs a list such as [\"/usr/bin/play\", \"welcome.ogg\"], this is a text"),
    .action("command = [\"play\", 1]", "2: notifier action 1: command: needs a text such as \"welcome.ogg\", this is an integer"),
    .action(
      "command = [\"./play\"]",
      "2: notifier action 1: command: \"./play\" depends on the current folder; write the path from / or a name that is found in PATH"),
    .action("command = [\"true\"]\ntimeout = \"10ms\"", "3: notifier action 1: timeout: \"10ms\" is not between 100ms and 1h"),
    .action("notification = { body = \"x\" }", "2: notifier action 1: notification: title: is missing; it is needed here"),
    .action(
      "notification = { title = \"x\", text = \"y\" }",
      "2: notifier action 1: notification: text: there is no such key; the keys here are title, body"),
    .action("log = \"{distance\"", "2: notifier action 1: log: the { at position 1 is never closed; write {{ for a brace"),
    .action(
      "log = \"{who}\"",
      "2: notifier action 1: log: {who} is no placeholder; there are {region} {event} {time} {state} {major} {minor} {distance} {distanceMetres} {proximity}, and {{ and }} for braces"
    ),
  ])
  func `a wrong value of the notifier is named`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[ranging]\nrssi_offset = 1", "2: ranging: rssi_offset: there is no such key; did you mean rssi-offset?"),
    Mistake("[raging]", "1: raging: there is no such key; did you mean ranging?"),
    Mistake(
      "colour = 1",
      "1: colour: there is no such key; the keys here are source, capture-speed, adapter, ranging, beacon, region, journal, advertise, location, privacy, notifier"
    ),
    .region("exitDelay = \"3s\"", "4: region \"hall\": exitDelay: there is no such key; did you mean exit-delay?"),
    .region(
      "Range = 3",
      "4: region \"hall\": Range: there is no such key; the keys here are identifier, uuid, major, minor, exit-delay, learn-exit-delay, within, leave-beyond, hold, minimum-rssi, enter-sightings, enter-time, dwell, assume, notify-on-entry, notify-on-exit"
    ),
  ])
  func `an unknown key is named with the one that was meant`(mistake: Mistake) { check(mistake) }

  @Test func `everything that is wrong is said, by line`() {
    check(
      Mistake(
        "[notifier]\nparallel-commands = 0\n[ranging]\npath-loss-exponent = 0\nspeed = 1\n[[region]]\nuuid = \"x\"\nidentifier = \"a\"",
        "2: notifier: parallel-commands: 0 is not between 1 and 64", "4: ranging: path-loss-exponent: 0 is not between 1 and 6",
        "5: ranging: speed: there is no such key; the keys here are path-loss-exponent, rssi-offset, time-constant",
        "7: region \"a\": uuid: a UUID has 36 characters (8-4-4-4-12), this has 1"))
  }
}
