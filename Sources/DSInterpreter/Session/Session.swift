public import DataSources
public import DataTables
public import Databases
import Glibc

/// The state that commands share: the bound names, the options and the last result.
///
/// The loop that reads commands owns the session and passes it `inout`. The sources belong to the
/// isolation of that loop.
public struct Session {
  /// In the order in which they were bound.
  public var bindings: [Binding] { names.all }
  var names = Bindings()
  /// `_`, the last result.
  public internal(set) var last: Operand = .none
  /// The value of the last command; unlike `_`, without those before it.
  var result: Operand = .none
  public var options = SessionOptions()
  /// The typed entries, oldest first; maintained by the caller that reads them.
  public var history: [String] = []
  public let cancellation: Cancellation
  /// Transports for the requests of remote sources; `stub` and `cassette` change them.
  public let transports: TransportRouter
  /// Progress of the running command.
  public let progress: Progress
  /// Measures the time of commands and requests, and provides the delays between requests.
  package let clock: AdjustableClock
  /// Random delays before a request is sent again.
  package let randomNumbers: RandomNumbers
  /// Runs the session's scripts.
  package let execution = ScriptExecution()
  /// The state of modules above this one.
  package var attachments = Attachments()
  /// The available commands.
  package var commands: CommandTable
  /// A database into which `load` and `simple` copy rows, to bind their table instead; nil outside of
  /// tests.
  package var loadsInto: OpenDatabase?
  /// The engines of databases.
  package var drivers: DatabaseDrivers
  /// The transaction that `begin` or `edit` opened.
  package internal(set) var transaction: OpenTransaction?
  /// Receives the files that commands write; nil to write them where they are named.
  package var files: FileOverlay?
  /// The rows that the last table left out, which `more` shows; nil without any.
  var rest: OutputRest?
  /// Whether the last table left out rows.
  package var lastTableIsCut: Bool { rest != nil }
  /// The source that a verb without a source uses at the prompt.
  var lastSource: (any DataSource)?
  /// The name that `let` is about to bind, for output about a source before it is bound.
  var pendingName: String?
  /// The warnings that were reported; each is reported once per source.
  var reportedWarnings: [ReportedWarning] = []
  /// The averages of values without a source whose missing values were reported.
  var averagesWarnedAbout: Set<String> = []
  /// The elements of the subqueries around the evaluated expression, the innermost last.
  var subqueryElements: [SubqueryElement] = []
  /// The warnings of the running command.
  var pendingWarnings: [String] = []
  /// Warnings of what happened between two commands, which the next one shows.
  var earlierWarnings: [String] = []
  /// The listeners of the sources whose changes are shown (`watch`).
  var watchers: [ChangeWatcher] = []
  /// Observe the files of the watched sources.
  package let monitors = SourceMonitors()
  /// The caches of fetched results.
  package var caches = FetchCaches()
  /// The fetches that run while other commands do, and ended ones that were not reported.
  var backgroundFetches: [BackgroundFetch] = []
  /// The objects that commands read; nil unless the coverage of a test is measured.
  package var contentReads: ContentReads?
  /// Sources with columns whose types may turn out to differ from the types of their first rows.
  var loaded: [LoadedSource] = []
  /// For each table, the number of type changes that were reported.
  var reportedTypeChanges: [ObjectIdentifier: Int] = [:]

  /// Creates a session with the machine's clock and random numbers.
  public init(cancellation: Cancellation = Cancellation()) {
    self.init(cancellation: cancellation, clock: AdjustableClock(), randomNumbers: RandomNumbers())
  }

  package init(cancellation: Cancellation, clock: AdjustableClock, randomNumbers: RandomNumbers) {
    self.cancellation = cancellation
    self.clock = clock
    self.randomNumbers = randomNumbers
    progress = Progress(clock: clock)
    transports = TransportRouter(
      files: FileTransport(),
      retry: Retry(clock: clock, date: { clock.date }, random: { randomNumbers.next() }))
    commands = .standard
    drivers = .standard(over: transports)
  }

