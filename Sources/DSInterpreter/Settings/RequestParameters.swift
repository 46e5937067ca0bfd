import DataSources
import DataTables
import Glibc

// Records of strings to send, some of them secret.
extension Argument {
  /// The parameters of a record, in its order: a list repeats its parameter, `null` omits it.
  ///
  /// - Throws: ``Diagnostic``; of kind `notFound` for a variable that the environment lacks.
  func parameters(in session: inout Session) async throws -> [RequestParameter] {
    guard let entries else {
      let label = label ?? ""
      throw error(
        .badArgument, "`\(label):` must be a record such as `\(label): {name: value}`")
    }
    var parameters: [RequestParameter] = []
    for (key, atom) in entries {
      let atoms: [Atom] = if case .list(let elements) = atom.kind { elements } else { [atom] }
      for atom in atoms {
        guard let value = try await session.requestValue(of: atom) else { continue }
        parameters.append(RequestParameter(key.text, value))
      }
    }
    return parameters
  }
}

extension Session {
  /// The string that is sent for an atom; nil for `null`.
  fileprivate mutating func requestValue(of atom: Atom) async throws -> RequestValue? {
    switch atom.kind {
    case .environment(let name):
      guard let value = getenv(name) else {
        // A recording contains no secrets, so a replay needs none.
        if transports.respondsFromFiles { return .missing(symbol: "env \(name)") }
        throw Diagnostic(
          .notFound, "the environment has no `\(name)` (export \(name)=… before the start)",
          at: atom.span)
      }
      return .secret(String(cString: value), symbol: "env \(name)")
    case .word("null"): return nil
    // Words are sent as written, so that 007 and 1.50 do not change.
    case .word(let text) where text != "_": return .plain(text)
    case .quoted(let text): return .plain(text)
    default:
      let value = try await value(of: atom)
      switch value {
      case .null: return nil
      case .string(let text): return .plain(text)
      case .record, .array, .data:
        throw Diagnostic(
          .badArgument, "`\(atom.span.text)` is \(value.type.phrase); only a string can be sent",
          at: atom.span)
      case .date(let date): return .plain(date.text)
      default: return .plain(value.json)
      }
    }
  }
}
