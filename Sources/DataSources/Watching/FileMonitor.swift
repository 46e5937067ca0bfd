package import DataTables
import Glibc

/// Observes files and folders through inotify, also while they are replaced, deleted and created
/// again.
package final class FileMonitor: ChangeMonitor {
  /// Returns the paths to observe, which need not exist.
  package typealias Paths = (Cancellation) throws(TableError) -> ObservedPaths

  private let paths: Paths
  private let queue: InotifyQueue
  /// The names that matter in each watched folder; nil if all do.
  private var names: [Int32: Set<String>?] = [:]
  /// The watches of the files themselves.
  private var fileWatches: Set<Int32> = []
  /// Whether a change was not reported yet, and whether it may lead the paths to other files.
  private var hasChanged = false
  private var hasMoved = true

  private static let fileEvents = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF
  private static let nameEvents =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF
  /// Programs that create files faster than this cause events later.
  private static let maxPasses = 8
  private static let contentEvents = nameEvents | IN_MODIFY | IN_ATTRIB

  /// - Parameter paths: called again when files were created, removed or renamed. All files in a
  ///   folder are observed, including new ones, but not those in its folders.
  /// - Throws: ``SourceError``: `limit` when the system cannot observe more files; the error of
  ///   `paths`.
  package init(cancellation: Cancellation, _ paths: @escaping Paths) throws(SourceError) {
    self.paths = paths
    queue = try InotifyQueue()
    try arm(cancellation)
  }

  package var descriptor: Int32? { queue.descriptor }
  package var interval: Duration? { nil }

  package func takeChange(cancellation: Cancellation) throws -> Bool {
    for event in queue.take() { note(event) }
    // Watches follow a file that is renamed, but a path leads to the file that replaced it.
    if hasMoved {
      do throws(SourceError) {
        try arm(cancellation)
      } catch {
        // Other errors are thrown once, so that the next command can end the watch.
        hasMoved = error.isCancelled
        throw error
      }
    }
    defer { hasChanged = false }
    return hasChanged
  }

  private func note(_ event: InotifyQueue.Event) {
    let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
    // The end of a watch that was not removed by ``watchesNewFolders(of:)``.
    if event.mask & UInt32(IN_IGNORED) != 0,
      fileWatches.contains(event.watch) || names.keys.contains(event.watch)
    {
      hasMoved = true
    }
    if isLost || fileWatches.contains(event.watch) {
      hasChanged = true
      if isLost || event.mask & UInt32(IN_MODIFY) == 0 { hasMoved = true }
    } else if let relevant = names[event.watch],
      event.name.isEmpty || relevant?.contains(event.name) ?? true
    {
      hasChanged = true
      // A write to a file leads no path elsewhere.
      let isMove = event.mask & UInt32(Self.nameEvents | IN_ISDIR) != 0
      if event.name.isEmpty || isMove { hasMoved = true }
    }
  }

  /// The places to observe now.
  private struct Target {
    let observed: ObservedPaths
    let places: [FilePlaces]

    init(_ observed: ObservedPaths) {
      self.observed = observed
      places = (observed.files + observed.folders).map { FilePlaces(of: $0) }
    }
  }

  /// Watches the files to which the paths lead now, and the folders in which this can change.
  private func arm(_ cancellation: Cancellation) throws(SourceError) {
    for _ in 0..<Self.maxPasses {
      let target: Target
      do throws(TableError) {
        target = try Target(paths(cancellation))
      } catch {
        throw SourceError(error)
      }
      // A file that appeared before its folder was watched is not an event.
      guard try watchesNewFolders(of: target) else { break }
    }
    hasMoved = false
  }

  /// Watches the files and folders of a target, and no others.
  /// - Returns: whether a folder was not watched before.
  private func watchesNewFolders(of target: Target) throws(SourceError) -> Bool {
    var relevant: [String: Set<String>?] = [:]
    var found: Set<String> = []
    let folders = Set(target.observed.folders)
    for folder in folders { relevant.updateValue(nil, forKey: folder) }
    for (path, places) in zip(target.observed.files + target.observed.folders, target.places) {
      for place in places.places { relevant[place.folder, default: []]?.insert(place.name) }
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
    let isNew = newNames.keys.contains { !names.keys.contains($0) }
    names = newNames
    fileWatches = newWatches
    return isNew
  }
}
