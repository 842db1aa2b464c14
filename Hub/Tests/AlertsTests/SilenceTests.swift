import Alerts
import EventActions
import Events
import Instants
import Testing

@Suite struct SilenceTests {
  @Test("devices that only send reports are not silent, and one of them that stops is", arguments: [420.0, 900])
  func idle(_ limit: Double) {
    var limits = AlertLimits()
    limits.silence = .seconds(limit)
    var scene = Scene()
    scene.watch = FleetWatch(limits)
    let all = Set(scene.observation.devices.map(\.fullName))
    /// Lets every device but these send one report.
    func report(except dead: Set<String> = []) {
      scene.silent = dead
      scene.pass(10)
      scene.silent = all
      scene.pass(350)
    }
    for _ in 0..<10 { report() }
    #expect(scene.news() == [])
    for _ in 0..<4 { report(except: ["berlin.d1"]) }
    #expect(scene.news() == ["device-silent berlin.d1"])
  }

  @Test("a silent device has one alert, and one end with the time that it lasted")
  func device() {
    var scene = Scene()
    scene.pass(3600)
    #expect(scene.news() == [])
    scene.silent = ["berlin.d2"]
    scene.pass(880)
    #expect(scene.news() == [])
    scene.pass(7200)
    #expect(scene.news() == ["device-silent berlin.d2"])
    let alert = scene.alerts.open[AlertKey(.deviceSilent, "berlin.d2")]
    #expect(alert?.problem.text.contains("berlin.d2 has sent nothing since 20") == true)
    scene.silent = []
    scene.pass(100)
    #expect(scene.news() == [])
    scene.pass(60)
    #expect(scene.news() == ["end of device-silent berlin.d2"])
  }

  @Test("devices of a site that never send have one alert, and no other device or site does", arguments: ["berlin", "rome"])
  func neverHeard(_ site: String) {
    var scene = Scene()
    scene.pass(3600)
    for name in ["new", "attic"] { scene.enrol(site, name) }
    scene.pass(880)
    #expect(scene.news() == [])
    scene.pass(7200)
    #expect(scene.news() == ["never-connected \(site)"])
    let alert = scene.alerts.open[AlertKey(.neverConnected, site)]
    #expect(alert?.problem.text == "2 devices of \(site) have never sent anything, and were expected: attic, new")
    scene.silent = ["\(site).new"]
    scene.pass(3600)
    #expect(scene.news() == [])
    scene.silent = []
    scene.pass(200)
    #expect(scene.news() == ["end of never-connected \(site)"])
  }

  @Test("devices that are enrolled before their installation have no alert until they are expected")
  func expected() {
    var scene = Scene()
    scene.pass(3600)
    for number in 0..<50 { scene.enrol("berlin", "new\(number)", expectedIn: 86_400) }
    scene.pass(86_400 + 880)
    #expect(scene.news() == [])
    scene.silent.remove("berlin.new7")
    scene.pass(7200)
    #expect(scene.news() == ["never-connected berlin"])
    let text = scene.alerts.open[AlertKey(.neverConnected, "berlin")]?.problem.text
    #expect(text?.hasPrefix("49 devices of berlin have never sent anything") == true)
  }

  @Test("a device that sends for the first time in time has no alert, and neither has one at a site without a link")
  func firstMessage() {
    var scene = Scene()
    scene.pass(3600)
    scene.enrol("berlin", "new")
    scene.pass(600)
    scene.silent = []
    scene.pass(7200)
    #expect(scene.news() == [])
    scene.enrol("berlin", "other")
    scene.silence("berlin")
    scene.pass(7200)
    #expect(scene.news() == ["site-silent berlin"])
  }

  @Test("a device that comes and goes has one alert")
  func flapping() {
    var scene = Scene()
    scene.pass(3600)
    for _ in 0..<10 {
      scene.silent = ["berlin.d2"]
      scene.pass(1000)
      scene.silent = []
      scene.pass(60)
    }
    #expect(scene.news() == ["device-silent berlin.d2"])
    scene.pass(600)
    #expect(scene.news() == ["end of device-silent berlin.d2"])
  }

