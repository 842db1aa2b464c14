import EventLoop

extension HCISource {
  /// Ends the discoveries, one kind after the other, that a killed bluetoothd has left in the kernel.
  /// The kernel assumes for another ten seconds that it discovers. If another program ends a scan in that time, the kernel keeps this
  /// belief, and answers every later request for discovery with "busy".
  func stopDiscoveries(_ kinds: ArraySlice<ManagementRequest.Discovery>) throws(HCIError) {
    guard let index = socket.index, let kind = kinds.first else { return begin() }
    // Usually there is no discovery, or the program lacks CAP_NET_ADMIN to end one: neither prevents the scan.
    call = try ManagementCall(loop, .stopDiscovery(kind), adapter: index) { [unowned self] _ in
      do throws(HCIError) {
        try stopDiscoveries(kinds.dropFirst())
      } catch {
        failScan(error)
      }
    }
  }

  func begin(after result: Result<ManagementRequest.Answer, HCIError>) {
    switch result {
    case .success(.done): begin()
    case .success(.refused(.noAdapter)): failScan(.noAdapter(name))
    case .success(.refused(.blocked)): failScan(.blocked(name))
    case .success(.refused(.permissionDenied)): failScan(.missing(.netAdmin, place: name, purpose: "switching the adapter on"))
    // Linux 6.1 answers only "failed" if rfkill blocks the adapter.
    case .success(.refused(.failed)): failScan(RFKill.isBlocked(name) ? .blocked(name) : .off(name))
    case .failure(let error): failScan(error)
    }
  }

  /// Starts the scan on an adapter that is on.
  private func begin() {
    call = nil
    act(on: setup.start(at: loop.now))
  }

  func act(on action: PassiveScan.Action) {
    switch action {
    case .none: break
    case .send(let command):
      answerTimer?.arm(at: setup.deadline)
      do throws(HCIError) {
        try setFilter(.reportsAndAnswers)
        try socket.send(command)
      } catch {
        failScan(error)
      }
    case .started:
      settleScan(.scanning)
    case .ended:
      settleScan(.listening)
    case .failed(.refused(let command, let status)):
      failScan(.command(command.name, adapter: name, status: status))
    case .failed(.noAnswer(let command)):
      failScan(.noAnswer(command.name, adapter: name))
    }
  }

  func failScan(_ reason: HCIError) {
    stopScan()
    if case .gone = reason { return end(reason) }
    settleScan(.scanFailed(reason))
  }

  func settleScan(_ outcome: State) {
    answerTimer?.disarm()
    do throws(HCIError) {
      // The answers to commands show that another program ended the scan.
      try setFilter(setup.isScanning ? .reportsAndAnswers : .reports)
      change(to: outcome)
    } catch {
      end(error)
    }
  }

  private func setFilter(_ filter: HCISocket.Filter) throws(HCIError) {
    if socket.index != nil { try socket.setFilter(filter) }
  }

  func stopScan() {
    call = nil
    answerTimer?.disarm()
    guard let command = setup.stop() else { return }
    do throws(HCIError) {
      try socket.send(command)
    } catch {
      // An adapter that is off or gone does not scan.
    }
  }

  func change(to new: State) {
    guard new != state else { return }
    state = new
    onStateChange(new)
  }
}
