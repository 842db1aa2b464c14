import Foundation
import TestSupport
import Testing

/// Files of another user.
@Suite struct UnreadableFileTests {
  @Test(.enabled(if: getuid() == 0 && Programs.areForRelease, "requires root, and programs with the standard library"))
  func `unreadable files are named with a remedy`() throws {
    let stage = try Stage()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stage.folder.path)
    let secret = try stage.file("secret", Stage.hall)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    let config = try stage.file("config.toml", Stage.hall)
    let program = try stage.copyForEverybody(Programs.daemon)
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", program, "--bus", stage.bus.address]
    let unreadableConfig = try stage.refusal(of: "/usr/bin/setpriv", nobody + ["--config", secret, "--source", "capture:\(Stage.walk)"])
    #expect(unreadableConfig.status == 66)
    #expect(unreadableConfig.lines == ["beaconmond: FOLDER/secret: cannot be read: Permission denied; let this user read it"])
    let unreadableCapture = try stage.refusal(of: "/usr/bin/setpriv", nobody + ["--config", config, "--source", "capture:\(secret)"])
    #expect(unreadableCapture.status == 66)
    #expect(unreadableCapture.lines == ["beaconmond: FOLDER/secret: open: Permission denied; make the file readable for this user"])
  }
}
