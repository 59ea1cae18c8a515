import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.*;
import org.apache.iceberg.data.*;
import org.apache.iceberg.hadoop.*;
import org.apache.iceberg.io.*;

/** Prints the rows of tables, and the counts and bounds of their data files, as Iceberg's own library reads them: one JSON value a line. */
public class IcebergRows {
  static void text(StringBuilder out, Object value) {
    if (value == null) { out.append("null"); return; }
    if (value instanceof ByteBuffer b) { byte[] a = new byte[b.remaining()]; b.duplicate().get(a); value = a; }
    if (value instanceof byte[] a) { StringBuilder hex = new StringBuilder("x"); for (byte b : a) hex.append(String.format("%02x", b)); value = hex.toString(); }
    if (value instanceof Boolean || value instanceof Integer || value instanceof Long) { out.append(value); return; }
    if (value instanceof StructLike s) {
      out.append('['); for (int i = 0; i < s.size(); i++) { if (i > 0) out.append(','); text(out, s.get(i, Object.class)); } out.append(']'); return;
    }
    if (value instanceof List<?> l) { out.append('['); String sep = ""; for (Object o : l) { out.append(sep); text(out, o); sep = ","; } out.append(']'); return; }
    if (value instanceof Map<?, ?> m) {
      List<String> parts = new ArrayList<>();
      for (Map.Entry<?, ?> e : m.entrySet()) { StringBuilder p = new StringBuilder("["); text(p, e.getKey()); p.append(','); text(p, e.getValue()); parts.add(p.append(']').toString()); }
      Collections.sort(parts); out.append('[').append(String.join(",", parts)).append(']'); return;
    }
    out.append('"');
    for (char c : value.toString().toCharArray()) { if (c == '"' || c == '\\' || c < 32 || c > 126) out.append(String.format("\\u%04x", (int) c)); else out.append(c); }
    out.append('"');
  }

  public static void main(String[] args) throws Exception {
    for (String path : args) {
      Table table = path.endsWith(".metadata.json")
          ? new BaseTable(new StaticTableOperations(path, new HadoopFileIO(new Configuration())), path) : new HadoopTables(new Configuration()).load(path);
      System.out.println("table " + SchemaParser.toJson(table.schema()));
      try (CloseableIterable<org.apache.iceberg.data.Record> rows = IcebergGenerics.read(table).build()) {
        for (org.apache.iceberg.data.Record row : rows) { StringBuilder out = new StringBuilder("row "); text(out, row); System.out.println(out); }
      }
      try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
        for (FileScanTask task : tasks) {
          DataFile f = task.file();
          StringBuilder out = new StringBuilder("file {");
          out.append("\"rows\":").append(f.recordCount()).append(",\"partition\":"); text(out, f.partition());
          for (Object[] named : new Object[][] {{"nulls", f.nullValueCounts()}, {"nans", f.nanValueCounts()}, {"values", f.valueCounts()}}) {
            out.append(",\"").append(named[0]).append("\":"); text(out, named[1]);
          }
          for (Object[] named : new Object[][] {{"lower", f.lowerBounds()}, {"upper", f.upperBounds()}}) {
            Map<Integer, Object> values = new TreeMap<>();
            if (named[1] != null) for (Map.Entry<?, ?> e : ((Map<?, ?>) named[1]).entrySet()) {
              int id = (Integer) e.getKey();
              values.put(id, org.apache.iceberg.types.Conversions.fromByteBuffer(table.schema().findType(id), (ByteBuffer) e.getValue()));
            }
            out.append(",\"").append(named[0]).append("\":"); text(out, values);
          }
          System.out.println(out.append('}'));
        }
      }
    }
  }
}
