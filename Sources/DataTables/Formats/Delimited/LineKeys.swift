/// The keys of lines that contain their keys: those of the sample, then those that the scan for rows
/// found, in order of first appearance.
struct LineKeys {
  private(set) var dialect: Dialect
  private(set) var header: Header
  private(set) var sampled: TypeSample.Findings

  /// The types of keys that first appear after so many samples are determined on access.
  private static let maxSamples = 8

  /// - Parameter sampled: the types of the keys of `header`.
  /// - Throws: the errors of the store.
  init(
    _ index: RowIndex, of store: any ByteStore, dialect: Dialect, header: Header,
    sampled: TypeSample.Findings, options: ReadOptions, sizes: ScanSizes
  ) throws {
    (self.dialect, self.header, self.sampled) = (dialect, header, sampled)
    var known = Set(header.keys)
    let new = index.chunks.flatMap(\.findings.newKeys).filter { known.insert($0.key).inserted }
    guard !new.isEmpty, let lines = dialect.lines else { return }
    self.dialect.lines = lines.adding(keys: new.map(\.key))
    self.header.keys += new.map(\.key)
    var rest = new[...]
    for _ in 0..<Self.maxSamples {
      guard let first = rest.first else { break }
      let header = Header(keys: self.header.keys, end: first.offset)
      let found = try TypeSample(
        store, dialect: self.dialect, options: options, header: header, sizes: sizes
      ).read()
      // The sample begins at the first appearance of the key, so that each sample adds a key.
      let end = first.offset + sizes.sample
      while let next = rest.first, next.offset < end {
        let place = self.sampled.forms.count
        self.sampled.columns.append(found.columns[place])
        self.sampled.forms.append(found.forms[place])
        rest = rest.dropFirst()
      }
    }
    for new in rest {
      let type = options.types[new.key]
      let form = type.map { CellForm($0, order: nil, style: options.numberStyle) }
      self.sampled.forms.append(form ?? CellForm(.string))
      self.sampled.columns.append(
        ColumnReport(key: new.key, type: type?.type ?? .string, isExact: type != nil))
    }
  }
}
