import EventLoop
import IndoorPositioning
import Synchronization
public import Venues
public import WebPage

/// Computes maps of predicted errors on a thread of its own, because the map of a large level takes more than a second.
///
/// The last maps are kept, because a page requests the same ones repeatedly.
public final class ErrorMapper: ErrorMaps {
  private typealias Completion = (PredictedErrors?) -> Void
  typealias ThreadStart = (@escaping @Sendable () -> Void) throws(SystemCallError) -> Void

  /// The maps that are kept, and the requests that wait.
  private static let (mostMaps, mostWaiting) = (8, 32)

  private let loop: Loop
  private let exchange: Exchange
  private var source: IOSource?
  private var known: [(plan: PlanReport, errors: PredictedErrors)] = []
  private var waiting: [(plan: PlanReport, completion: Completion)] = []
  private var isComputing = false
  private let startThread: ThreadStart

  /// The result of the thread.
  private final class Exchange: Sendable {
    let result = Mutex<PredictedErrors?>(nil)
    let wakeUp: WakeUp

    init() throws(SystemCallError) { wakeUp = try WakeUp() }
  }

  public convenience init(_ loop: Loop) throws(SystemCallError) {
    try self.init(loop) { (body) throws(SystemCallError) in try LoopThread.start(named: "beaconmon-map", body) }
  }

  /// - Parameter startThread: runs a body on a thread of its own; tests refuse to.
  init(_ loop: Loop, startThread: @escaping ThreadStart) throws(SystemCallError) {
    (self.loop, self.startThread) = (loop, startThread)
    exchange = try Exchange()
    source = try exchange.wakeUp.source(on: loop) { [unowned self] in finish() }
  }

  public func requestErrors(on plan: PlanReport, _ completion: @escaping (PredictedErrors?) -> Void) {
    if let index = known.firstIndex(where: { $0.plan == plan }) { return completion(known[index].errors) }
    guard waiting.count < Self.mostWaiting else { return completion(nil) }
    waiting.append((plan, completion))
    compute()
  }

  private func compute() {
    guard !isComputing, let plan = waiting.first?.plan else { return }
    isComputing = true
    do throws(SystemCallError) {
      try startThread { [exchange] in
        let errors = PredictedErrors(plan)
        exchange.result.withLock { $0 = errors }
        exchange.wakeUp.send()
      }
    } catch {
      isComputing = false
      answer(plan, nil)
      compute()
    }
  }

  private func finish() {
    guard isComputing, let plan = waiting.first?.plan else { return }
    isComputing = false
    let errors = exchange.result.withLock { $0.take() }
    if let errors {
      known.append((plan, errors))
      if known.count > Self.mostMaps { known.removeFirst() }
    }
    answer(plan, errors)
    compute()
  }

  private func answer(_ plan: PlanReport, _ errors: PredictedErrors?) {
    let (served, others) = (waiting.filter { $0.plan == plan }, waiting.filter { $0.plan != plan })
    waiting = others
    for request in served { request.completion(errors) }
  }
}

extension PredictedErrors {
  fileprivate init(_ plan: PlanReport) {
    let (venue, level) = Venue.drawn(by: plan)
    let map = PositionErrorMap(venue, level)
    let half = map.cellSize / 2
    guard let x = map.cells.map(\.point.x).min(), let y = map.cells.map(\.point.y).min(), let right = map.cells.map(\.point.x).max() else {
      self.init(cell: map.cellSize, x: 0, y: 0, columns: 0, errors: [])
      return
    }
    func index(_ coordinate: Double, _ first: Double) -> Int { Int(((coordinate - first) / map.cellSize).rounded()) }
    let columns = index(right, x) + 1
    var errors: [Double?] = []
    for cell in map.cells {
      let place = index(cell.point.y, y) * columns + index(cell.point.x, x)
      while errors.count <= place { errors.append(nil) }
      errors[place] = cell.radius
    }
    while errors.count % columns != 0 { errors.append(nil) }
    self.init(cell: map.cellSize, x: x - half, y: y - half, columns: columns, errors: errors)
  }
}
