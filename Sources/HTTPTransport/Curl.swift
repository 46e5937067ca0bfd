import CCurl
import DataSources

/// libcurl, which is opened for the first request.
enum Curl {
  /// - Throws: ``TransportError/network(_:isTransient:)`` when it is not installed.
  static func open() throws(TransportError) {
    guard let failure = ccurl_open() else { return }
    let words = String(cString: failure)
    throw .network(
      "HTTP needs libcurl, which cannot be opened: \(words); install it (libcurl4 on Debian and "
        + "Ubuntu)", isTransient: false)
  }
}
