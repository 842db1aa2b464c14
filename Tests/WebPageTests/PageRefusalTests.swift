import Records
import Testing
import WebPage

/// The errors of the daemon as the page gets them.
@Suite struct PageRefusalTests {
  private func refusal(_ name: String, _ message: String = "no", isLackOfConsent: Bool = false) -> PageRefusal {
    PageRefusal(daemonError: name, message, isLackOfConsent: isLackOfConsent)
  }

  @Test(
    arguments: [
      ("org.freedesktop.DBus.Error.AccessDenied", 403, "denied"), ("org.freedesktop.DBus.Error.ServiceUnknown", 503, "daemon-absent"),
      ("org.freedesktop.DBus.Error.NoReply", 503, "no-answer"), ("org.beaconmon.Monitor1.Error.NoSuchPlace", 404, "not-found"),
      ("org.freedesktop.DBus.Error.InvalidArgs", 400, "argument"), ("org.beaconmon.Monitor1.Error.NotEditable", 403, "not-editable"),
      ("org.beaconmon.Monitor1.Error.LimitsExceeded", 429, "limit"), ("org.beaconmon.Monitor1.Error.StorageFailed", 500, "storage"),
      ("org.example.Odd", 500, "failed"), ("", 500, "failed"),
    ])
  func `an error has a status and a code`(name: String, status: Int, code: String) {
    let refusal = refusal(name)
    #expect(refusal.status == status && refusal.code == code)
  }

  @Test func `an error keeps its sentence, and one without a sentence has its name`() {
    #expect(refusal("org.example.Odd", "no disk").message == "no disk" && refusal("org.example.Odd", "").message == "org.example.Odd")
    #expect(refusal("org.freedesktop.DBus.Error.ServiceUnknown").message.hasPrefix("beaconmond is not running"))
  }

  @Test func `a lack of consent takes precedence over the name of the error`() {
    let refusal = refusal("org.freedesktop.DBus.Error.AccessDenied", isLackOfConsent: true)
    #expect(refusal.status == 503 && refusal.code == "consent")
  }

  @Test func `the difference of a stale revision follows its sentence`() {
    let stale = refusal("org.beaconmon.Monitor1.Error.StaleRevision", "it has changed\n-a\n\n+b")
    #expect(stale.status == 409 && stale.message == "it has changed" && stale.details["difference"]?.text == "-a\n\n+b")
    #expect(refusal("org.beaconmon.Monitor1.Error.StaleRevision", "it has changed").details["difference"]?.text == "")
  }

  @Test func `each line of an invalid venue is a problem`() {
    let one = refusal("org.beaconmon.Monitor1.Error.InvalidVenue", "line 1: odd")
    #expect(one.status == 422 && one.problems == ["line 1: odd"] && one.message == "the venue has a problem; correct it and save again")
    let two = refusal("org.beaconmon.Monitor1.Error.InvalidVenue", "line 1: odd\nline 2: odd")
    #expect(two.problems?.count == 2 && two.message == "the venue has 2 problems; correct it and save again")
  }
}
