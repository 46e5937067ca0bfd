import DataCompression
package import DataTables
import DocumentFormats
import SQLiteDatabase

extension FormatTable {
  /// The formats of the language.
  package static let standard = FormatTable.core.adding(
    documents + [SQLiteFormat()], codecs: [GzipCodec(), ZstdCodec(), ZipCodec()])

  /// The name of a file without its extensions: `people` of `data/people.csv.gz`.
  func stem(of path: String) -> String {
    let stem = FilePath.stem(of: path)
    return codec(ofFileNamed: path) != nil && format(ofFileNamed: stem) != nil
      ? FilePath.stem(of: stem) : stem
  }
}
