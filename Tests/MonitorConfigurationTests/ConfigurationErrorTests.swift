import MonitorConfiguration
import Testing

/// A text and its error messages, without the `t:` of its name.
struct Mistake: CustomTestStringConvertible {
  let text: String
  let messages: [String]

  init(_ text: String, _ messages: String...) {
    self.text = text
    self.messages = messages
  }

  var testDescription: String { messages.first ?? text }

  /// Returns a mistake in an otherwise valid region; the lines begin on line 4.
  static func region(_ lines: String, _ messages: String...) -> Mistake {
    Mistake("[[region]]\nidentifier = \"hall\"\nuuid = \"\(galleryUUID)\"\n\(lines)", messages)
  }

  /// Returns a mistake in an action, from line 2. The region "hall" follows the action.
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
    Mistake("source = \"hci0\"", "1: source: \"hci0\" is not a source; use auto, bluez, hci, none, capture:FILE or simulator:FILE"),
    Mistake(
      "source = \"\(String(repeating: "x", count: 1000))\"",
      "1: source: \"\(String(repeating: "x", count: 64))...\" is not a source; use auto, bluez, hci, none, capture:FILE or simulator:FILE"
    ),
    Mistake("source = \"capture:\"", "1: source: \"capture:\" has no file; write capture:FILE"),
    Mistake("source = 1", "1: source: must be a text such as \"capture:walk.btsnoop\", not an integer"),
    Mistake("\ncapture-speed = 0", "2: capture-speed: 0 is not between 0.001 and 1000000"),
    Mistake("capture-speed = -1.5", "1: capture-speed: -1.5 is not between 0.001 and 1000000"),
    Mistake("capture-speed = nan", "1: capture-speed: nan is not between 0.001 and 1000000"),
    Mistake("capture-speed = inf", "1: capture-speed: inf is not between 0.001 and 1000000"),
    Mistake("capture-speed = \"2\"", "1: capture-speed: must be a number from 0.001 to 1000000, not a text"),
    Mistake("capture-speed = 1979-05-27", "1: capture-speed: must be a number from 0.001 to 1000000, not a date or time"),
  ])
  func `an invalid top-level value is reported`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[[adapter]]", "1: adapter 1: missing key \"address\""),
    Mistake(
      "[[adapter]]\naddress = \"hci0\"",
      "2: adapter 1: address: \"hci0\" is not an adapter address; write one such as \"00:1A:7D:DA:71:13\", because names such as hci0 can change"
    ),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\n[[adapter]]\naddress = \"00:1a:7d:da:71:13\"",
      "4: adapter 2: address: is already used by the adapter in line 1; remove one of them"),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\nuse = 1\nrssi-offset = 50",
      "3: adapter 1: use: must be true or false, not an integer", "4: adapter 1: rssi-offset: 50 is not between -40 and 40"),
    Mistake(
      "[[adapter]]\naddress = \"00:1A:7D:DA:71:13\"\nused = true", "3: adapter 1: unknown key \"used\"; did you mean \"use\"?"),
    Mistake("[adapter]", "1: adapter: must be an array of tables, not a table; write [[adapter]] with double brackets"),
  ])
  func `an error about an adapter is reported`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[ranging]\npath-loss-exponent = 9.5", "2: ranging: path-loss-exponent: 9.5 is not between 1 and 6"),
    Mistake("[ranging]\n\nrssi-offset = -41", "3: ranging: rssi-offset: -41 is not between -40 and 40"),
    Mistake("[ranging]\ntime-constant = 2", "2: ranging: time-constant: must be a text such as \"30s\", not an integer"),
    Mistake(
      "[ranging]\ntime-constant = \"2\"",
      "2: ranging: time-constant: \"2\" is not a duration; write a number and ms, s, m, h or d, such as \"30s\""),
    Mistake("[ranging]\ntime-constant = \"50ms\"", "2: ranging: time-constant: \"50ms\" is not between 100ms and 1m"),
    Mistake("[ranging]\nmethod = \"kalman\"", "2: ranging: method: \"kalman\" is not a method; write \"bayesian\" or \"plain\""),
    Mistake("ranging.path-loss-exponent = true", "1: ranging: path-loss-exponent: must be a number from 1 to 6, not true or false"),
    Mistake("ranging = 3", "1: ranging: must be a table, not an integer; write [ranging] and its keys below"),
    Mistake(
      "[[ranging]]\nrssi-offset = 1", "1: ranging: must be a table, not a list; write [ranging] and its keys below"),
    Mistake(
      "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1",
      "1: beacon 1: missing key \"minor\"", "1: beacon 1: missing key \"rssi-offset\""),
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
      """, "6: beacon 2: is a duplicate of the beacon in line 1; remove one of them"),
    Mistake(
      "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1\nminor = 2\nrssi-offset = 41",
      "5: beacon 1: rssi-offset: 41 is not between -40 and 40"),
  ])
  func `an invalid value of ranging is reported`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[[region]]", "1: region 1: missing key \"identifier\"", "1: region 1: missing key \"uuid\""),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"8eg76ea3-6668-48da-9866-75be8bc86f4d\"",
      "3: region \"hall\": uuid: \"g\" at position 3 is not allowed in a UUID (8-4-4-4-12)"),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3\"",
      "3: region \"hall\": uuid: a UUID has 36 characters (8-4-4-4-12), this has 8"),
    Mistake(
      "[[region]]\nidentifier = \"hall\"\nuuid = 5",
      "3: region \"hall\": uuid: must be a text such as \"\(galleryUUID)\", not an integer"),
    .region("minor = 5", "4: region \"hall\": minor: requires major, because a minor is only unique within a major"),
    .region("major = 65536", "4: region \"hall\": major: 65536 is not between 0 and 65535"),
    .region("major = -1", "4: region \"hall\": major: -1 is not between 0 and 65535"),
    .region("major = \"1\"", "4: region \"hall\": major: must be an integer from 0 to 65535, not a text"),
    .region("major = 1.0", "4: region \"hall\": major: must be an integer from 0 to 65535, not a decimal number"),
    .region("exit-delay = \"500ms\"", "4: region \"hall\": exit-delay: \"500ms\" is not between 1s and 1h"),
    .region("exit-delay = \"2h\"", "4: region \"hall\": exit-delay: \"2h\" is not between 1s and 1h"),
    .region("learn-exit-delay = \"yes\"", "4: region \"hall\": learn-exit-delay: must be true or false, not a text"),
    .region("enter-sightings = 0", "4: region \"hall\": enter-sightings: 0 is not between 1 and 20"),
    .region(
      "enter-time = \"5s\"",
      "4: region \"hall\": enter-time: requires enter-sightings; without it, the first sighting enters"),
    .region("minimum-rssi = -128", "4: region \"hall\": minimum-rssi: -128 is not between -127 and 20"),
    .region("dwell = \"25h\"", "4: region \"hall\": dwell: \"25h\" is not between 1s and 1d"),
    .region(
      "assume = \"in\"", "4: region \"hall\": assume: \"in\" is not a state; write \"inside\", \"outside\" or \"unknown\""),
    .region("within = 0", "4: region \"hall\": within: 0 is not between 0.1 and 100"),
    .region(
      "within = 3\nleave-beyond = 2",
      "5: region \"hall\": leave-beyond: is less than within; it must be at least as large"),
    .region(
      "leave-beyond = 2\nhold = \"1s\"",
      "4: region \"hall\": leave-beyond: requires within; without it, any sighting counts",
      "5: region \"hall\": hold: requires within; without it, any sighting counts"),
    .region("within = 3\nhold = \"61s\"", "5: region \"hall\": hold: \"61s\" is not between 0s and 1m"),
    .region("notify-on-entry = \"yes\"", "4: region \"hall\": notify-on-entry: must be true or false, not a text"),
    .region("notify-on-exit = 0", "4: region \"hall\": notify-on-exit: must be true or false, not an integer"),
    .region(
      "[[region]]\nidentifier = \"hall\"\nuuid = \"\(galleryUUID)\"",
      "5: region \"hall\": identifier: is already used by the region in line 2; choose another one"),
    Mistake(
      "[[region]]\nidentifier = \"\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: is empty; write a name for the region, such as \"entrance\""),
    Mistake(
      "[[region]]\nidentifier = \"\(String(repeating: "x", count: 65))\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: has 65 characters; at most 64 are allowed"),
    Mistake(
      "[[region]]\nidentifier = \"a\\nb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{a}b\" contains a control character; remove it"),
    Mistake(
      "[[region]]\nidentifier = \"a\\u009bb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{9b}b\" contains a control character; remove it"),
    Mistake(
      "[[region]]\nidentifier = \"a\\u202eb\"\nuuid = \"\(galleryUUID)\"",
      "2: region 1: identifier: \"a\\u{202e}b\" contains a character that changes the direction of text; remove it"),
    Mistake(
      "[region]\nidentifier = \"hall\"",
      "1: region: must be an array of tables, not a table; write [[region]] with double brackets"),
    Mistake("region = [1,\n2]", "1: region: must contain tables, not an integer", "2: region: must contain tables, not an integer"),
  ])
  func `an invalid value of a region is reported`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[notifier]\nparallel-commands = 65", "2: notifier: parallel-commands: 65 is not between 1 and 64"),
    Mistake(
      "[notifier]\nparallel-commands = 2.5", "2: notifier: parallel-commands: must be an integer from 1 to 64, not a decimal number"),
    Mistake(
      "[notifier.action]\nlog = \"x\"",
      "1: notifier: action: must be an array of tables, not a table; write [[notifier.action]] with double brackets"),
    .action(
      "region = \"hall\"", "1: notifier action 1: has no effect; add a target, a command, a notification, a log, a webhook or an mqtt"),
    .action(
      "log = \"x\"\ncommand = [\"true\"]",
      "2: notifier action 1: log: cannot be combined with command; write one [[notifier.action]] for each"),
    .action("log = \"x\"\ntimeout = \"1s\"", "3: notifier action 1: timeout: is only for a command; remove it"),
    .action("region = \"hal\"\nlog = \"x\"", "2: notifier action 1: region: there is no region \"hal\"; did you mean \"hall\"?"),
    .action(
      "region = [\"hall\", \"kitchen\"]\nlog = \"x\"",
      "2: notifier action 1: region: there is no region \"kitchen\"; define it in a [[region]]"),
    .action("region = []\nlog = \"x\"", "2: notifier action 1: region: is empty; write at least one, or remove the key to match all"),
    .action("region = 1\nlog = \"x\"", "2: notifier action 1: region: must be a list such as [\"entrance\"], not an integer"),
    .action(
      "events = []\nlog = \"x\"",
      "2: notifier action 1: events: is empty; write at least one of \"enter\", \"exit\", \"dwell\", \"cross\", \"state\", \"depart\", \"hurry\", \"arrive\", \"miss\", \"beacon-missing\", \"beacon-weak\", \"beacon-moved\", \"beacon-duplicate\", \"beacon-recovered\", or remove the key for enter and exit"
    ),
    .action(
      "events = [\n\"enter\",\n\"leave\"]\nlog = \"x\"",
      "4: notifier action 1: events: \"leave\" is not an event; use one of \"enter\", \"exit\", \"dwell\", \"cross\", \"state\", \"depart\", \"hurry\", \"arrive\", \"miss\", \"beacon-missing\", \"beacon-weak\", \"beacon-moved\", \"beacon-duplicate\", \"beacon-recovered\""
    ),
    .action("events = \"enter\"\nlog = \"x\"", "2: notifier action 1: events: must be a list such as [\"enter\", \"exit\"], not a text"),
    .action("command = []", "2: notifier action 1: command: has no program; write a list such as [\"/usr/bin/play\", \"welcome.ogg\"]"),
    .action(
      "command = [\"\"]", "2: notifier action 1: command: has no program; write a list such as [\"/usr/bin/play\", \"welcome.ogg\"]"),
    .action(
      "command = \"play it\"",
      "2: notifier action 1: command: must be a list such as [\"/usr/bin/play\", \"welcome.ogg\"], not a text"),
    .action("command = [\"play\", 1]", "2: notifier action 1: command: must be a text such as \"welcome.ogg\", not an integer"),
    .action(
      "command = [\"./play\"]",
      "2: notifier action 1: command: \"./play\" is relative to the current folder; write an absolute path, or a name that is in PATH"),
    .action("command = [\"true\"]\ntimeout = \"10ms\"", "3: notifier action 1: timeout: \"10ms\" is not between 100ms and 1h"),
    .action("notification = { body = \"x\" }", "2: notifier action 1: notification: missing key \"title\""),
    .action(
      "notification = { title = \"x\", text = \"y\" }",
      "2: notifier action 1: notification: unknown key \"text\"; the keys here are title, body"),
    .action("log = \"{distance\"", "2: notifier action 1: log: the { at position 1 is never closed; write {{ for a brace"),
    .action(
      "log = \"{who}\"",
      "2: notifier action 1: log: {who} is not a placeholder; use {region} {event} {time} {state} {major} {minor} {distance} {distanceMetres} {proximity} {place} {appointment} {minutes} {alert} {site} {device} {text} {duration}, or {{ and }} for braces"
    ),
  ])
  func `an invalid value of the notifier is reported`(mistake: Mistake) { check(mistake) }

  @Test(arguments: [
    Mistake("[ranging]\nrssi_offset = 1", "2: ranging: unknown key \"rssi_offset\"; did you mean \"rssi-offset\"?"),
    Mistake("[raging]", "1: unknown key \"raging\"; did you mean \"ranging\"?"),
    Mistake(
      "colour = 1",
      "1: unknown key \"colour\"; the keys here are source, capture-speed, adapter, ranging, beacon, region, place, journal, advertise, location, heading, geocoding, privacy, web, metrics, notifier, receiver, beacon-health, appointment, calendar, walking, venues, language, require"
    ),
    .region("exitDelay = \"3s\"", "4: region \"hall\": unknown key \"exitDelay\"; did you mean \"exit-delay\"?"),
    .region(
      "Range = 3",
      "4: region \"hall\": unknown key \"Range\"; the keys here are identifier, uuid, major, minor, exit-delay, learn-exit-delay, within, leave-beyond, hold, nearest-only, minimum-rssi, enter-sightings, enter-time, dwell, assume, notify-on-entry, notify-on-exit"
    ),
  ])
  func `an unknown key is reported with the nearest known one`(mistake: Mistake) { check(mistake) }

  @Test func `all errors of a file are reported in the order of their lines`() {
    check(
      Mistake(
        "[notifier]\nparallel-commands = 0\n[ranging]\npath-loss-exponent = 0\nspeed = 1\n[[region]]\nuuid = \"x\"\nidentifier = \"a\"",
        "2: notifier: parallel-commands: 0 is not between 1 and 64", "4: ranging: path-loss-exponent: 0 is not between 1 and 6",
        "5: ranging: unknown key \"speed\"; the keys here are path-loss-exponent, rssi-offset, time-constant, method",
        "7: region \"a\": uuid: a UUID has 36 characters (8-4-4-4-12), this has 1"))
  }
}
