internal import CYaml
import DataTables

/// The events of a YAML text, read through a window of the store.
///
/// An event is valid until the next one is read.
final class YAMLEvents {
  // libyaml keeps pointers into both.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: Input
  private let depthLimit: DepthLimit
  private(set) var event = yaml_event_t()

  /// The bytes that libyaml requests.
  private final class Input {
    let store: any ByteStore
    let cancellation: Cancellation
    var offset = 0
    var failure: (any Error)?

    init(_ store: any ByteStore, _ cancellation: Cancellation) {
      self.store = store
      self.cancellation = cancellation
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      do {
        try cancellation.check()
        let count = try store.read(at: offset, into: buffer)
        offset += count
        return count
      } catch {
        failure = error
        return nil
      }
    }
  }

  /// - Throws: ``TableError/io(_:)`` if memory runs out.
  init(_ store: any ByteStore, depthLimit: DepthLimit, cancellation: Cancellation) throws {
    self.depthLimit = depthLimit
    parser = .allocate(capacity: 1)
    input = Input(store, cancellation)
    guard yaml_parser_initialize(parser) == 1 else {
      throw TableError.io("not enough memory to read YAML")
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input(
      parser,
      { context, buffer, size, count in
        guard let context, let count else { return 0 }
        let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
        let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: size)
        guard let read = input.read(into: bytes) else { return 0 }
        count.pointee = read
        return 1
      }, Unmanaged.passUnretained(input).toOpaque())
  }

  deinit {
    yaml_event_delete(&event)
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Reads the next event.
  /// - Throws: ``TableError``.
  func next() throws {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
  }

  var type: yaml_event_type_t { event.type }

  /// The line of the event, from 1.
  var line: Int { event.start_mark.line + 1 }

  var position: TextPosition { Self.position(event.start_mark) }

  private static func position(_ mark: yaml_mark_t) -> TextPosition {
    TextPosition(line: mark.line + 1, column: mark.column + 1)
  }

  // libyaml reads ahead within brackets: it finds that they are nested too deep before the event of
  // the first one, whose position it reports.
  private func failure() -> any Error {
    if let failure = input.failure { return failure }
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "malformed YAML"
    switch parser.pointee.error {
    case YAML_MEMORY_ERROR: return TableError.io("not enough memory to read YAML")
    case YAML_READER_ERROR: return readerFailure(problem)
    default: break
    }
    let mark = parser.pointee.problem_mark
    if problem.hasPrefix("Maximum nesting level") {
      return depthLimit.error(at: Self.position(mark))
    }
    return TableError.format(message(problem), at: Self.position(mark))
  }

  /// The problem with its fix, or with the line on which the value began that has it.
  private func message(_ problem: String) -> String {
    if problem.hasPrefix("found a tab character") { return "indent with spaces instead of a tab" }
    if problem.hasPrefix("found character that cannot start any token") {
      return "indent with spaces instead of tabs, and put a value that starts with `@`, `%` or a "
        + "backquote in quotes"
    }
    if problem.hasPrefix("mapping values are not allowed") {
      return "a value that contains `: ` must be in quotes"
    }
    guard let context = parser.pointee.context.map({ String(cString: $0) }), !context.isEmpty else {
      return problem
    }
    let line = parser.pointee.context_mark.line
    let isNear = line == parser.pointee.problem_mark.line
    return "\(problem) \(context)" + (isNear ? "" : " from line \((line + 1).grouped)")
  }

  /// A byte that is not UTF-8, or a character that YAML does not allow.
  private func readerFailure(_ problem: String) -> any Error {
    let offset = parser.pointee.problem_offset
    if problem.hasPrefix("control characters") {
      let position = try? TextPosition(of: offset, in: input.store)
      return TableError.format(
        "YAML does not allow the control character \(parser.pointee.problem_value)", at: position)
    }
    return TableError.encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
  }
}
