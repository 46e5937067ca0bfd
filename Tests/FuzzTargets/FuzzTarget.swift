import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Databases
import Glibc

/// A reader of bytes or text that accepts any input: it fails with an error of its own, or succeeds.
///
/// `Scripts/fuzz` runs each with inputs that reach new code; the tests run each with the kept inputs.
public struct FuzzTarget: Sendable {
  /// The name of the target, and of the folder of its inputs in `Corpus`.
  public let name: String
  /// The extensions of the files of tests that are inputs, too.
  public let extensions: [String]
  /// Reads an input. A crash, a hang and a leak are defects.
  public let read: @Sendable ([UInt8]) async -> Void

  /// One for each format and codec, and those for the language and its files.
  // Made by a function: the compiler crashes on asynchronous closures in an initial value.
  public static let all = targets()

  private static func targets() -> [FuzzTarget] {
    var all: [FuzzTarget] = FormatTable.standard.formats.map { format($0.name, $0.extensions) }
    all.append(format(nil, ["txt"]))
    for end in ["gz", "zst", "zip"] { all.append(compressed(end)) }
    all.append(script("script", "ds"))
    all.append(script("lesson", "md"))
    all.append(FuzzTarget(name: "predicate", extensions: [], read: readPredicate))
    all.append(FuzzTarget(name: "cassette", extensions: ["cassette"], read: readCassette))
    all.append(
      FuzzTarget(name: "address", extensions: []) { _ = try? DatabaseAddress(parsing: text($0)) })
    all.append(
      FuzzTarget(name: "key", extensions: []) { _ = try? ObjectKeyPath(parsing: text($0)) })
    return all
  }

  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// - Parameter name: nil for the format that the content suggests.
  private static func format(_ name: String?, _ extensions: [String]) -> FuzzTarget {
    // Some formats are recognized by their content alone.
    FuzzTarget(name: name ?? "any", extensions: extensions.isEmpty ? ["log", "txt"] : extensions) {
      bytes in
      var options = ReadOptions()
      options.format = name
      options.limits.decompressedSize = 1 << 24
      let loaded = try? FormatTable.standard.read(
        MemoryBytes(bytes), named: "input", options: options)
      if let table = loaded?.table { try? use(table) }
    }
  }

  private static func compressed(_ end: String) -> FuzzTarget {
    FuzzTarget(name: end, extensions: [end]) { bytes in
      let path = file(named: "input.csv.\(end)", bytes)
      var options = ReadOptions()
      options.limits.decompressedSize = 1 << 24
      _ = try? await SimpleSource.load(path, options: options, formats: .standard, name: "input")
    }
  }

  /// - Parameter end: the extension: a lesson has another one than a script.
  private static func script(_ name: String, _ end: String) -> FuzzTarget {
    FuzzTarget(name: name, extensions: [end]) { bytes in
      _ = ScriptCheck(ReplayScript(text(bytes), path: "input." + end))
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func readPredicate(_ bytes: [UInt8]) async {
    let text = text(bytes)
    // A predicate contains no commands that wait.
    guard !text.contains(where: { $0.isNewline || ";|(".contains($0) }) else { return }
    var interpreter = Interpreter(session: Session())
    let rows = "[{name: Pie, n: 1, d: 2024-01-31}, {name: \"é\", n: null}, {n: 2.5, name: 3}]"
    _ = try? await interpreter.run(
      "let s = simple \(rows)\nlet f = filtered s where: \(text)\nfetch f", file: nil,
      keepsGoing: true
    ) { _, _ in }
  }

  private static func readCassette(_ bytes: [UInt8]) {
    _ = try? CassetteReplay(path: file(named: "input.cassette", bytes))
  }

  /// Reads all columns and objects, and sorts by the first key.
  private static func use(_ table: any Table) throws {
    let cancellation = Cancellation()
    let paths = table.keys.prefix(20).map { ObjectKeyPath(key: $0) }
    for path in paths { _ = try? table.column(path, cancellation: cancellation) }
    let rows = Array(0..<min(200, table.count))
    _ = try table.objects(at: rows)
    if let path = paths.first {
      _ = try table.sorted(
        .natural(table.count), by: [SortDescriptor(path)], cancellation: cancellation)
    }
  }

  /// Writes an input into a file of this process.
  private static func file(named name: String, _ bytes: [UInt8]) -> String {
    let folder = "/dev/shm/dsshell-fuzz-\(getpid())"
    mkdir(folder, 0o700)
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return path }
    defer { close(descriptor) }
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return path
  }
}
