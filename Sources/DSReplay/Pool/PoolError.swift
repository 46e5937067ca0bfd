import Glibc

/// Why tests could not be run, or not all of them.
package enum PoolError: Error, Equatable {
  /// With the number of the system's error.
  case failed(String, Int32)
  /// Workers end before they run anything.
  case noWorkers(String)

  /// What failed just now.
  static func system(_ what: String) -> PoolError { .failed(what, errno) }

  package var message: String {
    switch self {
    case .failed(let what, let number): "\(what): \(String(cString: strerror(number)))"
    case .noWorkers(let how): "the workers end before they run anything: \(how)"
    }
  }
}
