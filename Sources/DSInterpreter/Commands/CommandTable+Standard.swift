extension CommandTable {
  /// The commands of the language.
  package static let standard = CommandTable([
    Group(
      "create",
      [
        LoadCommand.self, SimpleCommand.self, RemoteCommand.self, PaginatedCommand.self,
        SectionedCommand.self, OrganizedCommand.self, CollatedCommand.self, MultiCommand.self,
        FilteredCommand.self, FetchedResultsCommand.self, UnrollCommand.self, ColumnsCommand.self,
        DistinctCommand.self, TopCommand.self, LimitCommand.self,
      ]),
    Group(
      "databases",
      [
        OpenCommand.self, TablesCommand.self, QueryCommand.self, ExecCommand.self,
        SaveCommand.self, CloseCommand.self, DeleteCacheCommand.self,
      ]),
    Group(
      "change",
      [
        SetCommand.self, RenameCommand.self, DropCommand.self, InsertCommand.self,
        UpdateCommand.self, RemoveCommand.self, MoveCommand.self, EditCommand.self,
        BeginCommand.self, CommitCommand.self, RollbackCommand.self, UndoCommand.self,
        RedoCommand.self, ReloadCommand.self, ReconfigureCommand.self,
      ]),
    Group(
      "fetch",
      [
        FetchCommand.self, FetchNextPageCommand.self, WillDisplayCommand.self, WaitCommand.self,
        CancelCommand.self, WatchCommand.self, UnwatchCommand.self, CassetteCommand.self,
        StubCommand.self,
      ]),
    Group(
      "inspect",
      [
        SectionsCommand.self, TitlesCommand.self, IndexTitlesCommand.self,
        SectionForIndexTitleCommand.self, SectionForTitleCommand.self, CountCommand.self,
        ObjectCommand.self,
        IndexPathCommand.self, ObjectsCommand.self, ShowCommand.self, MoreCommand.self,
        DescribeCommand.self,
        RejectsCommand.self, ReferencesCommand.self, TreeCommand.self, EventsCommand.self,
        ExplainCommand.self, DiffCommand.self, ListCommand.self,
      ]),
    Group("check", [ExpectCommand.self, RequireCommand.self]),
    Group(
      "script",
      [
        SourceCommand.self, PrintCommand.self, ModeCommand.self, TimerCommand.self,
        TraceCommand.self, OptionCommand.self, HelpCommand.self, HistoryCommand.self,
        QuitCommand.self,
      ]),
  ])
}
