import DataTables
import Glibc

/// Observes files and folders through inotify, also while they are replaced, deleted and created
/// again.
final class FileMonitor: ChangeMonitor {
  private let paths: () -> ObservedPaths
  private let queue: InotifyQueue
  /// The names that matter in each watched folder; nil if all do.
  private var names: [Int32: Set<String>?] = [:]
  /// The watches of the files themselves.
  private var fileWatches: Set<Int32> = []

  private static let fileEvents = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF
  private static let nameEvents =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF
  /// Programs that create files faster than this cause events later.
  private static let maxPasses = 8
  private static let contentEvents = nameEvents | IN_MODIFY | IN_ATTRIB

  /// - Parameter paths: returns the paths to observe, which need not exist; called again when files
  ///   were created, removed or renamed. All files in a folder are observed, including new ones, but
  ///   not those in its folders.
  /// - Throws: ``SourceError``: `limit` when the system cannot observe more files.
  init(_ paths: @escaping () -> ObservedPaths) throws(SourceError) {
    self.paths = paths
    queue = try InotifyQueue()
    try arm()
  }

  var descriptor: Int32? { queue.descriptor }
  var interval: Duration? { nil }

  func takeChange() throws -> Bool {
    var hasChanged = false
    var hasMoved = false
    for event in queue.take() {
      let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
      if event.mask & UInt32(IN_IGNORED) != 0 { hasMoved = true }
      if isLost || fileWatches.contains(event.watch) {
        hasChanged = true
        if isLost || event.mask & UInt32(IN_MODIFY) == 0 { hasMoved = true }
      } else if let relevant = names[event.watch] {
        guard event.name.isEmpty || relevant?.contains(event.name) ?? true else { continue }
        hasChanged = true
        hasMoved = true
      }
    }
    // Watches follow a file that is renamed, but a path leads to the file that replaced it.
    if hasMoved { try arm() }
    return hasChanged
  }

  /// The places to observe now.
  private struct Target: Equatable {
    let observed: ObservedPaths
    let places: [FilePlaces]

    init(_ observed: ObservedPaths) {
      self.observed = observed
      places = (observed.files + observed.folders).map { FilePlaces(of: $0) }
    }
  }

  /// Watches the files to which the paths lead now, and the folders in which this can change.
  private func arm() throws(SourceError) {
    var target = Target(paths())
    for _ in 0..<Self.maxPasses {
      try watch(target)
      // A file that appeared before its folder was watched is not an event.
      let now = Target(paths())
      if now == target { return }
      target = now
    }
  }

  private func watch(_ target: Target) throws(SourceError) {
    var relevant: [String: Set<String>?] = [:]
    var found: Set<String> = []
    let folders = Set(target.observed.folders)
    for folder in folders { relevant.updateValue(nil, forKey: folder) }
    for (path, places) in zip(target.observed.files + target.observed.folders, target.places) {
      for place in places.places {
        guard let known = relevant[place.folder] else {
          relevant[place.folder] = [place.name]
          continue
        }
        if let known { relevant[place.folder] = known.union([place.name]) }
      }
      if let file = places.file, !folders.contains(path) { found.insert(file) }
    }
    var newNames: [Int32: Set<String>?] = [:]
    var newWatches: Set<Int32> = []
    for (folder, names) in relevant {
      let events = names == nil ? Self.contentEvents : Self.nameEvents
      guard let watch = try queue.watch(folder, for: events | IN_ONLYDIR) else { continue }
      // Several paths may lead to one folder.
      guard let known = newNames[watch] else {
        newNames.updateValue(names, forKey: watch)
        continue
      }
      newNames.updateValue(known.flatMap { names?.union($0) }, forKey: watch)
    }
    for file in found {
      guard let watch = try queue.watch(file, for: Self.fileEvents) else { continue }
      newWatches.insert(watch)
    }
    for watch in Set(self.names.keys).union(fileWatches)
    where newNames[watch] == nil && !newWatches.contains(watch) {
      queue.remove(watch)
    }
    names = newNames
    fileWatches = newWatches
  }
}