  public struct Binding {
    public let name: String
    public var value: Operand
  }

  struct SubqueryElement {
    let name: String
    /// nil in a predicate, which is evaluated later, for each object.
    let value: Value?
  }

  struct LoadedSource {
    weak var source: (any ReadSource)?
  }

  /// A warning that was shown.
  struct ReportedWarning {
    weak var source: (any DataSource)?
    let warning: String
  }
}

/// The value that a command passes to `let`, to `|` and to parentheses.
public enum Operand {
  case none
  case value(Value)
  case source(any DataSource)
  case database(OpenDatabase)
  /// Objects that are read when their values are needed.
  // Indirect, because it is large and rare.
  indirect case objects(ObjectListing)
}

/// A style of rendering, as `help mode` lists it.
public struct OutputStyle: Sendable {
  public let name: String
  /// One clause.
  public let summary: String

  public init(name: String, summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// Settings that commands change.
public struct SessionOptions: Sendable {
  /// The style of rendering (`mode`).
  public var style = "table"
  /// The styles that `mode` accepts.
  public var styles = [OutputStyle(name: "table", summary: "aligned columns")]
  /// The styles for programs, which write all rows.
  public var completeStyles: [String] = []
  /// The maximum number of rows that other styles show at once (`option rows`); nil for all.
  public var rows: Int? = 50
  /// Whether the prompt shows results that do not fit on the terminal in pages (`option pager`).
  public var usesPager = true
  /// Whether the time of every command is shown (`timer on`).
  public var showsTime = false
  /// Whether events are written as they happen (`trace on`).
  public var traces = false
  /// Writes events; nil when nothing reads them.
  public var traceWriter: (@Sendable (EventLine, SessionOptions) -> Void)?
  /// The maximum number of objects to copy from a database for what it cannot compute
  /// (`option limit`); nil for no limit.
  public var copyLimit: Int? = 1_000_000
  /// The maximum number of sources below a source, one wrapping the next (`option depth`).
  public var depthLimit = 1_000
  /// The greatest ``depthLimit``: releasing a source releases those below it on the same stack.
  public static let maxDepth = 10_000
  /// The URL to which the paths of `remote` and its like are appended (`option base`), without a slash at
  /// its end; nil without one.
  public var baseURL: String?
  /// The folder that relative paths start from.
  public var folder = ""
  /// The words after the script on the command line (`args`).
  public var arguments: [String] = []
  /// The value that `env NAME` reads, or nil for a variable that is not set; by default that of the
  /// process, and an error in its safe mode.
  public var environment: @Sendable (_ name: String) throws -> String? = { name in
    try SafeMode.checkEnvironment(name)
    return getenv(name).map { String(cString: $0) }
  }
  /// The folder with the folder `data` of the bundled data, for the examples of help; nil to show
  /// them as they are declared.
  public var examplesFolder: String?
  /// The folder with the lessons of the bundled course; nil if there is none.
  public var lessonsFolder: String?
  /// The words that completion offers where a module above the language declares a noun: `lesson`.
  package var words: [String: @Sendable () -> [String]] = [:]
  /// The file in which the progress of the learner is kept; nil to keep it for the session only.
  public var lessonProgressFile: String?
  /// Whether results have a picture beside their text where `as:` can draw one (`tree`, `explain`).
  public var addsPictures = false
  /// Whether standard input is used for commands, so that `load -` cannot read it.
  public var readsStandardInput = false
  /// Whether commands are typed, so that a verb without a source uses the last used source.
  public var isInteractive = false
  public init() {}

  /// The maximum number of rows that the style shows at once; nil for all.
  public var shownRows: Int? { completeStyles.contains(style) ? nil : rows }
  /// The most bars or sections that a picture shows without `first:`: all without a limit of rows, as
  /// in tests.
  var shownParts: Int { rows == nil ? .max : Self.usualParts }
  static let usualParts = 20
}
