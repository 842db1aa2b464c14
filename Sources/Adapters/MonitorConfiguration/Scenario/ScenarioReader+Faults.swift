import Instants
import Simulation

extension ScenarioReader {
  static func outages(_ tables: [TableReader], adapters: Int) -> [Fault] {
    tables.compactMap { table in
      var table = table
      let adapter = table.require("adapter", as: .integer(0...511))
      if let adapter, adapter >= adapters {
        table.report("adapter", "there is no adapter \(adapter); the receivers have \(adapters), numbered from 0")
      }
      let noticedAfter = table.read("noticed-after", as: .inScenario)
      return lasting(&table, .outage(adapter: UInt16(truncatingIfNeeded: adapter ?? 0), noticedAfter: noticedAfter ?? .zero))
    }
  }

  static func positionOutages(_ tables: [TableReader]) -> [Fault] {
    tables.compactMap { table in
      var table = table
      let isSilent = table.read("silent", as: .flag)
      return lasting(&table, .positionOutage(isSilent: isSilent ?? false))
    }
  }

  static func restarts(_ tables: [TableReader]) -> [Fault] {
    tables.compactMap { table in
      var table = table
      return lasting(&table, .restart)
    }
  }

  static func clockSteps(_ tables: [TableReader]) -> [Fault] {
    tables.compactMap { table in
      var table = table
      let at = table.require("at", as: .inScenario)
      let step = table.require("by", as: .clockStep)
      table.finish()
      guard let at, let step else { return nil }
      return Fault(.clockStep(by: step), at: at)
    }
  }

  /// Reads the keys of a fault with an end, which are the last ones of its table.
  private static func lasting(_ table: inout TableReader, _ kind: Fault.Kind) -> Fault? {
    let at = table.require("at", as: .inScenario)
    let lasts = table.require("for", as: .duration(.milliseconds(1)...(.seconds(366 * 86_400))))
    let every = table.read("every", as: .repetition)
    if let every, let lasts, every <= lasts {
      table.report("every", "must be longer than for, or the faults overlap")
    }
    table.finish()
    guard let at, let lasts else { return nil }
    return Fault(kind, at: at, lasts: lasts, every: every)
  }
}
