import DataCompression
package import DataTables
import DocumentFormats

extension FormatTable {
  /// The formats of the language.
  package static let standard = FormatTable.core.adding(
    documents, codecs: [GzipCodec(), ZstdCodec(), ZipCodec()])
}
