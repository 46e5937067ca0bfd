import DataSources
import DataTables
import Databases

/// The tables on which the state of some tables depends.
struct StateCatalog {
  /// A table with its database, on the connected server or on the shards of a cluster.
  struct Place: Hashable {
    var database: String
    var name: String
    /// nil for the connected server.
    var cluster: String?

    /// The name for the rows of the state.
    var label: String { "\(database).\(name)" + (cluster.map { " of " + $0 } ?? "") }

    /// The table in a statement.
    var table: String {
      let name = "\(Literal.name(database)).\(Literal.name(name))"
      return cluster.map { "cluster(\(Literal.quoted($0)), \(name))" } ?? name
    }
  }

  /// A subject of a part of the state.
  enum Subject: CaseIterable {
    case rows, definitions, shardDefinitions
  }

  private let database: String
  private var unknown: Set<Place> = []
  private var known: Set<Place> = []
  private var existing: Set<Place> = []
  /// The statements for the parts of the state.
  private var terms: [String: Subject] = [:]

  /// The maximum number of tables: a definition may name very many.
  private static let maxCount = 1000

  init(database: String) { self.database = database }

  mutating func add(_ table: TableName) throws(DatabaseError) { add(place(of: table)) }

  private func place(of table: TableName) -> Place {
    Place(database: table.schema ?? database, name: table.name)
  }

  func has(_ table: TableName) -> Bool { existing.contains(place(of: table)) }

  private mutating func add(_ place: Place) {
    if known.count < Self.maxCount, known.insert(place).inserted { unknown.insert(place) }
  }

  /// The tables whose definitions are not known yet; nil if all are.
  mutating func takeUnknown() -> [Place]? {
    defer { unknown = [] }
    return unknown.isEmpty ? nil : Array(unknown)
  }

  static func statement(_ places: [Place]) -> String {
    let names = places.map {
      "(\(Literal.quoted($0.database)), \(Literal.quoted($0.name)))"
    }
    return """
      SELECT database, name, engine, engine_full, create_table_query, \
      (SELECT max(replica_num) FROM system.clusters) FROM system.tables \
      WHERE (database, name) IN (\(names.joined(separator: ", ")))
      """
  }

  /// - Parameter rows: the result of ``statement(_:)``.
  mutating func learn(_ rows: [[Value]], of places: [Place]) {
    for row in rows {
      let texts = row.map { $0.string ?? "" }
      guard texts.count == 6 else { continue }
      let hasReplicas = if case .integer(let count) = row[5] { count > 1 } else { false }
      for place in places where place.database == texts[0] && place.name == texts[1] {
        existing.insert(place)
        addDefinition(of: place)
        learn(place, engine: texts[2], full: texts[3], query: texts[4], hasReplicas: hasReplicas)
      }
    }
    // A table may be on the shards only.
    for place in places where place.cluster != nil && !existing.contains(place) {
      addParts(of: place, hasReplicas: true)
    }
  }

  private mutating func learn(
    _ place: Place, engine: String, full: String, query: String, hasReplicas: Bool
  ) {
    switch engine {
    case "Distributed":
      guard place.cluster == nil, let shards = DistributedTable(engine: full) else { return }
      add(Place(database: shards.database, name: shards.name, cluster: shards.cluster))
    case "View", "MaterializedView", "LiveView":
      for name in Self.names(in: query) {
        add(Place(database: name.0 ?? place.database, name: name.1))
      }
      if engine == "MaterializedView" {
        add(Place(database: place.database, name: ".inner." + place.name))
      }
    case "Memory", "Log", "TinyLog", "StripeLog", "Set", "Join", "Buffer":
      let count =
        "SELECT \(Literal.quoted(place.label)), toUInt64(count()), toUInt64(0) FROM \(place.table)"
      terms[count] = .rows
    default:
      if engine.hasSuffix("MergeTree") { addParts(of: place, hasReplicas: hasReplicas) }
    }
  }

  /// The words of a definition that may be tables, with the databases before them.
  private static func names(in query: String) -> [(String?, String)] {
    var scanner = StatementScanner(query)
    var names: [(String?, String)] = []
    var words: [String] = []
    while let token = scanner.next() {
      let isName = token.kind == .word || "`\"".contains(query[token.range.lowerBound])
      let text = String(query[token.range]).filter { !"`\"".contains($0) }
      words.append(text)
      guard isName else { continue }
      let count = words.count
      let hasDatabase = count >= 3 && words[count - 2] == "."
      names.append((hasDatabase ? words[count - 3] : nil, text))
    }
    return names
  }

  private func table(_ name: String, of place: Place) -> String {
    guard let cluster = place.cluster else { return "system.\(name)" }
    return "cluster(\(Literal.quoted(cluster)), system, \(name))"
  }

  private mutating func addDefinition(of place: Place) {
    let definition = """
      SELECT \(Literal.quoted(place.label + " definition")), toUInt64(count()), \
      toUInt64(sum(cityHash64(create_table_query))) FROM \(table("tables", of: place)) \
      WHERE \(Self.condition(place, "name"))
      """
    terms[definition] = place.cluster == nil ? .definitions : .shardDefinitions
  }

  private static func condition(_ place: Place, _ name: String) -> String {
    "database = \(Literal.quoted(place.database)) AND \(name) = \(Literal.quoted(place.name))"
  }

  private mutating func addParts(of place: Place, hasReplicas: Bool) {
    // A replica is chosen for each statement, and replicas have other places.
    let shard =
      hasReplicas ? "''" : "concat(hostName(), substring(path, 1, length(path) - length(name) - 1))"
    // The version of a part is the number of the mutation that wrote it, and greater than the numbers
    // of the blocks in it. A merge only joins parts that the same mutation wrote: the sum stays.
    let parts = """
      SELECT \(Literal.quoted(place.label)), toUInt64(sum(n)), toUInt64(sum(h)) FROM (SELECT \
      sum(rows) AS n, cityHash64(shard, partition_id, max(max_block_number), sum(rows), \
      sum(rows * if(version > max_block_number, version, 0))) AS h \
      FROM (SELECT \(shard) AS shard, partition_id, max_block_number, rows, \
      toInt64(data_version) AS version \
      FROM \(table("parts", of: place)) WHERE active AND \(Self.condition(place, "table"))) \
      GROUP BY shard, partition_id)
      """
    terms[parts] = .rows
  }

  /// The statements whose rows are the state, one for each subject; empty without a table that has a
  /// state.
  var statements: [Subject: String] {
    let groups = Dictionary(grouping: terms.keys) { terms[$0] }
    guard groups[.rows] != nil else { return [:] }
    var statements: [Subject: String] = [:]
    for subject in Subject.allCases {
      statements[subject] = groups[subject]?.sorted().joined(separator: " UNION ALL ")
    }
    return statements
  }
}
