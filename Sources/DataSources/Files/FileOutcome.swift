import DataTables
import Glibc

/// The result of reading one of several files.
enum FileOutcome: Sendable {
  case read(ReadFile)
  /// The file was deleted after it was listed.
  case vanished
  case empty
}

extension FileLoader {
  private static let maxAttempts = 3

  /// Reads one of several files.
  /// - Parameters:
  ///   - name: the name of the file in errors.
  ///   - last: the file as it was read before, if lines may have been appended; nil to read all.
  func outcome(
    named name: String, after last: LoadedFile? = nil, _ cancellation: Cancellation
  ) async throws -> FileOutcome {
    do {
      let file = try await settled(cancellation) { loader in
        if let last { return try await loader.reload(last, cancellation: cancellation) }
        return try await loader.load(cancellation: cancellation)
      }
      return .read(ReadFile(path: path, file: file, options: request.options))
    } catch let error as TableError where error.isFinal {
      throw error
    } catch {
      var status = stat()
      guard OpenFile.retrying({ stat(FileOverlay.readable(path), &status) }) == 0 else {
        return .vanished
      }
      if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { return .empty }
      throw (error as? TableError)?.inFile(name) ?? error
    }
  }

  /// Reads the file, again if it changes meanwhile, and without the types of keys that it lacks.
  func settled(
    _ cancellation: Cancellation, _ read: (FileLoader) async throws -> LoadedFile
  ) async throws -> LoadedFile {
    var loader = self
    var attempts = 1
    while true {
      do {
        return try await read(loader)
      } catch TableError.changed where attempts < Self.maxAttempts {
        attempts += 1
      } catch TableError.unknownKey(let key, _) where loader.request.options.types[key] != nil {
        loader.request.options.types[key] = nil
      }
    }
  }
}

extension TableError {
  /// Whether the file is not examined for the reason of the error.
  fileprivate var isFinal: Bool {
    switch self {
    case .cancelled, .denied: true
    default: false
    }
  }

  /// The error with the name of the file, where its message does not have it.
  func inFile(_ name: String) -> TableError {
    switch self {
    case .format(let what, let position): .format("`\(name)`: \(what)", at: position)
    case .limit(let what, let setting, let position):
      .limit("`\(name)`: \(what)", setting: setting, at: position)
    case .encoding(let expected, let offset, let fitting):
      .encoding(expected: "\(expected) in `\(name)`", offset: offset, fitting: fitting)
    case .badArgument(let what): .badArgument("`\(name)`: \(what)")
    case .unsupportedOption(let option, let what):
      .unsupportedOption(name: option, message: "`\(name)`: \(what)")
    case .brokenEncoding(let offset, let reason):
      .brokenEncoding(offset: offset, "\(reason) (`\(name)`)")
    case .undecidedEncoding: .format("`\(name)`: \(message)", at: nil)
    case .changed, .io, .denied, .unknownKey, .noColumn, .sortMismatch, .cancelled: self
    }
  }
}
