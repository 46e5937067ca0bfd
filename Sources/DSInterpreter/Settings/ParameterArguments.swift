import DataSources
import DataTables
import Glibc

// Records of texts that are sent, of which some are secret.
extension Argument {
  /// The parameters of a record, in its order: a list gives one for each of its elements, `null`
  /// none.
  ///
  /// - Throws: ``Diagnostic``, `notFound` for a variable that the environment does not have.
  func parameters(_ label: String, in session: inout Session) async throws -> [RequestParameter] {
    guard case .atom(let atom) = form, case .record(let pairs) = atom.kind else {
      throw error(.badArgument, "`\(label):` is a record: `\(label): {name: value}`")
    }
    var parameters: [RequestParameter] = []
    for (key, atom) in pairs {
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
  /// The text that is sent for an atom; nil for `null`.
  fileprivate mutating func requestValue(of atom: Atom) async throws -> RequestValue? {
    switch atom.kind {
    case .environment(let name):
      guard let value = getenv(name) else {
        // No recording holds it.
        if transports.answersFromFiles { return .missing(symbol: "env \(name)") }
        throw Diagnostic(
          .notFound, "the environment has no `\(name)` (export \(name)=… before the start)",
          at: atom.span)
      }
      return .secret(String(cString: value), symbol: "env \(name)")
    case .word("null"): return nil
    // As it is written: 007 and 1.50 stay.
    case .word(let text) where text != "_": return .plain(text)
    case .quoted(let text): return .plain(text)
    default:
      let value = try await value(of: atom)
      switch value {
      case .null: return nil
      case .string(let text): return .plain(text)
      case .record, .array, .data:
        throw Diagnostic(
          .badArgument, "`\(atom.span.text)` is \(value.type.phrase), and a text is sent",
          at: atom.span)
      case .date(let date): return .plain(date.text)
      default: return .plain(value.json)
      }
    }
  }
}
