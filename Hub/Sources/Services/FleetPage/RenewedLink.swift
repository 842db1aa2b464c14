public import Instants

/// A link to the database that is opened again after a failure. Each thread of the page has one.
public struct RenewedLink<Link, Failure: ArchiveError> {
  /// The time after a failure in which no new link is tried.
  ///
  /// The waiting queries fail instead of each waiting for an attempt.
  static var pause: Span { .seconds(1) }

  private let now: () -> Instant
  private let open: () throws(Failure) -> Link
  private let test: (Link) throws(Failure) -> Void
  private var link: Link?
  private var lastFailure: (time: Instant, error: Failure)?

  /// - Parameters:
  ///   - now: returns the time of a clock that never jumps
  ///   - open: opens a link; throws unless the database has the schema of this program
  ///   - test: throws unless the database answers
  public init(
    now: @escaping () -> Instant, open: @escaping () throws(Failure) -> Link, test: @escaping (Link) throws(Failure) -> Void
  ) {
    (self.now, self.open, self.test) = (now, open, test)
  }

  /// Does the work of a query, perhaps on a new link.
  ///
  /// The link may have failed since it was used last, as after a restart of the database. Work that changes nothing is then repeated once.
  /// Before a change, which never runs twice, the link is tested.
  public mutating func run<Value>(isChange: Bool, _ work: (Link) throws(Failure) -> Value) -> Result<Value, Failure> {
    let wasOpen = link != nil
    if isChange, wasOpen { _ = attempt(test) }
    let result = attempt(work)
    guard case .failure(let error) = result else { return result }
    // A migration under an open link. The schema says more than the name of a table that is missing.
    if error.isOfMissingPart, case .failure(let reason) = attempt({ _ throws(Failure) in () }) { return .failure(reason) }
    guard wasOpen, !isChange, error.isOfLink else { return result }
    return attempt(work)
  }

  private mutating func attempt<Value>(_ work: (Link) throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) {
      return .success(try work(try opened()))
    } catch {
      // After an error the state of the link is unknown, so the next query gets a new one.
      link = nil
      return .failure(error)
    }
  }

  private mutating func opened() throws(Failure) -> Link {
    if let link { return link }
    if let lastFailure, now() - lastFailure.time <= Self.pause { throw lastFailure.error }
    do throws(Failure) {
      let new = try open()
      link = new
      return new
    } catch {
      // The attempt may have taken long.
      lastFailure = (now(), error)
      throw error
    }
  }
}
