public import DataSources
public import DataTables

/// The state of a conversation: what is bound to names, the options, the last result.
///
/// Owned by the loop that reads commands, and passed `inout`; it confines the sources.
public struct Session {
  /// In the order in which they were bound.
  public var bindings: [Binding] { names.all }
  var names = Bindings()
  /// `_`, the last result.
  public internal(set) var last: Operand = .none
  public var options = SessionOptions()
  /// What was typed, oldest first; kept by whoever reads it.
  public var history: [String] = []
  public let cancellation: Cancellation
  /// Who answers the requests of remote sources; `stub` and `cassette` change it.
  public let transports: TransportRouter
  /// How far the command is that is being run.
  public let progress: Progress
  /// By which commands and requests are timed, and wait.
  package let clock: AdjustableClock
  /// What falls by chance: how long is waited before a request is sent again.
  package let chance: Chance
  /// Runs the session's scripts.
  package let execution = ScriptExecution()
  /// The available commands.
  package var commands: CommandTable
  /// The source that a verb takes at the prompt when it is given none.
  var lastSource: (any DataSource)?
  /// The name that `let` is about to bind, for what is shown of a source before it is bound.
  var pendingName: String?
  /// The warnings that were shown, each to be shown once a source.
  var toldWarnings: [ToldWarning] = []
  /// What listens to the sources whose changes are shown (`watch`).
  var watchers: [ChangeWatcher] = []
  /// The fetches that go on while other commands run, or that nobody was told of yet.
  var background: [BackgroundFetch] = []
  /// The sources that were read whose columns may turn out to be other than they seemed.
  var loaded: [LoadedSource] = []
  /// How many type changes of a table were told.
  var toldTypeChanges: [ObjectIdentifier: Int] = [:]

  /// By the machine's clock and chance.
  public init(cancellation: Cancellation = Cancellation()) {
    self.init(cancellation: cancellation, clock: AdjustableClock(), chance: Chance())
  }

  package init(cancellation: Cancellation, clock: AdjustableClock, chance: Chance) {
    self.cancellation = cancellation
    self.clock = clock
    self.chance = chance
    progress = Progress(clock: clock)
    transports = TransportRouter(
      files: FileTransport(),
      retry: Retry(clock: clock, date: { clock.date }, random: { chance.next() }))
    commands = .standard
  }

  public struct Binding {
    public let name: String
    public var value: Operand
  }

  struct LoadedSource {
    weak var source: (any ReadSource)?
  }
}

/// What a command gives to `let`, to `|` and to parentheses.
public enum Operand {
  case none
  case value(Value)
  case source(any DataSource)
  /// Objects that are read when their values are asked for.
  // Apart, as it is larger than what the others hold, and rare.
  indirect case objects(ObjectListing)
}

/// Settings that commands change and the loop obeys.
public struct SessionOptions: Sendable {
  /// The style of rendering (`mode`).
  public var style = "table"
  /// The styles that `mode` takes.
  public var styles = ["table"]
  /// Whether the time of every command is shown (`timer on`).
  public var showsTime = false
  /// Whether events are told as they happen (`trace on`).
  public var traces = false
  /// What tells them; nil where nobody reads them.
  public var traceWriter: (@Sendable (EventLine, SessionOptions) -> Void)?
  /// The folder that relative paths are taken from.
  public var folder = ""
  /// What follows the script on the command line (`args`).
  public var arguments: [String] = []
  /// Whether somebody types, so that a verb may take the last used source.
  public var isInteractive = false
  public init() {}
}
