import Beaconmon

// Stands for module CGLib.
nonisolated(unsafe) private var idle: [(@convention(c) (UnsafeMutableRawPointer?) -> Int32, UnsafeMutableRawPointer?)] = []

private func g_idle_add(_ work: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32, _ data: UnsafeMutableRawPointer?) {
  idle.append((work, data))
}

final class Job {
  let run: @MainActor @Sendable () -> Void
  init(_ run: @escaping @MainActor @Sendable () -> Void) { self.run = run }
}

extension Delivery {
  static let glib = Delivery { job in
    let box = Unmanaged.passRetained(Job(job)).toOpaque()
    _ = g_idle_add(
      { box in
        if let box {
          let job = Unmanaged<Job>.fromOpaque(box).takeRetainedValue().run
          MainActor.assumeIsolated { job() }
        }
        return 0
      }, box)
  }
}
