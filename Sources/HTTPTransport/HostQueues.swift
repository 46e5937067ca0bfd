/// The transfers that wait for a connection to the same host and port, in order of arrival.
struct HostQueues {
  private struct Host {
    var active = 0
    var waiting: [Transfer] = []
  }

  private let connections: Int
  private var hosts: [String: Host] = [:]

  /// - Parameter connections: the maximum number of simultaneous transfers of a host.
  init(connections: Int) { self.connections = connections }

  /// - Returns: whether the transfer may start immediately; otherwise ``leave(_:)`` returns it
  ///   later.
  mutating func enter(_ transfer: Transfer) -> Bool {
    let key = transfer.hop.address.hostAndPort
    guard hosts[key, default: Host()].active < connections else {
      hosts[key, default: Host()].waiting.append(transfer)
      return false
    }
    hosts[key, default: Host()].active += 1
    return true
  }

  /// - Returns: the waiting transfer that may start in its place; nil if none waits.
  mutating func leave(_ transfer: Transfer) -> Transfer? {
    let key = transfer.hop.address.hostAndPort
    guard var host = hosts.removeValue(forKey: key) else { return nil }
    // Skip transfers whose readers are gone.
    let next = host.waiting.firstIndex { !$0.isEnded }
    let transfer = next.map { host.waiting[$0] }
    host.waiting.removeFirst(next.map { $0 + 1 } ?? host.waiting.count)
    if transfer == nil { host.active -= 1 }
    if host.active > 0 { hosts[key] = host }
    return transfer
  }
}
