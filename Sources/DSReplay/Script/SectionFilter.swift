import DataTables

/// Selects the sections that are tested (`--filter`, `--tag`, `--exclude`).
package struct SectionFilter: Sendable, Equatable {
  /// Select the sections with one of these texts in the path of the script or in their titles; empty
  /// selects all.
  package var texts: [String] = []
  /// Selects the sections that have at least one of these tags; empty selects all.
  package var tags: [String] = []
  /// Texts in the path or the title, or tags, of sections that do not run.
  package var excluded: [String] = []

  package init() {}

  package var selectsAll: Bool { texts.isEmpty && tags.isEmpty && excluded.isEmpty }

  /// One of the texts or tags.
  enum Condition: Sendable, Equatable {
    case text(String)
    case tag(String)
    case exclusion(String)

    /// Whether a section is meant by it.
    /// - Parameter title: with the file and the engine of the run; nil for a section without a title.
    func matches(path: String, title: String?, tags: [String]) -> Bool {
      func isNamed(_ text: String) -> Bool { path.contains(text) || title?.contains(text) ?? false }
      return switch self {
      case .text(let text): isNamed(text)
      case .tag(let tag): tags.contains(tag)
      case .exclusion(let text): tags.contains(text) || isNamed(text)
      }
    }

    /// The warning that no section is meant by it, which may be misspelled.
    var warning: String {
      switch self {
      case .text(let text): "no section has `\(text)` in its name"
      case .tag(let tag): "no section has the tag `\(tag)`"
      case .exclusion(let text):
        "`--exclude \(text)` leaves out nothing: no section has it as a tag or in its name"
      }
    }
  }

  var conditions: [Condition] {
    texts.map(Condition.text) + tags.map(Condition.tag) + excluded.map(Condition.exclusion)
  }

  /// Whether a section does not run at all.
  func excludes(path: String, title: String?, tags: [String]) -> Bool {
    excluded.contains { Condition.exclusion($0).matches(path: path, title: title, tags: tags) }
  }

  /// Whether a section is tested.
  /// - Parameter title: with the file and the engine of the run; nil for a section without a title.
  func selects(path: String, title: String?, tags: [String]) -> Bool {
    func matches(_ condition: Condition) -> Bool {
      condition.matches(path: path, title: title, tags: tags)
    }
    return (texts.isEmpty || texts.contains { matches(.text($0)) })
      && (self.tags.isEmpty || self.tags.contains { matches(.tag($0)) })
      && !excludes(path: path, title: title, tags: tags)
  }

  /// The error that the filter selects no section: ``no section of `a.ds` has the tag `x` ``.
  /// - Parameter scripts: the scripts as an error message names them.
  package func selectsNothing(of scripts: String) -> String {
    var conditions: [String] = []
    if !texts.isEmpty {
      conditions.append(texts.map { "`\($0)`" }.joined(separator: " or ") + " in its name")
    }
    if !tags.isEmpty {
      conditions.append("the tag " + tags.map { "`\($0)`" }.joined(separator: " or "))
    }
    let options = excluded.map { "`--exclude \($0)`" }.joined(separator: ", ")
    if conditions.isEmpty {
      return excluded.isEmpty
        ? "no tests to run in \(scripts)" : "\(options) leaves out all sections of \(scripts)"
    }
    return "no section of \(scripts) has " + conditions.joined(separator: " and ")
      + (excluded.isEmpty ? "" : ", apart from those that \(options) leaves out")
  }

  var value: Value {
    [
      "texts": .array(texts.map(Value.string)), "tags": .array(tags.map(Value.string)),
      "excluded": .array(excluded.map(Value.string)),
    ]
  }

  /// - Parameter value: written by ``value``.
  init(_ value: Value?) {
    guard case .record(let record)? = value else { return }
    texts = Self.strings(record["texts"])
    tags = Self.strings(record["tags"])
    excluded = Self.strings(record["excluded"])
  }

  private static func strings(_ value: Value?) -> [String] {
    if case .array(let values)? = value { values.compactMap(\.string) } else { [] }
  }
}

/// One of the runs of a script: the file of `each` and the engine of `matrix`.
struct ScriptVariant: Sendable {
  let file: String?
  let engine: TableEngine?
  /// `data/a.csv, sqlite`; nil for the only run of a script.
  let name: String?

  init(file: String? = nil, engine: TableEngine? = nil) {
    self.file = file
    self.engine = engine
    let parts = [file, engine?.rawValue].compactMap { $0 }
    name = parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// A run whose file and engine are unknown.
  init(name: String?) {
    file = nil
    engine = nil
    self.name = name
  }

  /// The title of a section in this run.
  func title(of section: String?) -> String? {
    guard let name else { return section }
    return section.map { "\($0), \(name)" } ?? name
  }
}

extension ReplayScript {
  /// The runs of the script, in order.
  var variants: [ScriptVariant] {
    let files = lesson == nil ? each?.files ?? [] : []
    let engines = lesson == nil ? engines : []
    let withFiles = files.isEmpty ? [ScriptVariant()] : files.map { ScriptVariant(file: $0) }
    if engines.isEmpty { return withFiles }
    return withFiles.flatMap { variant in
      engines.map { ScriptVariant(file: variant.file, engine: $0) }
    }
  }

  /// Whether a filter selects any section of a run.
  func hasMatch(in variant: ScriptVariant, for filter: SectionFilter) -> Bool {
    if filter.selectsAll { return true }
    return titles.contains { title, tags in
      filter.selects(path: path, title: variant.title(of: title), tags: tags)
    }
  }

  /// The indices of the conditions of a filter that mean any section of any run.
  func matchedConditions(of filter: SectionFilter) -> Set<Int> {
    let conditions = filter.conditions
    if conditions.isEmpty { return [] }
    var matched: Set<Int> = []
    for variant in variants {
      for (title, tags) in titles {
        for (index, condition) in conditions.enumerated()
        where condition.matches(path: path, title: variant.title(of: title), tags: tags) {
          matched.insert(index)
        }
      }
    }
    return matched
  }

  /// The titles and the tags of the sections, or of the parts of a lesson.
  private var titles: [(title: String?, tags: [String])] {
    if let lesson { return lesson.parts.map { ($0.title ?? lesson.title, setting.tags) } }
    return sections.map { ($0.title, $0.setting.tags) }
  }
}
