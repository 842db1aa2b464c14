import CLinux
import Glibc

/// The result of a process.
public enum ChildStatus: Hashable, Sendable {
  case exited(Int32)
  /// The number of the signal, with or without a core dump.
  case signalled(Int32)
}

extension Loop {
  /// Reaps the child `pid` when it ends, then calls `body`; a source that is released earlier leaves a zombie: see `reap`.
  ///
  /// With `endingGroup` the rest of the process group that `pid` leads gets SIGKILL before `pid` is reaped: until then its number cannot
  /// belong to another group.
  public func child(
    _ pid: pid_t, endingGroup: Bool = false, _ body: @escaping (ChildStatus) -> Void
  ) throws(SystemCallError) -> ChildSource {
    try ChildSource(loop: self, pid: pid, endingGroup: endingGroup, body: body)
  }

  /// Reaps a child whose source was released.
  public func reap(_ pid: pid_t) {
    var keep: ChildSource?
    do {
      keep = try child(pid) { _ in keep = nil }
    } catch {
      // Without a descriptor to watch it the zombie stays until this process ends.
      keep = nil
    }
    withExtendedLifetime(keep) {}
  }
}

/// A source that calls back when a child process ends.
public final class ChildSource {
  private let descriptor: FileDescriptor
  private var io: IOSource?

  fileprivate init(
    loop: Loop, pid: pid_t, endingGroup: Bool, body: @escaping (ChildStatus) -> Void
  ) throws(SystemCallError) {
    let raw = pidfd_open(pid, 0)
    guard raw >= 0 else { throw .last("pidfd_open", "process \(pid)") }
    descriptor = FileDescriptor(owning: raw)
    io = try loop.io(raw, .readable) { [unowned self] _ in
      if endingGroup { kill(-pid, SIGKILL) }
      var information = siginfo_t()
      guard waitid(P_PIDFD, id_t(raw), &information, WEXITED | WNOHANG) == 0, information.si_code != 0 else { return }
      io?.cancel()
      let number = information._sifields._sigchld.si_status
      body(information.si_code == CLD_EXITED ? .exited(number) : .signalled(number))
    }
  }

  deinit {
    io?.cancel()
  }
}
