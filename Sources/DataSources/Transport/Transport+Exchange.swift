extension Transport {
  /// Sends a request and has `read` take its answer, body and all; when the connection breaks in
  /// mid body, all of it is done again.
  ///
  /// `read` begins anew each time. Tries that were needed before the body count too:
  /// ``TransferLimits/retries`` bounds what is sent again for each of the two reasons, and
  /// ``TransferLimits/timeout`` the time of everything.
  /// - Parameter retry: nil for that of the transport.
  /// - Throws: ``TransportError``, and what `read` throws.
  public func exchange<Result>(
    _ request: TransportRequest, retry: Retry? = nil,
    isolation: isolated (any Actor)? = #isolation,
    reading read: (TransportResponse) async throws -> Result
  ) async throws -> Result {
    let retry = retry ?? self.retry
    let stopwatch = retry.stopwatch()
    var rest = request
    var number = 0
    while true {
      // Outside of the part that is retried: a transport has its own rules for it.
      let response = try await send(rest)
      do {
        return try await read(response)
      } catch TransportError.network(let what, isTransient: true) {
        let delay = retry.delay(number)
        number += 1
        guard number <= request.limits.retries,
          request.limits.isEnough(for: stopwatch.elapsed + delay / .seconds(1))
        else { throw TransportError.network(what, isTransient: true) }
        try await retry.wait(delay)
        rest.limits = try request.limits.remaining(after: stopwatch.elapsed)
      }
    }
  }
}
