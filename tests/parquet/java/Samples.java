import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Writes one small file a case with parquet-java, the format's own implementation: whatever schema
 * its message text can say, rows in raw nesting. Usage: java Samples FOLDER.
 */
public final class Samples {
  private final Path folder;

  private Samples(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] words) throws IOException {
    Path folder = Path.of(words[0]);
    Files.createDirectories(folder);
    Samples samples = new Samples(folder);
    samples.lists();
    samples.maps();
    samples.repeated();
    samples.decimals();
    samples.types();
    samples.avro();
    samples.pages();
  }

  private void lists() throws IOException {
    write("list_three_levels",
        "optional group l (LIST) { repeated group list { optional binary element (STRING); } }",
        row("l", row("list", all(row("element", "a"), row()))), row(), row("l", row()));
    write("list_bag", "optional group l (LIST) { repeated group bag { optional int32 array_element; } }",
        row("l", row("bag", all(row("array_element", 1), row()))));
    write("list_rule_1", "optional group l (LIST) { repeated int32 element; }",
        row("l", row("element", all(1, 2))), row(), row("l", row()));
    write("list_rule_2",
        "optional group l (LIST) { repeated group element { required binary str (UTF8); optional int32 num; } }",
        row("l", row("element", all(row("str", "a", "num", 1), row("str", "b")))), row());
    write("list_rule_3",
        "optional group l (LIST) { repeated group list { repeated int32 x; } }",
        row("l", row("list", all(row("x", all(1, 2)), row()))), row());
    write("list_rule_4_array", "optional group l (LIST) { repeated group array { required int32 x; } }",
        row("l", row("array", all(row("x", 1), row("x", 2)))), row());
    write("list_rule_4_tuple", "optional group l (LIST) { repeated group l_tuple { required int32 x; } }",
        row("l", row("l_tuple", all(row("x", 1), row("x", 2)))), row());
    write("list_another_tuple", "optional group l (LIST) { repeated group k_tuple { required int32 x; } }",
        row("l", row("k_tuple", all(row("x", 1), row("x", 2)))), row());
    write("list_two_in_two",
        "optional group l (LIST) { repeated group array (LIST) { repeated int32 array; } }",
        row("l", row("array", all(row("array", all(1, 2)), row()))), row("l", row()), row());
    write("list_two_three_deep",
        "optional group l (LIST) { repeated group array (LIST) { repeated group array (LIST) { repeated int32 array; } } }",
        row("l", row("array", all(row("array", all(row("array", all(1)), row()))))));
    write("list_two_of_map",
        "optional group l (LIST) { repeated group array (MAP) { repeated group key_value { required binary key (STRING); optional int32 value; } } }",
        row("l", row("array", all(row("key_value", all(row("key", "a", "value", 1))), row()))));
    write("list_of_lists",
        "optional group l (LIST) { repeated group list { required group element (LIST) { repeated group list { required int32 element; } } } }",
        row("l", row("list", all(row("element", row("list", all(row("element", 1)))), row("element", row())))), row());
  }

  private void maps() throws IOException {
    Map<String, Object> pairs = row("m", row("key_value", all(row("key", "a", "value", 1), row("key", "b"))));
    String entries = "{ required binary key (UTF8); optional int32 value; } }";
    write("map", "optional group m (MAP) { repeated group key_value " + entries, pairs, row(), row("m", row()));
    write("map_key_value_outside", "optional group m (MAP_KEY_VALUE) { repeated group key_value " + entries,
        pairs, row(), row("m", row()));
    write("map_key_value_inside", "optional group m (MAP) { repeated group key_value (MAP_KEY_VALUE) " + entries,
        pairs, row(), row("m", row()));
    write("map_other_names",
        "optional group m (MAP) { repeated group map { required binary str (UTF8); required int32 num; } }",
        row("m", row("map", all(row("str", "a", "num", 1)))), row());
    write("map_without_values", "optional group m (MAP) { repeated group key_value { required int32 key; } }",
        row("m", row("key_value", all(row("key", 1), row("key", 2)))), row());
    write("map_optional_key",
        "optional group m (MAP) { repeated group key_value { optional int32 key; optional int32 value; } }",
        row("m", row("key_value", all(row("key", 1, "value", 2)))));
    write("map_repeated_keys", "optional group m (MAP) { repeated group key_value " + entries,
        row("m", row("key_value", all(row("key", "a", "value", 1), row("key", "b", "value", 2), row("key", "a", "value", 3)))));
    write("map_of_lists",
        "optional group m (MAP) { repeated group key_value { required int32 key; optional group value (LIST) { repeated group list { optional int32 element; } } } }",
        row("m", row("key_value", all(row("key", 1, "value", row("list", all(row("element", 5), row()))), row("key", 2)))));
  }

  private void repeated() throws IOException {
    write("repeated_primitive", "repeated int32 r;", row("r", all(1, 2)), row());
    write("repeated_group", "repeated group r { required int32 x; optional int32 y; }",
        row("r", all(row("x", 1, "y", 2), row("x", 3))), row());
    write("repeated_group_of_one", "repeated group r { required int32 x; }", row("r", all(row("x", 1))), row());
    write("repeated_in_group", "optional group g { repeated binary x (STRING); }",
        row("g", row("x", all("a"))), row("g", row()), row());
    write("repeated_beside_list",
        "repeated int32 r; optional group l (LIST) { repeated group list { optional int32 element; } }",
        row("r", all(1), "l", row("list", all(row("element", 2)))));
  }

  private void decimals() throws IOException {
    write("decimal_int32", "optional int32 d (DECIMAL(9,2));", row("d", -12345), row());
    write("decimal_int64", "required int64 d (DECIMAL(18,18));", row("d", 999_999_999_999_999_999L));
    write("decimal_int64_few_digits", "required int64 d (DECIMAL(9,2));", row("d", 123L));
    for (int bytes : new int[] {4, 5, 8, 16, 20}) {
      write("decimal_fixed_" + bytes, "required fixed_len_byte_array(" + bytes + ") d (DECIMAL(9,2));",
          row("d", fixed("123", bytes)), row("d", fixed("-123", bytes)), row("d", fixed("-999999999", bytes)));
    }
    write("decimal_binary", "required binary d (DECIMAL(9,2));", row("d", fewest("123")), row("d", fewest("-123")),
        row("d", fewest("999999999")), row("d", fewest("0")));
    write("decimal_binary_padded", "required binary d (DECIMAL(9,2));", row("d", fixed("123", 4)), row("d", fixed("-123", 9)));
    String digits = "9".repeat(40);
    write("decimal_40_binary", "required binary d (DECIMAL(40,1));", row("d", fewest("-" + digits)), row("d", fewest("1")));
    write("decimal_76_fixed", "required fixed_len_byte_array(32) d (DECIMAL(76,38));", row("d", fixed("9".repeat(76), 32)));
    write("decimal_90_fixed", "required fixed_len_byte_array(38) d (DECIMAL(90,3));", row("d", fixed("9".repeat(90), 38)));
    write("decimal_scale_is_precision", "optional int32 d (DECIMAL(9,9));", row("d", 1));
  }

  private void types() throws IOException {
    write("integers",
        "required int32 i8 (INTEGER(8,true)); required int32 i16 (INT_16); required int32 i32 (INT_32); required int64 i64 (INTEGER(64,true));"
            + " required int32 u8 (UINT_8); required int32 u16 (INTEGER(16,false)); required int32 u32 (UINT_32); required int64 u64 (INTEGER(64,false));",
        row("i8", -128, "i16", -32768, "i32", Integer.MIN_VALUE, "i64", Long.MIN_VALUE, "u8", 255, "u16", 65535, "u32", -1, "u64", -1L));
    write("plain", "required boolean b; required float f; required double d; required binary s; required fixed_len_byte_array(3) x;",
        row("b", true, "f", 1.5f, "d", -2.5, "s", bytes(0xff, 0), "x", bytes(1, 2, 3)));
    write("text", "required binary s (STRING); required binary e (ENUM); required binary j (JSON);",
        row("s", "тест", "e", "RED", "j", "[1]"));
    write("bson", "optional binary a (BSON);", row("a", bytes(5, 0, 0, 0, 0)), row());
    write("uuid", "required fixed_len_byte_array(16) a (UUID);", row("a", fixed("1", 16)));
    write("float16", "required fixed_len_byte_array(2) a (FLOAT16);", row("a", bytes(0, 0x3e)));
    write("interval", "optional fixed_len_byte_array(12) a (INTERVAL);",
        row("a", bytes(1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255)), row());
    write("int96", "optional int96 t;", row("t", int96(0, 2_440_588)), row("t", int96(86_399_999_999_999L, 2_440_587)), row());
    write("int96_far", "optional int96 t;", row("t", int96(1_000, 1_721_426)));
    write("date", "required int32 d (DATE);", row("d", -1));
    for (String unit : List.of("MILLIS", "MICROS", "NANOS")) {
      for (boolean utc : new boolean[] {true, false}) {
        String name = unit.toLowerCase() + (utc ? "_utc" : "_local");
        write("timestamp_" + name, "required int64 t (TIMESTAMP(" + unit + "," + utc + "));", row("t", -1L));
        boolean millis = unit.equals("MILLIS");
        write("time_" + name, "required " + (millis ? "int32" : "int64") + " t (TIME(" + unit + "," + utc + "));",
            row("t", millis ? (Object) 86_399_999 : (Object) 1L));
      }
    }
    write("unknown", "optional int32 n (UNKNOWN);", row());
    write("geometry", "optional binary g (GEOMETRY); optional binary h (GEOGRAPHY(OGC:CRS84,VINCENTY));",
        row("g", bytes(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), row());
    write("variant", "optional group v (VARIANT(1)) { required binary metadata; required binary value; }",
        row("v", row("metadata", bytes(1, 0, 0), "value", bytes(0))), row());
    write("variant_shredded",
        "optional group v (VARIANT(1)) { required binary metadata; optional binary value; optional int64 typed_value; }",
        row("v", row("metadata", bytes(1, 0, 0), "typed_value", 7L)), row("v", row("metadata", bytes(1, 0, 0), "value", bytes(0))), row());
    String field = "{ optional binary value; optional int64 typed_value; }";
    String object = "optional group v (VARIANT(1)) { required binary metadata; optional binary value; optional group typed_value {"
        + " required group a " + field + " required group b " + field + " } }";
    // The names a, b and c. The second row has c apart from the shredded fields, and no b.
    byte[] names = bytes(0x11, 3, 0, 1, 2, 3, 'a', 'b', 'c');
    write("variant_object", object,
        row("v", row("metadata", names, "typed_value", row("a", row("typed_value", 1L), "b", row("value", bytes(4))))),
        row("v", row("metadata", names, "value", bytes(2, 1, 2, 0, 1, 0), "typed_value", row("a", row("typed_value", 300L), "b", row()))));
    write("variant_refused_twice",
        "optional group v (VARIANT(1)) { required binary metadata; optional binary value; optional int64 typed_value; }",
        row("v", row("metadata", bytes(1, 0, 0), "value", bytes(0), "typed_value", 7L)));
    write("variant_refused_field", object,
        row("v", row("metadata", names, "value", bytes(2, 1, 0, 0, 1, 0), "typed_value", row("a", row("typed_value", 1L), "b", row()))));
    write("variant_refused_bytes", object,
        row("v", row("metadata", names, "typed_value", row("a", row("value", bytes(0x14, 1)), "b", row()))));
    write("field_ids",
        "required int32 a = 1; optional group l (LIST) = 2 { repeated group list { optional int32 element = 3; } }"
            + " optional group m (MAP) = 4 { repeated group key_value { required int32 key = 5; optional int32 value = 6; } }",
        row("a", 1, "l", row("list", all(row("element", 2))), "m", row("key_value", all(row("key", 3, "value", 4)))));
  }

  /** Records as parquet-avro writes them, with lists in two levels, as is its default, and in three. */
  private void avro() throws IOException {
    Schema schema = new Schema.Parser().parse("""
        {"type": "record", "name": "r", "fields": [
          {"name": "ints", "type": {"type": "array", "items": "int"}},
          {"name": "structs", "type": {"type": "array", "items":
            {"type": "record", "name": "s", "fields": [{"name": "x", "type": "int"}]}}},
          {"name": "lists", "type": {"type": "array", "items": {"type": "array", "items": "string"}}},
          {"name": "map", "type": {"type": "map", "values": ["null", "long"]}},
          {"name": "maybe", "type": ["null", "string"]},
          {"name": "colour", "type": {"type": "enum", "name": "c", "symbols": ["RED", "BLUE"]}},
          {"name": "money", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
          {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
          {"name": "day", "type": {"type": "int", "logicalType": "date"}}]}""");
    Schema inner = schema.getField("structs").schema().getElementType();
    GenericRecord struct = new GenericData.Record(inner);
    struct.put("x", 7);
    GenericRecord record = new GenericData.Record(schema);
    record.put("ints", List.of(1, 2));
    record.put("structs", List.of(struct));
    record.put("lists", List.of(List.of("a", "b"), List.of()));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("k", 1L);
    map.put("n", null);
    record.put("map", map);
    record.put("maybe", null);
    record.put("colour", new GenericData.EnumSymbol(schema.getField("colour").schema(), "BLUE"));
    record.put("money", ByteBuffer.wrap(new BigInteger("-123").toByteArray()));
    record.put("at", -1L);
    record.put("day", 19_000);
    for (boolean old : new boolean[] {true, false}) {
      PlainParquetConfiguration configuration = new PlainParquetConfiguration();
      configuration.setBoolean("parquet.avro.write-old-list-structure", old);
      try (ParquetWriter<GenericRecord> writer =
          AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(target(old ? "avro_two_levels" : "avro_three_levels")))
              .withSchema(schema).withConf(configuration).build()) {
        writer.write(record);
      }
    }
  }

  /** Rows enough for dictionaries and several pages, in both page versions and each codec. */
  private void pages() throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType(
        "message m { required int64 id; optional binary text (STRING);"
            + " optional group l (LIST) { repeated group list { optional int32 element; } } }");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 300; ++i) {
      List<Object> items = new ArrayList<>();
      for (int k = 0; k < i % 4; ++k) items.add(k == 2 ? row() : row("element", i + k));
      Map<String, Object> row = row("id", (long) i);
      if (i % 3 != 0) row.put("text", "text " + i % 7);
      if (i % 5 != 0) row.put("l", row("list", items));
      rows.add(row);
    }
    for (CompressionCodecName codec :
        List.of(CompressionCodecName.UNCOMPRESSED, CompressionCodecName.SNAPPY, CompressionCodecName.GZIP, CompressionCodecName.ZSTD)) {
      for (WriterVersion version : WriterVersion.values()) {
        String name = "pages_" + codec.name().toLowerCase() + "_" + (version == WriterVersion.PARQUET_1_0 ? "v1" : "v2");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(target(name)))
            .withType(schema).withConf(new PlainParquetConfiguration()).withCompressionCodec(codec)
            .withWriterVersion(version).withPageRowCountLimit(100).build()) {
          for (Map<String, Object> row : rows) writer.write(group(schema, row));
        }
      }
    }
  }

  private Path target(String name) throws IOException {
    Path file = folder.resolve(name + ".parquet");
    Files.deleteIfExists(file);
    return file;
  }

  @SafeVarargs
  private void write(String name, String fields, Map<String, Object>... rows) throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType("message m { " + fields + " }");
    try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(target(name)))
        .withType(schema).withConf(new PlainParquetConfiguration()).build()) {
      for (Map<String, Object> row : rows) writer.write(group(schema, row));
    }
  }

  private static Group group(MessageType schema, Map<String, Object> row) {
    SimpleGroup group = new SimpleGroup(schema);
    fill(group, row);
    return group;
  }

  @SuppressWarnings("unchecked")
  private static void fill(Group group, Map<String, Object> row) {
    row.forEach((name, value) -> {
      for (Object item : value instanceof List ? (List<Object>) value : List.of(value)) {
        if (item instanceof Map) fill(group.addGroup(name), (Map<String, Object>) item);
        else if (item instanceof Boolean) group.add(name, (boolean) item);
        else if (item instanceof Integer) group.add(name, (int) item);
        else if (item instanceof Long) group.add(name, (long) item);
        else if (item instanceof Float) group.add(name, (float) item);
        else if (item instanceof Double) group.add(name, (double) item);
        else if (item instanceof String) group.add(name, (String) item);
        else group.add(name, Binary.fromConstantByteArray((byte[]) item));
      }
    });
  }

  private static Map<String, Object> row(Object... words) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < words.length; i += 2) row.put((String) words[i], words[i + 1]);
    return row;
  }

  private static List<Object> all(Object... items) {
    return Arrays.asList(items);
  }

  private static byte[] bytes(int... values) {
    byte[] out = new byte[values.length];
    for (int i = 0; i < values.length; ++i) out[i] = (byte) values[i];
    return out;
  }

  private static byte[] fewest(String number) {
    return new BigInteger(number).toByteArray();
  }

  private static byte[] fixed(String number, int size) {
    byte[] least = fewest(number);
    byte[] out = new byte[size];
    Arrays.fill(out, 0, size - least.length, (byte) (least[0] < 0 ? -1 : 0));
    System.arraycopy(least, 0, out, size - least.length, least.length);
    return out;
  }

  private static byte[] int96(long nanosOfDay, int julianDay) {
    return ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(nanosOfDay).putInt(julianDay).array();
  }
}
