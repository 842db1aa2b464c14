import Alerts
import Events
import Instants
import Testing

@Suite struct BeaconTests {
  private static let day = 86_400.0

  @Test("a beacon that its working device hears no longer has one alert")
  func missing() {
    var scene = Scene(beacons: ["cart", "door"])
    scene.step = .seconds(60)
    scene.pass(3600)
    scene.lost = ["cart"]
    scene.pass(Self.day - 60)
    #expect(scene.news() == [])
    scene.pass(3600)
    #expect(scene.news() == ["beacon-missing berlin/cart"])
    scene.lost = []
    scene.pass(600)
    #expect(scene.news() == ["end of beacon-missing berlin/cart"])
  }

  @Test("the beacons of a silent device are not missing, and have their time after it returns", arguments: ["berlin.d1", "berlin"])
  func silentDevice(_ subject: String) {
    var scene = Scene(beacons: ["cart", "door"])
    scene.step = .seconds(60)
    scene.pass(3600)
    if subject == "berlin" { scene.silence("berlin") } else { scene.silent = [subject] }
    scene.pass(3 * Self.day)
    scene.silent = []
    scene.lost = ["cart"]
    scene.pass(Self.day - 3600)
    #expect(scene.news().allSatisfy { $0.contains("silent") })
    scene.pass(7200)
    #expect(scene.news() == ["beacon-missing berlin/cart"])
  }

  @Test("a device that hears none of its beacons is the suspect itself")
  func deaf() {
    var scene = Scene(beacons: ["cart", "door", "lamp"])
    scene.step = .seconds(60)
    scene.pass(3600)
    scene.lost = ["cart", "door", "lamp"]
    scene.pass(2 * Self.day)
    #expect(scene.news() == ["device-deaf berlin.d1"])
    scene.lost = ["lamp"]
    scene.pass(600)
    #expect(scene.news() == ["beacon-missing berlin/lamp", "end of device-deaf berlin.d1"])
  }

  @Test("a device with a problem of its own reports no missing beacon")
  func problem() {
    var scene = Scene(beacons: ["cart"])
    scene.step = .seconds(60)
    scene.change("berlin.d1") { $0.hasProblems = true }
    scene.lost = ["cart"]
    scene.pass(2 * Self.day)
    #expect(scene.news() == [])
  }

  @Test("a beacon is not missing for time in which the hub was stopped")
  func stop() {
    var scene = Scene(beacons: ["cart", "door"])
    scene.step = .seconds(60)
    scene.pass(3600)
    scene.lost = ["cart"]
    scene.stop(5 * Self.day)
    scene.restart()
    scene.pass(Self.day - 3600)
    #expect(scene.news() == [])
  }
}
