import Beaconmon

// A stand-in for GLib's function, whose main loop calls the added closure.
private func g_idle_add(
  _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32, _ data: UnsafeMutableRawPointer?
) -> UInt32 { UInt32(function(data)) }

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
