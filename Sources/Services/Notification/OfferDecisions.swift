import Logging
import Venues

/// The decisions of a user about the offers of venues, and the visits, which a file keeps.
///
/// Other programs change the file too. While it cannot be used, changes are kept in memory and venues without a decision count as muted;
/// the changes are repeated on the history of the file as soon as it can be used. A damaged file is moved aside: its intact entries are
/// kept, and venues without one count as muted.
public final class OfferDecisions {
  /// The maximum number of changes that wait for the file. The oldest ones are dropped first.
  static let mostPending = 1024

  private let file: (any OfferHistoryFile)?
  private let log: Logger
  /// The changes that are not stored, in their order.
  private var pending: [(inout OfferHistory) -> Void] = []
  /// The history with the pending changes; nil if there are none.
  ///
  /// This history only answers queries and is never written. It is unverified if the file was not read.
  private var unsaved: OfferHistory?
  /// The failure in the last log line.
  private var logged: String?
  /// The reason why the last update did not use the file; nil if it did.
  public private(set) var failure: String?

  /// - Parameter file: nil keeps the history in memory.
  public init(_ file: (any OfferHistoryFile)?, log: Logger) {
    self.file = file
    self.log = log
  }

  /// Reads the file, applies a change and stores the result, while no other program does so.
  ///
  /// A failure is logged. The change is then repeated when the file can be used, unless this process ends before.
  @discardableResult
  public func update<Value>(_ change: @escaping (inout OfferHistory) -> Value) -> Value {
    do {
      let value = try store(change)
      (failure, logged) = (nil, nil)
      return value
    } catch {
      fail(error)
      // Without the file, no earlier decision is known.
      var history = unsaved ?? OfferHistory(isUnverified: true)
      let before = history
      let value = change(&history)
      if history != before {
        unsaved = history
        pending.append { _ = change(&$0) }
        if pending.count > Self.mostPending { pending.removeFirst() }
      }
      return value
    }
  }

  /// Reads the file, applies a change and stores the result. Throws if the change is not stored, and then forgets it.
  @discardableResult
  public func store<Value>(_ change: (inout OfferHistory) -> Value) throws -> Value {
    guard let file else {
      var history = unsaved ?? OfferHistory()
      defer { unsaved = history }
      return change(&history)
    }
    return try file.whileLocked {
      let stored = try read(file)
      var history = stored
      for earlier in pending { earlier(&history) }
      let known = history
      let value = change(&history)
      if history != stored {
        do { try file.write(history.text) } catch {
          unsaved = known
          throw error
        }
      }
      (unsaved, pending) = (nil, [])
      return value
    }
  }

  private func fail(_ error: any Error) {
    failure = "\(error)"
    let text = "\(error); the decisions about the offers of venues are kept in memory until the file can be used"
    guard logged != text else { return }
    logged = text
    log.error("\(text)")
  }

  private func read(_ file: any OfferHistoryFile) throws -> OfferHistory {
    // A damaged file was moved aside, and its successor was never written.
    guard let text = try file.read() else { return OfferHistory(isUnverified: file.hasMovedAside) }
    let (history, isDamaged) = OfferHistory.read(text)
    guard isDamaged else { return history }
    let name = file.moveAside()
    log.error(
      """
      \(file.path) was damaged\(name.map { " and was moved to \($0)" } ?? ""); \(history.entries.count) of its venues are known, and the \
      others are muted until `beaconmon venue unmute --all`
      """)
    guard name != nil else { return history }
    // The file is gone, so the intact entries are a change to the next one, which must not be lost if it cannot be written.
    pending.insert({ $0.restore(history) }, at: 0)
    return OfferHistory()
  }
}
