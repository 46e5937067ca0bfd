extension ErrorKind {
  /// One clause for help.
  var summary: String {
    switch self {
    case .syntax: "a line does not parse; no line of its script was run"
    case .unknownVerb: "a word is not a command"
    case .unknownName: "nothing is bound to a name, or a database has no such table"
    case .unknownKey: "no object has a key"
    case .badArgument: "an argument or a label has the wrong type or an unknown word"
    case .notFetched: "a source has no content before its first fetch"
    case .outOfRange: "an index path, a section or a number is out of range"
    case .notFound: "nothing has the index title, the variable or the subject"
    case .format: "a file or a response is not in the format, or its rows are rejected"
    case .encoding: "a text is not in its encoding"
    case .io: "a file cannot be read or written"
    case .network: "a server cannot be reached"
    case .httpStatus: "a response has a status other than 2xx"
    case .timeout: "a limit of time was exceeded"
    case .cancelled: "Ctrl-C or `cancel` ended a command"
    case .sortMismatch: "the sort does not keep the rows of a section together"
    case .conflict: "another change, name or file is in the way"
    case .changed: "another program changed a file or a table while it was read"
    case .cassette: "a cassette has no response to a request"
    case .expectation: "an `expect` or a `require` does not hold"
    case .limit: "a limit of size, depth or number was exceeded"
    case .denied: "something is not allowed, such as a write without `write: true`"
    case .database: "an engine reports an error"
    case .fault: "`faulty` was asked to fail a fetch"
    }
  }
}
