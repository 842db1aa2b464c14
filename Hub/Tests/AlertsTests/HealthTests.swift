import Alerts
import EventActions
import Events
import Instants
import Testing

@Suite struct HealthTests {
  @Test("a disk that is nearly full has one alert, although its free space varies around the limit")
  func disk() {
    var scene = Scene()
    let limit = AlertLimits().freeSpace
    for free in [limit + 1, limit - 1, limit + 1, limit - 1] {
      scene.change("berlin.d1") { $0.freeSpace = free }
      scene.pass(600)
    }
    #expect(scene.news() == ["disk-low berlin.d1"])
    scene.change("berlin.d1") { $0.freeSpace = limit * 2 }
    scene.pass(600)
    #expect(scene.news() == ["end of disk-low berlin.d1"])
  }

  @Test("a certificate has one alert 30 days before its end, until the device is enrolled again")
  func certificate() {
    var scene = Scene()
    let end = scene.now + .seconds(30 * 86_400 + 3600)
    scene.change("berlin.d1") { $0.certificateEnds = end }
    scene.pass(3590)
    #expect(scene.news() == [])
    scene.pass(7200)
    #expect(scene.news() == ["certificate-ending berlin.d1"])
    let text = scene.alerts.open[AlertKey(.certificateEnding, "berlin.d1")]?.problem.text
    #expect(text?.hasPrefix("the certificate of berlin.d1 ends at 20") == true)
    scene.change("berlin.d1") { $0.certificateEnds = end + .seconds(825 * 86_400) }
    scene.pass(200)
    #expect(scene.news() == ["end of certificate-ending berlin.d1"])
  }

  @Test("a certificate of the hub has one alert 30 days before its end, until it is replaced")
  func hubCertificate() {
    var scene = Scene()
    let path = "/etc/beaconmon-hub/hub.crt"
    func set(days: Double) {
      scene.observation.certificates = [
        FleetObservation.Certificate(machine: "hub1", path: path, ends: scene.now + .seconds(days * 86_400))
      ]
    }
    set(days: 31)
    scene.pass(200)
    #expect(scene.news() == [])
    set(days: 29)
    scene.pass(10)
    #expect(scene.news() == ["certificate-ending hub1:\(path)"])
    let text = scene.alerts.open[AlertKey(.certificateEnding, "hub1:\(path)")]?.problem.text
    #expect(text?.hasPrefix("the certificate \(path) on hub1 ends at 20") == true && text?.contains("beaconmon-hub admin issue") == true)
    set(days: 825)
    scene.pass(200)
    #expect(scene.news() == ["end of certificate-ending hub1:\(path)"])
  }

  @Test("a disk of the hub is watched while its measurement is fresh")
  func hubDisk() {
    var scene = Scene()
    scene.observation.disks = [FleetObservation.Disk(machine: "db1", path: "/var/lib", free: 1_000_000, measured: scene.now)]
    scene.pass(100)
    #expect(scene.news() == [])
    scene.observation.disks[0].measured = scene.now + .seconds(600)
    scene.pass(300)
    #expect(scene.news() == ["disk-low db1:/var/lib"])
    scene.observation.disks[0].free = .max
    scene.observation.disks[0].measured = scene.now - .seconds(600)
    scene.pass(3600)
    #expect(scene.news() == [])
  }

  @Test("a problem that does not last has no alert")
  func short() {
    var scene = Scene()
    scene.observation.backlog = 20_000
    scene.pass(100)
    scene.observation.backlog = 100
    scene.pass(100)
    scene.observation.backlog = 20_000
    scene.pass(100)
    #expect(scene.news() == [])
    scene.pass(60)
    #expect(scene.news() == ["backlog queues"])
  }

  @Test("a clock is wrong if it is ahead, far behind or not synchronised, and not while a backlog arrives")
  func clock() {
    var scene = Scene()
    scene.change("berlin.d1") { $0.lag = .seconds(-300) }
    scene.change("berlin.d2") { $0.lag = .seconds(50 * 365 * 86_400) }
    scene.change("berlin.d3") { $0.isClockSynchronised = false }
    scene.change("paris.d1") { $0.lag = .seconds(4 * 3600) }
    scene.pass(600)
    #expect(scene.news() == ["clock-wrong berlin.d1", "clock-wrong berlin.d2", "clock-wrong berlin.d3"])
  }

  @Test("a cloned identity has an alert at once")
  func cloned() {
    var scene = Scene()
    scene.change("berlin.d1") { $0.looksCloned = true }
    scene.pass(10)
    #expect(scene.news() == ["identity-cloned berlin.d1"])
  }

  @Test("refused events have one alert at once, which ends after a day without any, also while the device is silent")
  func refusals() {
    var scene = Scene()
    scene.change("berlin.d1") { $0.refusals = ["repeats numbers", "has begun too many journals"] }
    scene.pass(10)
    #expect(scene.news() == ["messages-refused berlin.d1"])
    #expect(
      scene.alerts.open[AlertKey(.messagesRefused, "berlin.d1")]?.problem.text
        == "berlin.d1 repeats numbers; it also has begun too many journals")
    scene.change("berlin.d1") { $0.refusals = [] }
    scene.pass(200)
    #expect(scene.news() == ["end of messages-refused berlin.d1"])
  }

  @Test("a mute concerns its site, its device or its subject, and one kind or all")
  func mute() {
    let problem = Problem(site: "berlin", device: "door", since: Instant(microseconds: 0), text: "")
    let alert = OpenAlert(key: AlertKey(.beaconMissing, "berlin/uuid/1/2"), problem: problem, opened: Instant(microseconds: 0))
    for subject in ["berlin", "berlin.door", "berlin/uuid/1/2"] {
      #expect(AlertMute(subject: subject).concerns(alert))
      #expect(AlertMute(subject: subject, kind: .beaconMissing).concerns(alert))
      #expect(!AlertMute(subject: subject, kind: .diskLow).concerns(alert))
    }
    for subject in ["paris", "berlin.hall", "door", ""] { #expect(!AlertMute(subject: subject).concerns(alert)) }
  }
}
