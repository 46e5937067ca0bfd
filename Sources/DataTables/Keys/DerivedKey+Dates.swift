extension DerivedKey {
  // In GMT, so that equal dates give equal results whatever zones they are written in.
  static let dateKeys: [DerivedKey] = [
    date("year", "the year") { $0.year },
    date("month", "the month, 1 to 12") { $0.month },
    date("day", "the day of the month, 1 to 31") { $0.day },
    date("weekday", "the day of the week, Monday is 1") { $0.weekday },
    date("week", "the ISO week, 1 to 53") { $0.week },
    date("hour", "the hour, 0 to 23") { $0.hour },
  ]

  private static func date(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (CivilTime) -> Int
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .date(function))
  }
}
