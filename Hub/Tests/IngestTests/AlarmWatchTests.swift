import Ingest
import Instants
import Testing

@Suite struct AlarmWatchTests {
  private let clock = ManualClock()

  /// Runs a watch with these answers of the broker, one after each pause, and returns the lines of its log.
  private func run(
    _ answers: [Result<String?, Stop>], _ outages: ListOutages, before: @escaping (Int) -> Void = { _ in }
  ) -> [String] {
    var lines: [String] = []
    var asked = 0
    let watch = AlarmWatch(clock: clock, outages) {
      before(asked)
      defer { asked += 1 }
      return try answers[asked].get()
    } report: {
      lines.append($0)
    }
    watch.run {
      asked == answers.count
    } pause: {
      clock.uptime += $0
    }
    return lines
  }

  @Test("an alarm is noted and logged once, and so is its end")
  func alarm() {
    let outages = ListOutages()
    let lines = run([.success(nil), .success("disk"), .success("disk"), .success(nil), .success(nil)], outages)
    #expect(outages.alarms == ["none", "disk 0", "none"])
    #expect(
      lines == [
        "the broker takes no messages, because it is low on disk; devices keep theirs", "the broker takes messages again, after 6 s",
      ])
  }

  @Test("the first answer ends an outage that an earlier worker has left open")
  func leftOver() {
    let outages = ListOutages()
    #expect(run([.failure(Stop()), .success(nil)], outages) == [] && outages.alarms == ["none"])
  }

  @Test("a broker that does not answer changes nothing")
  func silence() {
    let outages = ListOutages()
    let lines = run([.success("disk"), .failure(Stop()), .success("disk"), .success("memory & disk"), .success(nil)], outages)
    #expect(outages.alarms == ["disk 0", "memory & disk 0", "none"] && lines.last == "the broker takes messages again, after 12 s")
  }

  @Test("an alarm that the database cannot take is noted later, with the time since then")
  func fullDatabase() {
    let outages = ListOutages()
    _ = run([.success("disk"), .success("disk"), .success("disk")], outages) { outages.isDown = $0 < 2 }
    #expect(outages.alarms == ["disk 6"])
  }
}
