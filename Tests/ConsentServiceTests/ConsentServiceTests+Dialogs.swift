import Consent
import Instants
import Logging
import Status
import TestSupport
import Testing

@testable import ConsentService

/// Questions that a user or an administrator answers.
extension ConsentServiceTests {
  @Test func `two clients of a user share one dialog, and its answer is stored`() throws {
    let service = service(file)
    var answers: [Authorization] = []
    service.request(.whenInUse, for: try client(alice)) { answers.append($0.authorization) }
    service.request(.whenInUse, for: try client(alice, app: nil)) { answers.append($0.authorization) }
    #expect(dialog.asked.count == 1 && answers.isEmpty)
    dialog.answer(.yes)
    #expect(answers == [.whenInUse, .whenInUse])
    #expect(file.stored[.user(1000)]?.author == .polkit)
  }

  @Test func `a denial during the dialog takes precedence over a later yes of the user`() throws {
    let service = service(file)
    var answers: [Authorization] = []
    service.request(.always, for: try client(alice)) { answers.append($0.authorization) }
    try service.decide(.user(1000), .denied, by: Person(0))
    dialog.answer(.yes)
    #expect(answers == [.denied] && authorization(service, alice) == .denied)
  }

  @Test func `a no denies this call, and the next call opens the dialog again`() throws {
    let service = service(file)
    var answers: [Authorization] = []
    for _ in 0..<2 {
      service.request(.whenInUse, for: try client(alice)) { answers.append($0.authorization) }
      dialog.answer(.no)
    }
    #expect(answers == [.denied, .denied] && dialog.asked.count == 2 && file.stored.isEmpty)
  }

  @Test func `a dismissed dialog leaves the authorization undetermined`() throws {
    let service = service(file)
    var answers: [Authorization] = []
    service.request(.whenInUse, for: try client(alice)) { answers.append($0.authorization) }
    dialog.answer(.dismissed)
    #expect(answers == [.notDetermined] && file.stored.isEmpty)
  }

  @Test func `root manages consent without a dialog, and another user after one`() {
    let service = service(file)
    var answers: [Bool] = []
    service.authorizeManager(Person(0), busName: ":1.0") { answers.append($0) }
    service.authorizeManager(alice, busName: ":1.1000") { answers.append($0) }
    #expect(answers == [true] && dialog.asked.map(\.busName) == [":1.1000"])
    dialog.answer(.dismissed)
    #expect(answers == [true, false])
  }
}
