import BeaconAdvertising
import BlueZ
import DBus
import EventLoop
import HCI
import RadioHealth
import Ranging

extension RadioSource {
  func currentAdapters() -> [AdapterHealth] {
    let heard = (packets.map(beside) ?? bluetoothd.adapters).filter { roster.isUsed($0.address) }
    let known = Set(heard.map(\.address))
    let awaited = roster.settings.filter { $0.isUsed && !known.contains($0.address) }.map { adapter in
      AdapterHealth(address: adapter.address, number: roster.number(of: adapter.address), since: loop.now)
    }
    return (heard + awaited).map(advised).sorted { $0.number < $1.number }
  }

  /// Returns the health of adapters whose packets are received, combined with the health that bluetoothd reports.
  private func beside(_ packets: PacketRadio) -> [AdapterHealth] {
    guard !isLeftAlone else { return packets.adapters }
    let scanned = bluetoothd.adapters
    return packets.adapters.map { adapter in
      guard adapter.state != .gone else { return adapter }
      guard var health = scanned.first(where: { $0.address == adapter.address }), health.state != .gone else {
        var health = adapter
        // bluetoothd will make the adapter scan.
        if health.state == .idle, demand != .nothing { health.state = .paused }
        guard listing.isOverdue(adapter.address, at: loop.now) else { return health }
        health.state = .gone
        health.notes = ["bluetoothd does not list it; wait, or restart bluetoothd"]
        return health
      }
      (health.reportsPerSecond, health.lastReport) = (adapter.reportsPerSecond, adapter.lastReport)
      return health
    }
  }

  /// Returns the health with advice, if it has no other note.
  private func advised(_ health: AdapterHealth) -> AdapterHealth {
    // An adapter that scans without bluetoothd already has advice.
    guard health.notes.isEmpty || health.state == .silent && !(packets != nil && isLeftAlone) else { return health }
    var health = health
    switch health.state {
    case .scanning, .paused, .idle: break
    case .silent: health.notes.append("it no longer receives; unplug it and plug it in again")
    case .off: health.notes = ["switch it on with \"bluetoothctl power on\""]
    case .blocked: health.notes = ["unblock it with \"rfkill unblock bluetooth\""]
    case .gone where isListComplete: health.notes = ["it is not plugged in"]
    case .gone: break
    }
    return health
  }

  /// The reason why no adapter can receive, and advice; `nil` if there is none, or if it is not known yet.
  public var trouble: String? {
    guard isStarted else { return nil }
    if let packets {
      if let trouble = packets.trouble { return "\(trouble)" }
    } else {
      switch bluetoothd.service {
      case .unreachable(nil): return nil
      case .unreachable(let reason?): return "\(reason.message); start the system bus, which bluetoothd requires"
      // Without an adapter, systemd skips the unit of bluetoothd (ConditionPathIsDirectory=/sys/class/bluetooth).
      case .absent:
        return isAnyAdapterPlugged() ? AdvertisingObstacle.absence(namesSystemctl: namesSystemctl) : noAdapter
      case .running: break
      }
    }
    guard currentAdapters().isEmpty, isListComplete else { return nil }
    return noAdapter
  }

  /// Whether an adapter that is not listed is not plugged in.
  private var isListComplete: Bool { packets != nil || listing.isComplete(at: loop.now) }

  private var noAdapter: String {
    roster.settings.contains { !$0.isUsed }
      ? "every Bluetooth adapter is ignored; plug in another one, or remove use = false from the config"
      : "there is no Bluetooth adapter; plug one in"
  }

  /// The reason for the choice; `nil` if the backend was configured.
  public var reason: String? {
    guard backend == .auto else { return nil }
    if let obstacle { return obstacle.text(namesSystemctl: namesSystemctl) }
    let scanner =
      switch bluetoothd.service {
      case .running: "bluetoothd keeps the adapters scanning"
      case .absent, .unreachable(.some): "without bluetoothd, beaconmond keeps the adapters scanning"
      case .unreachable(nil): "waiting for bluetoothd"
      }
    return "\(Capability.netRaw.rawValue) is available, so every packet is received; \(scanner)"
  }
}
