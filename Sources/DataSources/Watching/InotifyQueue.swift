import DataTables
import Glibc

/// An instance of inotify: the events of watched files and folders (inotify(7)).
final class InotifyQueue {
  struct Event {
    /// The number of the watch; -1 when events were lost.
    let watch: Int32
    let mask: UInt32
    /// The name of a file in a watched folder; "" for an event of the watched file itself.
    let name: String
  }

  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  private static let maxReads = 64

  /// - Throws: ``SourceError``: `limit` when the system allows no further instance.
  init() throws(SourceError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw Self.limitError(
        "the system cannot watch more files: "
          + (errno == EMFILE
            ? "the limit of inotify instances (fs.inotify.max_user_instances) or of open files is reached"
            : String(cString: strerror(errno))))
    }
  }

  deinit { close(descriptor) }

  /// Watches a file or a folder; a second watch of the same one adds to the first.
  /// - Returns: the number of the watch; nil if the file does not exist or cannot be read.
  /// - Throws: ``SourceError``: `limit` when the system allows no further watch.
  func watch(_ path: String, for mask: Int32) throws(SourceError) -> Int32? {
    let watch = inotify_add_watch(descriptor, path, UInt32(bitPattern: mask | IN_MASK_ADD))
    if watch >= 0 { return watch }
    guard errno != ENOSPC, errno != ENOMEM else {
      throw Self.limitError(
        "cannot watch `\(path)`: the limit of inotify watches (fs.inotify.max_user_watches) is "
          + "reached")
    }
    return nil
  }

  func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Removes and returns the events so far; events that arrive faster than they are read remain.
  func take() -> [Event] {
    var events: [Event] = []
    for _ in 0..<Self.maxReads {
      let count = OpenFile.retrying { read(descriptor, &buffer, buffer.count) }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        let header = MemoryLayout<inotify_event>.size
        var start = 0
        while start + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let end = min(count, start + header + Int(event.len))
          // The name is padded with zero bytes.
          let name = bytes[start + header..<end].prefix { $0 != 0 }
          events.append(
            Event(
              watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
          start = end
        }
      }
    }
    return events
  }

  private static func limitError(_ reason: String) -> SourceError {
    .data(.limit("\(reason); add `poll: 1s`", setting: "", at: nil))
  }
}
