import DataSources
import DataTables

// Records of strings to send, some of them secret.
extension Argument {
  /// The parameters of a record, in its order: a list repeats its parameter, `null` omits it.
  ///
  /// - Throws: ``Diagnostic``; of kind `notFound` for a variable that the environment lacks.
  func parameters(in session: inout Session) async throws -> [RequestParameter] {
    guard let entries else { throw mismatch() }
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

extension Argument {
  /// The body of a query; `env NAME` among the strings of its records and lists is secret.
  func queryBody(in session: inout Session) async throws -> RequestBody {
    var secrets: [RequestValue] = []
    let value: Value
    switch form {
    case .piped: value = try await self.value(in: &session)
    case .atom(let atom): value = try await session.bodyValue(of: atom, &secrets)
    }
    switch value {
    case .record: return RequestBody(query: value, secrets: secrets)
    case .array where secrets.isEmpty: return RequestBody(query: value)
    case .string where secrets.isEmpty: return RequestBody(query: value)
    case .array, .string:
      throw error(
        .denied,
        "in `body:`, `env NAME` is a value of a record: `{token: env NAME}`; or send it in "
          + "`headers: {Authorization: env NAME}`")
    default:
      throw error(
        .badArgument,
        "`body:` is \(value.type.phrase); expected a record, a list, or a string that is sent as it is"
      )
    }
  }

  /// A string that is sent and never shown: the value of an environment variable, or the string itself.
  func secretValue(in session: inout Session) async throws -> RequestValue {
    let value = try await sentValue(in: &session)
    return if case .plain(let text) = value { .secret(text, symbol: "REDACTED") } else { value }
  }

  /// A string that is sent: the value of an environment variable, which is secret, or the string itself.
  func sentValue(in session: inout Session) async throws -> RequestValue {
    if case .atom(let atom) = form, case .environment = atom.kind,
      let value = try await session.requestValue(of: atom)
    {
      return value
    }
    return .plain(try await string(in: &session))
  }
}

extension Session {
  /// The value of an atom in a body, where `env NAME` is a string.
  /// - Parameter secrets: receives these strings.
  fileprivate mutating func bodyValue(
    of atom: Atom, _ secrets: inout [RequestValue]
  ) async throws -> Value {
    switch atom.kind {
    case .environment:
      guard let secret = try await requestValue(of: atom) else { return .null }
      secrets.append(secret)
      return .string(secret.isMissing ? secret.shown : secret.sent)
    case .list(let atoms):
      var values: [Value] = []
      for atom in atoms { values.append(try await bodyValue(of: atom, &secrets)) }
      return .array(values)
    case .record(let pairs):
      var values: [(String, Value)] = []
      for (key, atom) in pairs {
        values.append((key.text, try await bodyValue(of: atom, &secrets)))
      }
      return .record(Record(values))
    default: return try await value(of: atom)
    }
  }

  /// The string that is sent for an atom; nil for `null`.
  fileprivate mutating func requestValue(of atom: Atom) async throws -> RequestValue? {
    switch atom.kind {
    case .environment(let name):
      let symbol = "env \(name)"
      // A recording contains no secrets, so a replay needs none.
      let value =
        transports.respondsFromFiles
        ? try? environmentValue(name, at: atom.span) : try environmentValue(name, at: atom.span)
      return value.map { .secret($0, symbol: symbol) } ?? .missing(symbol: symbol)
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

extension Session {
  /// The value of a variable of the environment.
  /// - Throws: ``Diagnostic``: `notFound` for a variable that is not set, `denied` in the safe mode.
  func environmentValue(_ name: String, at span: Span) throws -> String {
    let value: String?
    do {
      value = try options.environment(name)
    } catch let error as TableError {
      throw Diagnostic(error.kind, error.message, at: span)
    }
    guard let value else {
      throw Diagnostic(
        .notFound, "the environment has no `\(name)` (export \(name)=… before the start)", at: span)
    }
    return value
  }
}
