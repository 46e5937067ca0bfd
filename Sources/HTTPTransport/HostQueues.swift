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

  /// - Returns: whether it may start at once; otherwise ``leave(_:)`` returns it later.
  mutating func enter(_ transfer: Transfer) -> Bool {
    let place = transfer.hop.address.place
    guard hosts[place, default: Host()].active < connections else {
      hosts[place, default: Host()].waiting.append(transfer)
      return false
    }
    hosts[place, default: Host()].active += 1
    return true
  }

  /// - Returns: the transfer that may start in its place.
  mutating func leave(_ transfer: Transfer) -> Transfer? {
    let place = transfer.hop.address.place
    guard var host = hosts.removeValue(forKey: place) else { return nil }
    // Skip transfers that lost their readers in the meantime.
    let next = host.waiting.firstIndex { !$0.isEnded }
    let transfer = next.map { host.waiting[$0] }
    host.waiting.removeFirst(next.map { $0 + 1 } ?? host.waiting.count)
    if transfer == nil { host.active -= 1 }
    if host.active > 0 { hosts[place] = host }
    return transfer
  }
}
