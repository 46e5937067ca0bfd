package import DataTables
import Glibc

/// Creates files, and never replaces one.
package enum NewFile {
  /// Writes a text to a file that does not exist yet; in a test, to the overlay.
  /// - Returns: false if the file exists.
  /// - Throws: `TableError.io` if it cannot be written; then the file does not exist.
  package static func write(_ text: String, to path: String) throws(TableError) -> Bool {
    let place = try FileOverlay.writable(path)
    // The file may exist without a copy in the overlay.
    if WholeFile.exists(path) { return false }
    let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw OpenFile.failure("cannot write", path)
    }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        let failure = OpenFile.failure("cannot write", path)
        // An empty file would be in the way of the next try.
        unlink(place)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
