#include "xwalk/report/rule_pages.h"

#include <array>

// Outputs are written by `tests/cli/pages_test.py --update`, and its test compares them with the
// program.

// clang-format off
namespace xwalk::report {
namespace {

constexpr auto kPages = std::to_array<RulePage>({
      {"annotation.contradiction",
       R"(echo LEgBbRUCABUEJQAYAWElEkyMERwsAAAAAAA= | base64 -d | xwalk validate --rules --from parquet -)",
       R"(-: note: a: LogicalType says TIMESTAMP(MICROS,true), ConvertedType says TIMESTAMP_MILLIS (annotation.contradiction)
-: schema, valid
)"},
      {"annotation.misplaced",
       R"(echo LEgBbRUCABUEJQAYAWElHkysEwgRAAAA | base64 -d | xwalk validate --rules --from parquet -)",
       R"(-: error: a: expected INTEGER(8,true) to annotate int32, found it on int64 (annotation.misplaced)
-: schema, invalid
)"},
      {"annotation.parameters",
       R"(echo 'message m { required int32 a (UNKNOWN); }' | xwalk validate --rules --from parquet -)",
       R"(-: note: a: a required column of UNKNOWN can have no rows (annotation.parameters)
-: schema, valid
)"},
      {"annotation.stale",
       R"(echo 'Field { name: "a" type: "int64" metadata: { key: "xwalk:yt" value: "Utf8" } }' | xwalk check - --from lance --to yt)",
       R"(-: lance → yt      1 column: 1 exact
  a     int64 → Optional<Int64>  exact        annotation.stale
        an annotation that no longer describes it is ignored
)"},
      {"annotation.unknown",
       R"(echo LEgBbRUCABUCJQAYAWElmgEA | base64 -d | xwalk validate --rules --from parquet -)",
       R"(-: note: a: ConvertedType 77 is unknown (annotation.unknown)
-: schema, valid
)"},
      {"any.as-bytes",
       R"(xwalk type 'Optional<Any>' --from yt --to vortex)",
       R"(vortex   binary?
           widened  any.as-bytes, type.as-storage
)"},
      {"any.as-json",
       R"(echo '[{name=a;type_v3={type_name=optional;item=yson}}]' | xwalk check - --from yt --to parquet --any json)",
       R"(-: yt → parquet      1 column: 1 checked
  a     Optional<Any> → optional binary (JSON)  checked      any.as-json
        stored as JSON text, which has no attributes, NaN, ±Inf or strings that
        aren't UTF-8 (example: %nan); --any ytjson keeps them, as JSON with
        $attributes, $value and $type
)"},
      {"any.as-variant",
       R"(xwalk type 'Optional<Any>' --from yt --to parquet)",
       R"(parquet  optional group value (VARIANT(1)) { required binary metadata; required binary value; }
           checked  any.as-variant
)"},
      {"children.count",
       R"(echo 'Field { name: "l" type: "list" }' | xwalk validate --rules --from lance -)",
       R"(-: error: l: 0 children of a list, which has 1 (children.count)
-: schema, invalid
)"},
      {"crs.assumed",
       R"(echo 'v: binary [geoarrow.wkb]' | xwalk check - --from arrow --to parquet)",
       R"(-: arrow → parquet      1 column: 1 widened
  v     binary [geoarrow.wkb] → optional binary (GEOMETRY)  widened
        crs.assumed
        the source names no CRS; the target's default is OGC:CRS84
)"},
      {"crs.beyond-geoparquet",
       R"(echo 'v: binary [geoarrow.wkb "{\"crs\":\"EPSG:5070\"}"]' | xwalk check - --from arrow --to parquet --geoparquet)",
       R"(-: arrow → parquet      1 column: 1 exact
  v     binary [geoarrow.wkb] → optional binary  exact
        crs.beyond-geoparquet
        GeoParquet has no place for the CRS "EPSG:5070", which is not PROJJSON:
        its key says that the CRS is unknown
)"},
      {"crs.by-code",
       R"(echo 'v: binary [geoarrow.wkb "{\"crs\":{\"id\":{\"authority\":\"EPSG\",\"code\":5070}}}"]' | xwalk check - --from arrow --to iceberg)",
       R"(-: arrow → iceberg      1 column: 1 widened
  v     binary [geoarrow.wkb] → geometry(EPSG:5070)  widened
        crs.by-code, spec.version
        the definition in PROJJSON is replaced by EPSG:5070
        geometry came with version 3 of the table format
)"},
      {"crs.lost",
       R"(xwalk type 'geometry(srid:3857)' --from iceberg --to yt)",
       R"(yt       Optional<String>                             widened  crs.lost
)"},
      {"decimal.more-bytes",
       R"(echo UEFSMRUAFRgVGCwVAhUAFQYVBhwAAAAIAAAAAAAAAAAAACoVAhksNQAYBnNjaGVtYRUCABUMJQAYAXYlChUEFRIAFgIZHBkcJgAcFQwZJQYAGRgBdhUAFgIWPhY+JghJHBUAFQAVAgA8FhAZBhkGAAAAFj4WAiYIFj4AKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAAAIAAAABQQVIx | base64 -d > v.parquet; xwalk validate v.parquet)",
       R"(note: v: 1 value is stored in more bytes than needed, first in row 0 (decimal.more-bytes)
v.parquet: 1 row, valid
)"},
      {"decimal.precision",
       R"(echo 'message m { required int64 a (DECIMAL(9,2)); }' | xwalk validate --rules --from parquet -)",
       R"(-: note: a: int64 for a precision of 9, which int32 holds (decimal.precision)
-: schema, valid
)"},
      {"decimal.scale",
       R"(echo LEgBbRUCABUCJQAYAWElChUWFRIsXBUWFRIAAAA= | base64 -d | xwalk validate --rules --from parquet -)",
       R"(-: error: a: expected a scale from 0 to the precision 9, found 11 (decimal.scale)
-: schema, invalid
)"},
      {"decimal.special-values",
       R"(xwalk type 'Decimal(20,4)' --from yt --to parquet)",
       R"(parquet  required fixed_len_byte_array(9) value (DECIMAL(20,4));
           checked  decimal.special-values
)"},
      {"digits.fewer",
       R"(xwalk type 'decimal128(20, 4)' --from arrow --to arrow --into 'decimal128(20, 2)')",
       R"(arrow    decimal128(20, 2)
           checked  digits.fewer, type.widened
)"},
      {"encoding.narrowed",
       R"(xwalk type String --from yt --to yt --into Utf8)",
       R"(yt       Utf8                                         checked  encoding.narrowed
)"},
      {"extension.unknown",
       R"(echo 'v: int64 [my.ext]' | xwalk check - --from arrow --to yt)",
       R"(-: arrow → yt      1 column: 1 widened
  v     int64 [my.ext] → Optional<Int64>  widened      extension.unknown
        the extension "my.ext" is stored as its plain type
)"},
      {"float.narrowed",
       R"(xwalk type Double --from yt --to yt --into Float)",
       R"(yt       Float                                        checked  float.narrowed
)"},
      {"group.empty",
       R"(echo 'message m { optional group g { } }' | xwalk validate --rules --from parquet -)",
       R"(-: note: g: a group without fields has no column to store its values in (group.empty)
-: schema, valid
)"},
      {"id.duplicate",
       R"(echo 'message m { required int32 a = 1; required int32 b = 1; }' | xwalk validate --rules --from parquet -)",
       R"(-: note: b: field id 1 is also that of a (id.duplicate)
-: schema, valid
)"},
      {"id.invalid",
       R"(echo 'Field { name: "a" type: "int8" id: -2 }' | xwalk validate --rules --from lance -)",
       R"(-: error: a: no id assigned (found -2) (id.invalid)
-: schema, invalid
)"},
      {"id.lost",
       R"(xwalk type 'required int64 v = 7' --from parquet --to yt)",
       R"(yt       Int64                                        widened  id.lost
)"},
      {"id.parent",
       R"(echo 'Field { id: 0 name: "a" type: "int8" parent_id: 9 }' | xwalk validate --rules --from lance -)",
       R"(-: error: a: the parent 9, which is not there (id.parent)
-: schema, invalid
)"},
      {"integers.as-doubles",
       R"(echo '{x=1};{x=1.5};' | xwalk validate - --from yson --schema '<integers_in_doubles=%true>[{name=x;type=double}]')",
       R"(note: integers in columns of doubles, read as the equal doubles (integers.as-doubles)
-: 2 rows, valid
)"},
      {"key.invalid",
       R"(echo 'Field { name: "a" type: "int8" unenforced_primary_key: true }' | xwalk validate --rules --from lance -)",
       R"(-: error: a: a primary key column that is nullable, or is nested in a nullable field, a list or a map (key.invalid)
-: schema, invalid
)"},
      {"key.lost",
       R"(echo '[{name=k;type=int64;required=%true;sort_order=ascending}]' | xwalk check - --from yt --to parquet --no-annotations)",
       R"(-: yt → parquet      1 column: 1 widened
  k     Int64 → required int64  widened      key.lost
        sort_order="ascending" is not preserved
)"},
      {"keys.duplicates",
       R"(echo 'v: map<string, int64>' | xwalk check - --from arrow --to parquet --duplicate-keys last)",
       R"(-: arrow → parquet      1 column: 1 lossy
  v     map<string, int64> → optional group (MAP) { repeated group…  lossy
        keys.duplicates
        cannot store a key twice
)"},
      {"layout.flattened",
       R"(xwalk type string_view --from arrow --to yt)",
       R"(yt       Optional<Utf8>                               widened  layout.flattened
)"},
      {"list.legacy",
       R"(echo 'message m { optional group l (LIST) { repeated group bag { optional int32 x; } } }' | xwalk validate --rules --from parquet -)",
       R"(-: note: l: expected the names list and element, found "bag" and "x" (list.legacy)
-: schema, valid
)"},
      {"list.mixed",
       R"(echo 'message m { repeated int32 a; optional group l (LIST) { repeated group list { optional int32 element; } } }' | xwalk validate --rules --from parquet -)",
       R"(-: note: a: a repeated field without annotation next to LIST or MAP annotations (list.mixed)
-: schema, valid
)"},
      {"list.shape",
       R"(echo 'message m { optional group l (LIST) { optional int32 element; } }' | xwalk validate --rules --from parquet -)",
       R"(-: error: l: expected the field of a LIST group to be repeated, found optional "element" (list.shape)
-: schema, invalid
)"},
      {"map.key-optional",
       R"(echo 'message m { optional group m (MAP) { repeated group key_value { optional int32 key; optional int32 value; } } }' | xwalk validate --rules --from parquet -)",
       R"(-: error: m{key}: expected the key of a MAP to be required, found it optional (map.key-optional)
-: schema, invalid
)"},
      {"map.legacy",
       R"(echo 'message m { optional group m (MAP) { repeated group key_value { required int32 key; } } }' | xwalk validate --rules --from parquet -)",
       R"(-: note: m: a map without values is a set of keys (map.legacy)
-: schema, valid
)"},
      {"map.shape",
       R"(echo 'message m { optional group m (MAP) { repeated group kv { required int32 key; optional int32 value; optional int32 extra; } } }' | xwalk validate --rules --from parquet -)",
       R"(-: error: m: expected the repeated group of a MAP to have a key and a value, found 3 fields (map.shape)
-: schema, invalid
)"},
      {"meaning.changed",
       R"(echo '[{name=at;type=int64;required=%true}]' | xwalk check - --from yt --to parquet --cast 'at=storage:timestamp[us]')",
       R"(-: yt → parquet      1 column: 1 widened
  at    Int64 → required int64 (TIMESTAMP(MICROS,false))  widened
        meaning.changed, type.as-storage
        stored values are read as the requested type
)"},
      {"meaning.differs",
       R"(echo '[{name=a;type=int64}]' > t.yson.schema; touch t.yson; echo '[{name=a;type=string}]' | xwalk check - --from yt --append t.yson)",
       R"(-: yt → yt      1 column: 1 unsupported
  a     Optional<String> → Optional<Int64>  unsupported  meaning.differs
        bytes (binary) is not a number (int64); --cast a=Int64 converts them.
)"},
      {"member.added",
       R"(xwalk type 'struct<a: int64>' --from arrow --to arrow --into 'struct<a: int64, b: string>')",
       R"(arrow    struct<a: int64, b: string>                  widened  member.added
)"},
      {"member.left-out",
       R"(xwalk type 'struct<a: int64, b: string>' --from arrow --to arrow --into 'struct<a: int64>')",
       R"(arrow    struct<a: int64>
           lossy  name.changed, member.left-out
)"},
      {"metadata.lost",
       R"(echo 'Field { name: "a" type: "int64" metadata: { key: "unit" value: "kg" } }' | xwalk check - --from lance --to skiff)",
       R"(-: lance → skiff      1 column: 1 widened
  a     int64 → variant8<nothing;int64>  widened      metadata.lost
        metadata "unit" is not preserved
)"},
      {"metadata.stale",
       R"(echo 'Field { name: "a" type: "int64" } metadata { key: "gdal:schema" value: "{}" }' | xwalk check - --from lance --to parquet --rename a=b)",
       R"(-: lance → parquet      1 column: 1 widened
  (table)                          widened      metadata.stale
           "gdal:schema" describes columns that are changed, and is left out
  a        int64 → optional int64  widened      name.changed
           is called "b": as requested
)"},
      {"name.changed",
       R"(echo '[{name="a.b";type=int64}]' | xwalk check - --from yt --to lance)",
       R"(-: yt → lance      1 column: 1 widened
  "a.b"  Optional<Int64> → int64  widened      name.changed
         is called "a_b": a column's name has no '.'
)"},
      {"name.duplicate",
       R"(echo 'message m { required int32 a; required int64 a; }' | xwalk validate --rules --from parquet -)",
       R"(-: note: a: a second field "a" in one group (name.duplicate)
-: schema, valid
)"},
      {"name.invalid",
       R"(echo LEgBbRUCABUCJQAYAf8A | base64 -d | xwalk validate --rules --from parquet -)",
       R"(-: error: "\xFF": a name that is not UTF-8 (name.invalid)
-: schema, invalid
)"},
      {"name.reserved",
       R"(echo 'Field { id: 3 name: "_rowid" type: "uint64" }' | xwalk validate --rules --from lance -)",
       R"(-: error: _rowid: a name that Lance gives to a column of its own (name.reserved)
-: schema, invalid
)"},
      {"null.added",
       R"(xwalk type Int64 --from yt --to yt --into 'Optional<Int64>')",
       R"(yt       Optional<Int64>                              widened  null.added
)"},
      {"null.levels-merged",
       R"(xwalk type 'Optional<Optional<Int64>>' --from yt --to yt --into 'Optional<Int64>')",
       R"(yt       Optional<Int64>
           checked  null.levels-merged
)"},
      {"null.refused",
       R"(xwalk type 'Optional<Int64>' --from yt --to yt --into Int64)",
       R"(yt       Int64                                        checked  null.refused
)"},
      {"option.unused",
       R"(echo 'message m { optional int64 id; }' | xwalk check - --from parquet --to yt --drop-zone)",
       R"(-: parquet → yt      1 column: 1 exact
note: --drop-zone changes nothing: no column has a time zone per value (option.unused)
)"},
      {"order.changed",
       R"(xwalk type 'struct<a: int64, b: string>' --from arrow --to arrow --into 'struct<b: string, a: int64>')",
       R"(arrow    struct<b: string, a: int64>                  widened  order.changed
)"},
      {"order.required",
       R"(echo 'v: int64' | xwalk check - --from arrow --to yt --to-schema '[{name=v;type=int64;sort_order=ascending}]')",
       R"(-: arrow → yt      1 column: 1 exact
  (table)               checked      order.required
           rows must be sorted by v
)"},
      {"output.new",
       R"(echo '[{name=a;type=int64}]' | xwalk check - --from yt --append new.yson)",
       R"(-: yt → yt      1 column: 1 exact
note: new.yson is a new output: there are no rows to add to (output.new)
)"},
      {"range.narrowed",
       R"(xwalk type 'required int64 v (TIMESTAMP(MICROS,true))' --from parquet --to yt)",
       R"(yt       Timestamp64                                  checked  range.narrowed
)"},
      {"reader.misreads",
       R"(echo 'message m { required int64 a (TIME(NANOS,true)); }' | xwalk check - --from parquet --to parquet --for-reader duckdb)",
       R"(-: parquet → parquet      1 column: 1 lossy
  a     required int64 (TIME(NANOS,… → required int64 (TIME(NANOS,…  lossy
        reader.misreads
        DuckDB: TIME WITH TIME ZONE: parts finer than microseconds are lost
)"},
      {"reader.refuses",
       R"(echo 'message m { required int64 a (TIME(MICROS,false)); }' | xwalk check - --from parquet --to parquet --for-reader spark)",
       R"(-: parquet → parquet      1 column: 1 unsupported
  a     required int64 (TIME(MICROS… → required int64 (TIME(MICROS…  unsupported
        reader.refuses
        Spark: refuses the file: TIME; give it another type with --cast, or
        leave it out with --exclude
)"},
      {"row-spec.differs",
       R"(echo '{schema=[{name=a;type=int64}]; _yql_row_spec={Type=[StructType;[[a;[DataType;Int64]]]]}}' | xwalk validate --rules --from yt -)",
       R"(-: note: a: Optional<Int64> in the schema, Int64 by the row spec (row-spec.differs)
-: schema, valid
)"},
      {"orders.miscounted",
       R"(echo UEFSMRUAFRAVECwVAhUAFQYVBgAABwAAAAAAAAAVAhksSAFtFQIAFQQlABgBdgAWAhkcGRwmCBwVBBkVABkYAXYVABYCFjIWMiYIAAAWMhYCADksHAAAHAAAAD4AAABQQVIx | base64 -d > v.parquet; xwalk validate v.parquet)",
       R"(v.parquet: error: expected 1 orders of values, found 2 (orders.miscounted)
v.parquet: 1 row, invalid
)"},
      {"rows.miscounted",
       R"(echo UEFSMRUAFRAVECwVAhUAFQYVBgAABwAAAAAAAAAVAhksSAFtFQIAFQQlABgBdgAWABkcGRwmCBwVBBkVABkYAXYVABYCFjIWMiYIAAAWMhYCAAA2AAAAUEFSMQ== | base64 -d > v.parquet; xwalk validate v.parquet)",
       R"(note: the footer says 0 rows, the row groups have 1 (rows.miscounted)
v.parquet: 1 row, valid
)"},
      {"schema.differs",
       R"(echo '{id=1};' > t.yson; echo '[{name=id;type=int64}]' > t.yson.schema; xwalk convert t.yson t.arrow -q --cast id=int8; xwalk verify t.yson t.arrow)",
       R"(t.yson → t.arrow: 1 row, 1 column: differs
  id: expected int64, found int8 (schema.differs)
)"},
      {"schema.inferred",
       R"(echo '{"id":1}' > ids.jsonl; xwalk check ids.jsonl --to parquet)",
       R"(ids.jsonl: no schema given, inferred from all rows:
  'id': Optional<Int64>
ids.jsonl: yt → parquet      1 column: 1 inferred
  (table)                                    inferred     schema.inferred
           no schema: types inferred from all rows; give a schema with --schema
           FILE
  id       Optional<Int64> → optional int64  inferred     schema.inferred
           type inferred from the values
)"},
      {"size.lost",
       R"(xwalk type 'fixed_size_binary[16]' --from arrow --to yt)",
       R"(yt       Optional<String>                             widened  size.lost
)"},
      {"size.narrowed",
       R"(xwalk type binary --from arrow --to arrow --into 'fixed_size_binary[16]')",
       R"(arrow    fixed_size_binary[16]                        checked  size.narrowed
)"},
      {"spec.beyond-text",
       R"(echo '[{name=a;type_v3={type_name=decimal;precision=76;scale=38}}]' | xwalk validate --rules --from yt -)",
       R"(-: note: a: the specification and YQL end at decimals of 35 digits, the system at 76 (spec.beyond-text)
-: schema, valid
)"},
      {"spec.broken", R"(echo '[{name=a;type_v3=yson}]' | xwalk validate --rules --from yt -)",
       R"(-: error: a: column of type "any" cannot be "required" (spec.broken)
-: schema, invalid
)"},
      {"spec.version",
       R"(echo '[{name=a;type_v3=tz_timestamp64}]' | xwalk validate --rules --from yt -)",
       R"(-: note: a: the type was added in YTsaurus 25.3 (spec.version)
-: schema, valid
)"},
      {"text.formula",
       R"(echo '[{name=name;type=utf8;required=%true}]' | xwalk check - --from yt --to csv --csv-formulas refuse)",
       R"(-: yt → csv      1 column: 1 checked
  name  Utf8 → text  checked      type.as-storage, text.formula
        text: CSV has no types; xwalk schema prints them
        rejects text that begins with =, +, -, @, a tab or a carriage return
        (example: =1+1); --csv-formulas escape puts an apostrophe before it
)"},
      {"text.from-value",
       R"(echo '[{name=id;type=int64}]' | xwalk check - --from yt --to parquet --cast id=utf8)",
       R"(-: yt → parquet      1 column: 1 widened
  id    Optional<Int64> → optional binary (STRING)  widened
        text.from-value, type.cast
        written as text; the same cast back reads every value exactly
        cast to the requested type
)"},
      {"text.to-value",
       R"(echo '[{name=id;type=utf8}]' | xwalk check - --from yt --to parquet --cast id=int64)",
       R"(-: yt → parquet      1 column: 1 checked
  id    Optional<Utf8> → optional int64  checked      text.to-value, type.cast
        accepts only a whole number; how it is spelled is not preserved
        (example: a)
        cast to the requested type
)"},
      {"type.as-storage",
       R"(xwalk type Interval --from yt --to parquet)",
       R"(parquet  required int64 value;                        annotated  type.as-storage
)"},
      {"type.no-cast",
       R"(echo '[{name=a;type=int64}]' | xwalk check - --from yt --to yt --cast 'a=List<Int64>')",
       R"(-: yt → yt      1 column: 1 unsupported
  a     Optional<Int64> → Optional<List<Int64>>  unsupported  type.no-cast
        expected a type that can become list<item: int64 not null>, found int64
)"},
      {"type.parameters",
       R"(echo 'Field { name: "a" type: "decimal:128:39:2" }' | xwalk validate --rules --from lance -)",
       R"(-: error: a: a precision of 39, outside 1 to 38 (type.parameters)
-: schema, invalid
)"},
      {"type.cast",
       R"(echo '[{name=price;type=int64}]' | xwalk check - --from yt --to parquet --cast price=int32)",
       R"(-: yt → parquet      1 column: 1 checked
  price  Optional<Int64> → optional int32  checked
         range.narrowed, type.cast, type.widened
         range narrows from -9223372036854775808…9223372036854775807 to
         -2147483648…2147483647 (example: 2147483648)
         cast to the requested type
)"},
      {"type.widened",
       R"(xwalk type halffloat --from arrow --to yt)",
       R"(yt       Optional<Float>                              widened  type.widened
)"},
      {"type.unsupported",
       R"(echo '[{name=a;type_v3={type_name=optional;item={type_name=struct;members=[]}}}]' | xwalk check - --from yt --to parquet)",
       R"(-: yt → parquet      1 column: 1 unsupported
  a     Optional<Struct<>> →       unsupported  type.unsupported
        expected a type that Parquet can store, found struct<>; a group without
        fields has no column to store its values in
)"},
      {"union.lowered",
       R"(xwalk type "Variant<'a':Int64,'b':Utf8>" --from yt --to lance)",
       R"(lance    struct<a: int64, b: string>
           annotated  union.lowered, type.as-storage
)"},
      {"unit.coarser",
       R"(xwalk type 'timestamp[ns, tz=UTC]' --from arrow --to yt)",
       R"(yt       Optional<Timestamp64>                        checked  unit.coarser
)"},
      {"unit.finer",
       R"(xwalk type Datetime --from yt --to parquet)",
       R"(parquet  required int64 value (TIMESTAMP(MILLIS,true));  annotated  unit.finer
)"},
      {"variant.as-any",
       R"(xwalk type 'optional group value (VARIANT(1)) { required binary metadata; required binary value; }' --from parquet --to yt)",
       R"(yt       Optional<Any>
           checked  variant.as-any, variant.decimals-as-doubles
)"},
      {"variant.as-json",
       R"(xwalk type 'optional group value (VARIANT(1)) { required binary metadata; required binary value; }' --from parquet --to lance --into json)",
       R"(lance    json                                         checked  variant.as-json
)"},
      {"variant.decimals-as-doubles",
       R"(xwalk type 'optional group value (VARIANT(1)) { required binary metadata; required binary value; }' --from parquet --to yt)",
       R"(yt       Optional<Any>
           checked  variant.as-any, variant.decimals-as-doubles
)"},
      {"variant.shape",
       R"(echo 'message m { optional group v (VARIANT(1)) { required binary metadata; required binary value (STRING); } }' | xwalk validate --rules --from parquet -)",
       R"(-: note: v: the text of the specification does not mention VARIANT(1) (spec.beyond-text)
-: error: v: expected value to be a binary without annotation (variant.shape)
-: schema, invalid
)"},
      {"zone.assumed",
       R"(xwalk type 'timestamp[us]' --from arrow --to yt)",
       R"(yt       Optional<Timestamp64>
           checked  range.narrowed, zone.assumed
)"},
      {"zone.dropped",
       R"(xwalk type 'timestamp[us, tz=Europe/Berlin]' --from arrow --to yt)",
       R"(yt       Optional<Timestamp64>
           checked  range.narrowed, zone.dropped
)"},
      {"zone.unknown",
       R"(xwalk type 'struct<time: timestamp[us, tz=UTC] not null, zone: string not null>' --from arrow --to yt --into TzTimestamp)",
       R"(yt       TzTimestamp
           checked  null.refused, range.narrowed, zone.unknown
)"},
});

}  // namespace

std::span<const RulePage> rule_pages() { return kPages; }

}  // namespace xwalk::report
// clang-format on
