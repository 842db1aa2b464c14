import ArgumentParser
import EventLoop
import FleetMessages
import FleetSimulation
import Instants

@main
struct FleetLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet-load",
    abstract: "Simulate the devices of a fleet, for tests of a hub.",
    discussion: """
      Each device publishes a digest of 20 beacons a period, an event every fifth time, and a report after each connection. It forgets a message
      when the broker has acknowledged it. SIGUSR1 cuts the links of every second device for one to four seconds.
      """)

  @Option(help: "The MQTT listeners of the broker over TLS, such as localhost:8883,localhost:8884.") var brokers: String
  @Option(help: "The folder with ca.crt and SITE.DEVICE.crt and .key of each device.") var certificates: String
  @Option(help: "The number of devices, which are called d0, d1 and so on.") var devices = 50
  @Option(help: "The number of the first device.") var first = 0
  @Option(help: "The number of sites, which are called s0, s1 and so on. The number of a device modulo this is its site.") var sites = 3
  @Option(help: "Milliseconds between two digests of a device.") var period = 1000
  @Option(help: "Seconds before the run of which each device sends the messages first, 20 a second, as after an outage.") var backlog = 0
  @Option(help: "The duration in seconds. Then the devices wait until everything is acknowledged, for at most a minute.") var seconds = 20
  @Option(help: "The file for a line of each acknowledged message: site, device, stream, journal, number, milliseconds, port.")
  var ledger: String?

  func run() throws {
    let addresses = try brokers.split(separator: ",").map { text in
      let parts = text.split(separator: ":")
      guard parts.count == 2, let port = Int32(parts[1]) else { throw ValidationError("\"\(text)\" is not an address; write HOST:PORT") }
      return (host: String(parts[0]), port: port)
    }
    guard devices > 0, sites > 0, period > 0, backlog >= 0, !addresses.isEmpty else {
      throw ValidationError("a fleet has devices, sites, a period and a broker")
    }
    var run = LoadRun(.seconds(Double(seconds)), acknowledgements: try ledger.map(AcknowledgementLog.init))
    for index in first..<first + devices {
      guard let address = FleetAddress(site: "s\(index % sites)", device: "d\(index)") else {
        throw ValidationError("device \(index) has no address")
      }
      let phase = Span(microseconds: Int64(period * 1000 * (index - first) / devices))
      let device = SimulatedDevice(
        address, index: index, journal: StreamJournal(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)),
        period: .milliseconds(Int64(period)), start: Instant(microseconds: 0) + phase, backlog: .seconds(Double(backlog)))
      let schedule = ConnectionSchedule(after: index, from: MonotonicClock.now + phase)
      run.links.append(DeviceLink(device, schedule, brokers: addresses, certificates: certificates))
    }
    guard run.run() else { throw ExitCode.failure }
  }
}
