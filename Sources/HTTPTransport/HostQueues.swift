/// Who waits for a connection to the same host and port, in the order of their coming.
struct HostQueues {
  private struct Host {
    var active = 0
    var waiting: [Transfer] = []
  }

  private let connections: Int
  private var hosts: [String: Host] = [:]

  /// - Parameter connections: how many transfers a host has at a time.
  init(connections: Int) { self.connections = connections }

  /// - Returns: whether it may go at once; else it is given by ``leave(_:)`` when it may.
  mutating func enter(_ transfer: Transfer) -> Bool {
    let place = transfer.hop.address.place
    guard hosts[place, default: Host()].active < connections else {
      hosts[place, default: Host()].waiting.append(transfer)
      return false
    }
    hosts[place, default: Host()].active += 1
    return true
  }

  /// - Returns: the one that may go now that this one has gone.
  mutating func leave(_ transfer: Transfer) -> Transfer? {
    let place = transfer.hop.address.place
    guard var host = hosts.removeValue(forKey: place) else { return nil }
    // Those whose readers have gone meanwhile need not go.
    let next = host.waiting.firstIndex { !$0.isEnded }
    let transfer = next.map { host.waiting[$0] }
    host.waiting.removeFirst(next.map { $0 + 1 } ?? host.waiting.count)
    if transfer == nil { host.active -= 1 }
    if host.active > 0 { hosts[place] = host }
    return transfer
  }
}
