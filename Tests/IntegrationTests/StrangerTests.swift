import Foundation
import TestSupport
import Testing

/// A user who is neither root nor in the group beaconmon gets advice.
@Suite(.enabled(if: geteuid() == 0, "requires root to run as another user")) struct StrangerTests {
  @Test func `the notifier of an unprivileged user advises to join the group`() throws {
    let scene = try ConsentScene()
    let config = try scene.stage.file("notifier.toml", Stage.hall + "[[notifier.action]]\nlog = \"{event}\"\n")
    chmod(config, 0o644)
    let notifier = try ConsentScene.run(
      Programs.notifier, as: ConsentScene.stranger, scene.stage.bus, ["--bus", scene.stage.bus.address, "--config", config])
    _ = try notifier.log.next("the advice") {
      $0.contains(
        "beaconmond does not report its events: only root and the group beaconmon receive events; to join the group, run \"sudo usermod -aG beaconmon $USER\" and log in again"
      )
    }
    notifier.signal(SIGTERM)
    #expect(try notifier.exitStatus() == 0)
  }

  @Test func `privacy shows no data to an unprivileged user, and states who has access`() throws {
    let scene = try ConsentScene()
    let run = try ConsentScene.run(
      Programs.commandLine, as: ConsentScene.stranger, scene.stage.bus, ["privacy", "--bus", scene.stage.bus.address])
    #expect(try run.exitStatus() == 77)
    #expect(
      try run.log.all() == [
        "beaconmon: only root and the group beaconmon may use beaconmond; to join the group, run \"sudo usermod -aG beaconmon $USER\" and log in again"
      ])
  }

  @Test func `an outbox of another user is not reported as empty`() throws {
    let bus = try PrivateBus()
    chmod(bus.directory.path, 0o755)
    let state = bus.directory.file("state")
    mkdir(state, 0o700)
    let run = try ConsentScene.run(Programs.notifier, as: ConsentScene.stranger, bus, ["--outbox", "--state", state])
    #expect(try run.exitStatus() == 77)
    #expect(
      try run.log.all() == [
        "beaconmon-notifier: open \(state)/outbox.db: Permission denied (EACCES); run the command as its owner; for the service, with \"sudo -u beaconmon\""
      ])
  }

  @Test(.enabled(if: access("/var/lib/beaconmon-notifier", F_OK) != 0, "a notifier is installed"))
  func `the outbox command without a folder uses the outbox of the service`() throws {
    let stage = try Stage()
    #expect(
      try stage.refusal(of: Programs.notifier, ["--outbox"])
        == Stage.Refusal(
          status: 66,
          lines: [
            "beaconmon-notifier: open /var/lib/beaconmon-notifier/outbox.db: No such file or directory (ENOENT); there is no outbox"
          ]))
  }
}
