import DataTables

/// A key, and how it splits objects into sections.
struct SectionIdea {
  /// The key whose values, or something derived from them, are the titles.
  let base: ObjectKeyPath
  /// The verb and the labels of the command that makes the sections.
  let verb: String
  let labels: String
  /// The key of the sections, if it alone determines them.
  let key: ObjectKeyPath?
  /// The sizes of the sections, ascending.
  let sizes: [Int]
  /// The number of objects without the key.
  let nulls: Int
  let score: Double

  /// The ideas for the objects of a source, the best first.
  ///
  /// - Parameter isSample: whether the source has other objects.
  static func ranked(_ profiles: [KeyProfile], isSample: Bool) -> [SectionIdea] {
    let ideas = profiles.flatMap { profile in
      kinds(of: profile).compactMap { $0.idea(for: profile, isSample: isSample) }
    }
    // Equally good ideas keep the order of the keys.
    let ranked = ideas.enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }.map(\.element)
    return ranked.enumerated().filter { rank, idea in
      !ranked[..<rank].contains { $0.makesSameSections(as: idea) }
    }.map(\.element)
  }

  /// Whether the sections have the same objects, such as those of months and days if no two days are
  /// in one month. Lists of other verbs have other titles or an index of their own.
  private func makesSameSections(as other: SectionIdea) -> Bool {
    base == other.base && verb == other.verb && sizes == other.sizes
  }

  private static func kinds(of profile: KeyProfile) -> [Kind] {
    if profile.hasDates { return [.year, .month, .day] }
    switch profile.type {
    case .string: return [.values(1)] + (profile.hasWords ? [.firstCharacters, .letters] : [])
    case .number: return [.values(0.7), .floors]
    case .bool: return [.values(0.8)]
    case .date, .data, .array, .record, .null: return []
    case nil: return profile.types.isEmpty ? [] : [.values(0.5)]
    }
  }
}

extension SectionIdea {
  /// How the values of a key become titles.
  private enum Kind {
    /// With the quality of keys of this type, relative to that of strings.
    case values(Double)
    case firstCharacters, letters, floors
    case year, month, day

    /// Less than 1 where another kind with the same sections would be clearer.
    private var factor: Double {
      switch self {
      case .values(let factor): factor
      case .firstCharacters: 0.7
      case .letters: 0.65
      case .floors: 0.5
      case .year, .month: 0.9
      case .day: 0.8
      }
    }

    /// nil if the sections are not useful.
    func idea(for profile: KeyProfile, isSample: Bool) -> SectionIdea? {
      let sizes = sizes(of: profile)
      let shape = SectionShape(sizes: sizes, objects: profile.objects, nulls: profile.nulls)
      guard shape.quality > 0, !(isSample && shape.isIncomplete) else { return nil }
      let (path, key) = (profile.path, key(of: profile))
      if let key, key != path, !path.canContinue { return nil }
      let sort = "sort: \(path)"
      let (verb, labels) =
        switch self {
        case .values, .firstCharacters, .floors:
          ("sectioned", "key: \(key ?? path) \(sort)")
        case .letters: ("collated", "key: \(path) empty: hide")
        case .year: ("sectioned", "key: \(path) mode: year \(sort)")
        case .month: ("sectioned", "key: \(path) mode: month \(sort)")
        case .day: ("sectioned", "key: \(path) mode: day \(sort)")
        }
      return SectionIdea(
        base: path, verb: verb, labels: labels, key: key, sizes: sizes, nulls: profile.nulls,
        score: shape.quality * factor)
    }

    private func key(of profile: KeyProfile) -> ObjectKeyPath? {
      switch self {
      case .values: profile.path
      case .firstCharacters: profile.deriving("firstCharacter")
      case .floors: profile.deriving("floor")
      case .letters, .year, .month, .day: nil
      }
    }

    private func sizes(of profile: KeyProfile) -> [Int] {
      switch self {
      case .values: return profile.sizes()
      case .firstCharacters:
        return initials(of: profile) { Self.derived("firstCharacter", $0) }
      case .letters:
        return initials(of: profile) {
          Self.derived("firstCharacter", Self.derived("folded", $0))
        }
      case .floors:
        // The floor of an integer is the value itself.
        let hasFractions = profile.counts.keys.contains { Self.derived("floor", $0) != $0 }
        return hasFractions ? profile.sizes { Self.derived("floor", $0) } : []
      case .year: return profile.sizes { Self.derived("year", $0) }
      case .month: return profile.sizes { Self.derived(["year", "month"], $0) }
      case .day: return profile.sizes { Self.derived(["year", "month", "day"], $0) }
      }
    }

    /// Sections by a first character; none where those of the values have clearer titles, or where
    /// nearly all values begin alike.
    private func initials(of profile: KeyProfile, _ title: (Value) -> Value) -> [Int] {
      let sizes = profile.sizes(by: title)
      let isNearlyConstant = (sizes.last ?? 0) * 10 > (profile.objects - profile.nulls) * 9
      return sizes.count == profile.sizes().count || isNearlyConstant ? [] : sizes
    }

    private static func derived(_ keys: [String], _ value: Value) -> Value {
      .array(keys.map { derived($0, value) })
    }

    private static func derived(_ key: String, _ value: Value) -> Value {
      ObjectKeyPath(key: key).evaluate(on: value)
    }
  }
}
