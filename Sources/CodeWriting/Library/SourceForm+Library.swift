import DataSources
import DataTables

extension SourceForm {
  /// The class of the library.
  var className: String {
    switch self {
    case .simple, .file: "SimpleSource"
    case .remote(let remote): remote.paging == nil ? "RemoteSource" : "PaginatedSource"
    case .table(let table): table.statement == nil ? "TableSource" : "QuerySource"
    case .sectioned: "SectionedSource"
    case .collated: "CollatedSource"
    case .organized: "OrganizedSource"
    case .multi: "MultiSource"
    case .filtered: "FilteredSource"
    case .fetchedResults: "FetchedResultsSource"
    case .distinct: "DistinctSource"
    case .limit: "LimitedSource"
    case .top: "TopSource"
    case .unroll: "UnrolledSource"
    case .columns: "ColumnsSource"
    case .slow: "SlowSource"
    case .faulty: "FaultySource"
    case .stale: "StaleSource"
    }
  }

  /// The modules that the constructor needs in addition to those of all sources.
  var modules: [String] {
    switch self {
    case .file(let file): file.modules
    case .remote(let remote): ["HTTPTransport"] + remote.modules
    case .table(let table): ["Databases", table.module]
    default: []
    }
  }
}

extension TableForm {
  /// The driver of the engine.
  var driver: String {
    switch engine {
    case "sqlite": ".sqlite"
    case "clickhouse": ".clickHouse(over: HTTPTransport())"
    default: ".postgres"
    }
  }

  var module: String {
    switch engine {
    case "sqlite": "SQLiteDatabase"
    case "clickhouse": "ClickHouseDatabase"
    default: "PostgreSQLDatabase"
    }
  }
}

extension FileForm {
  /// The formats that the library needs: those of documents are in a module of their own.
  var formats: String { FormatUse(format: format, path: path).formats }
  var modules: [String] { FormatUse(format: format, path: path).modules }
}

extension RemoteForm {
  /// The response decides its format; without a stated one, JSON and delimited text are read.
  var formats: String { FormatUse(format: options.format ?? "", path: request.url).formats }
  var modules: [String] {
    let hasSecrets = (request.query + request.headers).contains {
      if case .plain = $0.value { false } else { true }
    }
    return FormatUse(format: options.format ?? "", path: request.url).modules
      + (hasSecrets ? ["Foundation"] : [])
  }
}

/// The modules and the tables of formats that reading some data needs.
private struct FormatUse {
  let needsDocuments: Bool
  let codec: String?

  init(format: String, path: String) {
    needsDocuments = [
      "xml", "rss", "atom", "html", "yaml", "plist", "xlsx", "feed", "opml",
    ].contains(format.lowercased())
    let lower = path.lowercased()
    codec =
      lower.hasSuffix(".gz")
      ? "GzipCodec()"
      : lower.hasSuffix(".zst")
        ? "ZstdCodec()"
        : lower.hasSuffix(".zip") ? "ZipCodec()" : nil
  }

  var formats: String {
    guard needsDocuments || codec != nil else { return ".core" }
    return
      ".core.adding(\(needsDocuments ? "FormatTable.documents" : "[]"), codecs: [\(codec ?? "")])"
  }

  var modules: [String] {
    (needsDocuments ? ["DocumentFormats"] : []) + (codec == nil ? [] : ["DataCompression"])
  }
}

extension ReadOptions {
  /// Whether a read differs from one without options.
  var isChanged: Bool { format != nil || !settings.isEmpty }
}
