import Consent
import DBus
import Instants
import Locations
import Records
import Testing

@testable import MonitorClient

@Suite struct LocationPlanTests {
  private let away = DBusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "it is not running")
  private let denied = DBusError(name: "org.beaconmon.Monitor1.Error.NotAuthorized", message: "root said no")
  private let noSource = DBusError(name: "org.beaconmon.Monitor1.Error.NoLocationSource", message: "add one")
  private let best = LocationUpdateOptions(.fixes(desiredAccuracy: 0, distanceFilter: nil))
  private let rough = LocationUpdateOptions(.fixes(desiredAccuracy: 100, distanceFilter: 10))
  private let place = ManualLocation(latitude: 52.5, longitude: 13.4)
  private let found = LocationReport(Record(["latitude": .quantity(52.5, decimals: 7), "longitude": .quantity(13.4, decimals: 7)]))

  private func second(_ second: Double) -> Instant { Instant(microseconds: 0) + .seconds(second) }

  private func open(_ authorization: Authorization = .whenInUse) -> SessionPlan {
    var plan = SessionPlan()
    _ = reopen(&plan, authorization)
    return plan
  }

  private func reopen(_ plan: inout SessionPlan, _ authorization: Authorization = .whenInUse) -> [SessionPlan.Action] {
    _ = plan.daemonAppeared()
    return plan.opened(authorization, reason: "the rule", capabilities: ["location"], at: second(20))
  }

  @Test func `updates are requested once, again with other options, and again after a loss`() {
    var plan = open()
    #expect(plan.startLocating(best) == [.start(.locating(best), 1)])
    #expect(plan.startLocating(best) == [])
    #expect(plan.startLocating(rough) == [.start(.locating(rough), 2)])
    // The answer to the first request does not answer the second.
    #expect(plan.answered(1, nil, at: second(1)) == [])
    #expect(plan.answered(2, nil, at: second(1)) == [.report(.began(.locating))])
    _ = plan.lost(away, at: second(10))
    #expect(reopen(&plan) == [.start(.locating(rough), 3)])
    #expect(
      plan.answered(3, nil, at: second(21)) == [
        .report(.began(.locating)), .report(.available(after: SessionGap(from: second(10), to: second(21)))),
      ])
    #expect(plan.stop(.locating) == [.stop(.locating)] && !plan.wants(.locating))
  }

  @Test func `a client without a source is retried when a source exists, and not before`() {
    var plan = open()
    _ = plan.startLocating(best)
    #expect(plan.answered(1, noSource, at: second(1)) == [.report(.refused(.locating, noSource))])
    #expect(plan.authorizationChanged(.always, reason: "root said yes").count == 1)
    let others = ["beaconRanging", "location"]
    #expect(plan.capabilitiesChanged(others) == [.report(.capabilities(others)), .start(.locating(best), 2)])
    _ = plan.answered(2, nil, at: second(2))
    #expect(plan.capabilitiesChanged([]) == [.report(.capabilities([]))])
  }

  @Test func `denied updates start with consent, and a revocation is reported`() {
    var plan = open()
    _ = plan.startLocating(best)
    _ = plan.answered(1, denied, at: second(1))
    #expect(plan.authorizationChanged(.always, reason: "root said yes").last == .start(.locating(best), 2))
    _ = plan.answered(2, nil, at: second(2))
    #expect(plan.authorizationChanged(.denied, reason: "root said no").last == .report(.refused(.locating, denied)))
    // The daemon would keep the user's location.
    #expect(plan.stop(.locating) == [.stop(.locating)])
  }

  @Test func `a manual location is sent before the request, and again whenever consent changes`() {
    var plan = open()
    _ = plan.startLocating(best)
    _ = plan.answered(1, noSource, at: second(1))
    #expect(plan.setManualLocation(place) == [.setManualLocation(place), .start(.locating(best), 2)])
    #expect(plan.setManualLocation(place) == [])
    _ = plan.answered(2, nil, at: second(2))
    #expect(plan.authorizationChanged(.denied, reason: "root said no").last == .start(.locating(best), 3))
    _ = plan.answered(3, nil, at: second(3))
    #expect(plan.authorizationChanged(.whenInUse, reason: "root said yes").last == .start(.locating(best), 4))
    _ = plan.lost(away, at: second(10))
    #expect(reopen(&plan).suffix(2) == [.setManualLocation(place), .start(.locating(best), 5)])
    #expect(plan.setManualLocation(nil) == [.setManualLocation(nil), .start(.locating(best), 6)])
  }

  // MARK: Searches

  private func search(_ number: UInt64, _ plan: inout SessionPlan, timeout: Span = .seconds(30), at time: Double = 0) -> [UInt64] {
    numbers(plan.search(number, 0, timeout: timeout, at: second(time)))
  }

  /// Returns the numbers of the searches that are requested.
  private func numbers(_ actions: [SessionPlan.Action]) -> [UInt64] {
    actions.compactMap { if case .search(let search) = $0 { search.number } else { nil } }
  }

  @Test func `at most four searches are pending, and the next one follows an answer`() {
    var plan = open()
    for number in 1...4 as ClosedRange<UInt64> { #expect(search(number, &plan) == [number]) }
    #expect(search(5, &plan, timeout: .seconds(1)) == [] && search(6, &plan) == [])
    #expect(plan.searches.nextDeadline == second(1))
    #expect(plan.searchAnswered(2, .success(found)).first == .report(.searched(2, .success(found))))
    // The daemon has the fifth search by then.
    #expect(plan.searches.nextDeadline == second(30))
    #expect(plan.searchAnswered(2, .success(found)) == [])
  }

  @Test func `a search is repeated after a loss, and fails with the reason at its timeout`() {
    var plan = open()
    _ = search(1, &plan)
    _ = search(2, &plan, timeout: .seconds(100))
    #expect(plan.advance(to: second(40)) == [])
    _ = plan.lost(away, at: second(10))
    #expect(plan.searches.nextDeadline == second(30))
    #expect(plan.advance(to: second(30)) == [.report(.searched(1, .failure(away)))])
    #expect(numbers(reopen(&plan)) == [2])
    #expect(plan.searches.nextDeadline == .never)
  }

  @Test func `the daemon ends its searches when the last of them is cancelled`() {
    var plan = open()
    _ = search(1, &plan)
    _ = search(2, &plan)
    #expect(plan.cancelSearch(1) == [] && plan.searchAnswered(1, .success(found)) == [])
    #expect(plan.cancelSearch(2) == [.cancelSearches])
    #expect(plan.cancelSearch(2) == [])
  }

  @Test func `a cancelled search counts until the daemon has answered it or is lost`() {
    var plan = open()
    for number in 1...7 as ClosedRange<UInt64> { _ = search(number, &plan) }
    #expect(plan.cancelSearch(1) == [] && plan.cancelSearch(6) == [])
    let next = plan.searchAnswered(1, .success(found))
    #expect(numbers(next) == [5] && next.count == 1)
    #expect(plan.cancelSearch(2) == [] && plan.cancelSearch(2) == [])
    _ = plan.lost(away, at: second(1))
    #expect(numbers(reopen(&plan)) == [3, 4, 5, 7])
    // The waiting search follows as soon as the daemon has ended the others.
    _ = search(8, &plan)
    #expect(plan.cancelSearch(3) == [] && plan.cancelSearch(4) == [] && plan.cancelSearch(5) == [])
    let last = plan.cancelSearch(7)
    #expect(last.first == .cancelSearches && numbers(last) == [8])
    #expect(plan.searchAnswered(3, .success(found)) == [])
  }
}