  @Test(
    "a site without a link has one alert, and its devices have none, also if they return one after the other",
    arguments: [600.0, 840, 7200])
  func site(_ outage: Double) {
    var scene = Scene(sites: ["berlin": 50, "paris": 2])
    scene.pass(3600)
    scene.silence("berlin")
    scene.pass(outage)
    scene.silent = []
    let late = Dictionary(uniqueKeysWithValues: (1...50).map { ("berlin.d\($0)", Double($0) * 5) })
    scene.pass(3600, late: late)
    #expect(scene.news() == (outage < 900 ? [] : ["site-silent berlin", "end of site-silent berlin"]))
  }

  @Test("a device that stays away after the outage of its site has an alert of its own")
  func deviceAfterSite() {
    var scene = Scene()
    scene.pass(3600)
    scene.silence("berlin")
    scene.pass(3600)
    scene.silent = ["berlin.d1"]
    scene.pass(600)
    #expect(scene.news() == ["site-silent berlin", "end of site-silent berlin"])
    scene.pass(600)
    #expect(scene.news() == ["device-silent berlin.d1"])
  }

  @Test("the only device of a site has the alert of the site")
  func single() {
    var scene = Scene(sites: ["berlin": 1, "paris": 2])
    scene.pass(3600)
    scene.silence("berlin")
    scene.pass(3600)
    #expect(scene.news() == ["site-silent berlin"])
    #expect(scene.alerts.open.values.first?.problem.text.hasPrefix("berlin.d1, the only device of berlin, has sent nothing") == true)
  }

  @Test("a fleet without a link has one alert")
  func fleet() {
    var scene = Scene(sites: ["berlin": 50, "paris": 2, "rome": 1])
    scene.pass(3600)
    for site in ["berlin", "paris", "rome"] { scene.silence(site) }
    scene.pass(7200)
    #expect(scene.news() == ["fleet-silent fleet"])
    scene.silent = ["rome.d1"]
    scene.pass(600)
    #expect(scene.news() == ["end of fleet-silent fleet"])
    scene.pass(600)
    #expect(scene.news() == ["site-silent rome"])
  }

  @Test("after a long stop of the hub, devices have their time to report", arguments: [true, false])
  func stop(_ isWatching: Bool) {
    var scene = Scene(sites: ["berlin": 50, "paris": 2])
    scene.pass(3600)
    if isWatching {
      scene.observation.hasWorkers = false
      scene.silence("berlin")
      scene.silence("paris")
      scene.pass(20_000)
      #expect(scene.news() == ["worker-missing ingest"])
      scene.observation.hasWorkers = true
    } else {
      scene.stop(20_000)
      scene.restart()
    }
    scene.silent = ["berlin.d7"]
    let late = Dictionary(uniqueKeysWithValues: (1...50).map { ("berlin.d\($0)", Double($0) * 5) })
    scene.pass(600, late: late)
    #expect(scene.news() == (isWatching ? ["end of worker-missing ingest"] : []))
    scene.pass(600)
    #expect(scene.news() == ["device-silent berlin.d7"])
  }

  @Test("another program continues with open alerts")
  func restart() {
    var scene = Scene()
    scene.pass(3600)
    scene.silent = ["berlin.d2"]
    scene.pass(600)
    scene.restart()
    scene.pass(600)
    #expect(scene.news() == ["device-silent berlin.d2"])
    scene.restart()
    scene.pass(3600)
    scene.silent = []
    scene.pass(60)
    scene.restart()
    scene.pass(600)
    #expect(scene.news() == ["end of device-silent berlin.d2"])
  }

  @Test("a single device that never sends is named, and its revocation ends the alert")
  func revokedUnheard() {
    var scene = Scene()
    scene.enrol("berlin", "new")
    scene.pass(3600)
    #expect(scene.alerts.open[AlertKey(.neverConnected, "berlin")]?.problem.text.hasPrefix("berlin.new has never sent anything") == true)
    scene.observation.devices.removeAll { $0.fullName == "berlin.new" }
    scene.pass(200)
    #expect(scene.news() == ["never-connected berlin", "end of never-connected berlin"])
  }

  @Test("the alert of a revoked device ends")
  func revoked() {
    var scene = Scene()
    scene.silent = ["berlin.d2"]
    scene.pass(3600)
    scene.observation.devices.removeAll { $0.fullName == "berlin.d2" }
    scene.pass(10)
    #expect(scene.news() == ["device-silent berlin.d2", "end of device-silent berlin.d2"])
  }
}
