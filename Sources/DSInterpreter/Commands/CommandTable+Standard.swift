extension CommandTable {
  /// The commands of the language, by the tasks that `help` lists.
  package static let standard = CommandTable(
    [
      Group(
        "load", task: "read files, URLs and values", effect: .changes,
        [LoadCommand.self, SimpleCommand.self, RemoteCommand.self, PaginatedCommand.self]),
      Group(
        "group", task: "sort objects, and split them into sections", effect: .changes,
        [
          SectionedCommand.self, OrganizedCommand.self, CollatedCommand.self,
          FetchedResultsCommand.self, MultiCommand.self,
        ]),
      Group(
        "filter", task: "keep some objects or keys, or make others", effect: .changes,
        [
          FilteredCommand.self, UnrollCommand.self, ColumnsCommand.self, DistinctCommand.self,
          TopCommand.self, LimitCommand.self,
        ]),
      Group(
        "fetch", task: "request content, follow changes, and work offline", effect: .changes,
        [
          FetchCommand.self, FetchNextPageCommand.self, WillDisplayCommand.self, WaitCommand.self,
          CancelCommand.self, WatchCommand.self, UnwatchCommand.self, BackCommand.self,
          CassetteCommand.self, StubCommand.self, SlowCommand.self, FaultyCommand.self,
          StaleCommand.self,
        ]),
      Group(
        "look", task: "see sections, objects, keys and values", effect: .none,
        [
          ShowCommand.self, ObjectsCommand.self, MoreCommand.self, ObjectCommand.self,
          PreviewCommand.self, DescribeCommand.self, PlotCommand.self, CompareCommand.self,
          SectionsCommand.self, TitlesCommand.self, IndexTitlesCommand.self,
          SectionForIndexTitleCommand.self, SectionForTitleCommand.self, CountCommand.self,
          IndexPathCommand.self, RejectsCommand.self, PrintCommand.self, ListCommand.self,
        ]),
      Group(
        "explain", task: "find out why: places, wrappers, events, changes", effect: .none,
        [
          ExplainCommand.self, TreeCommand.self, EventsCommand.self, ExchangesCommand.self,
          DiffCommand.self, SnapshotsCommand.self, SuggestCommand.self, ReferencesCommand.self,
        ]),
      Group(
        "edit", task: "change objects, settings of sources and names", effect: .changes,
        [
          InsertCommand.self, UpdateCommand.self, RemoveCommand.self, MoveCommand.self,
          EditCommand.self, BeginCommand.self, CommitCommand.self, RollbackCommand.self,
          UndoCommand.self, RedoCommand.self, ReloadCommand.self, ReconfigureCommand.self,
          SetCommand.self, RenameCommand.self, DropCommand.self,
        ]),
      Group(
        "save", task: "write sources and edits to files and tables", effect: .none,
        [SaveCommand.self]),
      Group(
        "code", task: "write sources as code of an app", effect: .none,
        [CodeCommand.self]),
      Group(
        "databases", task: "open databases and run statements", effect: .changes,
        [
          OpenCommand.self, TablesCommand.self, QueryCommand.self, ExecCommand.self,
          CloseCommand.self, DeleteCacheCommand.self,
        ]),
      Group(
        "test", task: "check what must hold", effect: .none,
        [ExpectCommand.self, RequireCommand.self]),
      Group(
        "script", task: "repeat and choose commands, define others, and run scripts",
        effect: .changes,
        [
          ForCommand.self, IfCommand.self, DefCommand.self, SourceCommand.self, QuitCommand.self,
        ]),
      Group(
        "settings", task: "choose the style of results and other options", effect: .settings,
        [OptionCommand.self, ModeCommand.self, TimerCommand.self, TraceCommand.self]),
      Group(
        "session", task: "see what was typed, and save it as a script or a test", effect: .session,
        [HistoryCommand.self]),
      Group(
        "help", task: "find commands, labels and topics", effect: .session,
        [HelpCommand.self, AproposCommand.self]),
    ], call: CallCommand.self, include: SourceCommand.self,
    properties: SourceProperty.all.map(\.name))
}
