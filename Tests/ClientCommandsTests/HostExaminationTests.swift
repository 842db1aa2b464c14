import Diagnosis
import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// The hosts of targets and the wireless interfaces, as doctor examines them.
@Suite struct HostExaminationTests {
  private final class FakeNetwork: ExaminedNetwork, ExaminedWireless {
    private(set) var dials: [String: (String?) -> Void] = [:]
    private(set) var requests: [String: (Int?) -> Void] = [:]

    func dial(_ host: String, port: UInt16, _ completion: @escaping (String?) -> Void) { dials["\(host):\(port)"] = completion }
    func requestFrequency(of interface: String, _ completion: @escaping (Int?) -> Void) { requests[interface] = completion }
  }

  private let scheduler = ManualScheduler()
  private let network = FakeNetwork()

  @Test func `a host that fails or is late has a reason, and the place is named once`() {
    let round = QuestionRound(scheduler)
    let examination = HostExamination(round, network)
    examination.begin([
      .init(label: "mqtt broker:1883", name: "broker", port: 1883), .init(label: "webhook", name: "shop.example", port: 443),
      .init(label: "late", name: "far", port: 1),
    ])
    #expect(examination.hosts.map(\.target) == ["mqtt broker:1883", "webhook at shop.example:443", "late at far:1"])
    network.dials["broker:1883"]?(nil)
    network.dials["shop.example:443"]?("refused")
    #expect(!round.isComplete)
    scheduler.advance(by: .seconds(5))
    network.dials["far:1"]?(nil)
    #expect(examination.hosts.map(\.failure) == [nil, "refused", "no answer from far:1 within 4s"])
    #expect(round.isComplete && examination.untried == 0)
  }

  @Test func `sixteen hosts are tried, and those without a valid port are not`() {
    let examination = HostExamination(QuestionRound(scheduler), network)
    examination.begin((1...18).map { .init(label: "t\($0)", name: "h", port: $0 == 2 ? 70_000 : $0) })
    #expect((examination.hosts.count, examination.untried, network.dials.count) == (15, 2, 15))
  }

  @Test func `the frequencies of connected interfaces are known, of four at most`() {
    let examination = WirelessExamination()
    examination.begin((0..<5).map { .init(name: "wlan\($0)", adapter: $0 == 1 ? "hci0" : nil) }, network)
    #expect(network.requests.count == 4)
    network.requests["wlan0"]?(nil)
    network.requests["wlan1"]?(2412)
    #expect(examination.facts.value == [WirelessFacts(interface: "wlan1", frequency: 2412, adapter: "hci0")])
  }

  @Test func `without interfaces nothing is missing, and without a list or a program the reason is known`() {
    func failure(_ interfaces: [WirelessExamination.Interface]?, _ wireless: FakeNetwork?) -> String? {
      let examination = WirelessExamination()
      examination.begin(interfaces, wireless)
      if case .failed(let reason) = examination.facts { return reason }
      return nil
    }
    #expect(failure(nil, network) == "no answer of the kernel")
    #expect(failure([], nil) == nil)
    #expect(failure([.init(name: "wlan0", adapter: nil)], nil) == "the program iw is not installed; it is in the package iw")
  }
}
