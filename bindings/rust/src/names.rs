//! The options and enumerations. Generated: run tests/bindings/names_test.py --update.

use crate::options::{list, object, words, Options};
use serde_json::Value;

words! {
    /// A system of schemas.
    System {
        Yt = "yt",
        Skiff = "skiff",
        Parquet = "parquet",
        Lance = "lance",
        Vortex = "vortex",
        Arrow = "arrow",
        Iceberg = "iceberg",
        Delta = "delta",
    }
}

words! {
    /// What a conversion keeps of a column, best first.
    Verdict {
        Exact = "exact",
        Annotated = "annotated",
        Widened = "widened",
        Inferred = "inferred",
        Checked = "checked",
        Lossy = "lossy",
        Unsupported = "unsupported",
    }
}

words! {
    /// What happens to the values of a column.
    Values {
        Kept = "kept",
        Checked = "checked",
        Altered = "altered",
        None = "none",
    }
}

words! {
    /// What happens to the type of a column.
    TypeKept {
        Itself = "self",
        Noted = "noted",
        Changed = "changed",
        Inferred = "inferred",
    }
}

words! {
    /// Which data must be readable: old data by readers of the new schema, new data by readers of
    /// the old, or both.
    CompatMode {
        Backward = "backward",
        Forward = "forward",
        Full = "full",
    }
}

words! {
    /// How compatible two schemas are, best first.
    Answer {
        Compatible = "compatible",
        NeedsValidation = "needs validation",
        Incompatible = "incompatible",
    }
}

words! {
    /// The values of the option `int96_unit`.
    Int96Unit {
        Ns = "ns",
        Us = "us",
    }
}

words! {
    /// The values of the option `yson_format`.
    YsonFormat {
        Text = "text",
        Pretty = "pretty",
        Binary = "binary",
    }
}

words! {
    /// The values of the option `complex_type_mode`.
    ComplexTypeMode {
        Named = "named",
        Positional = "positional",
    }
}

words! {
    /// The values of the option `string_keyed_dict_mode`.
    StringKeyedDictMode {
        Positional = "positional",
        Named = "named",
    }
}

words! {
    /// The values of the option `decimal_mode`.
    DecimalMode {
        Binary = "binary",
        Text = "text",
    }
}

words! {
    /// The values of the option `time_mode`.
    TimeMode {
        Binary = "binary",
        Text = "text",
    }
}

words! {
    /// The values of the option `uuid_mode`.
    UuidMode {
        Binary = "binary",
        TextYql = "text_yql",
        TextYt = "text_yt",
    }
}

words! {
    /// The values of the option `uuid_order`.
    UuidOrder {
        Rfc = "rfc",
        Raw = "raw",
    }
}

words! {
    /// The values of the option `tz_form`.
    TzForm {
        Name = "name",
        Index = "index",
    }
}

words! {
    /// The values of the option `decimal_special`.
    DecimalSpecial {
        Error = "error",
        Null = "null",
    }
}

words! {
    /// The values of the option `variant_values`.
    VariantValues {
        Error = "error",
        Text = "text",
        Number = "number",
    }
}

words! {
    /// The values of the option `duplicate_keys`.
    DuplicateKeys {
        Error = "error",
        Last = "last",
        Keep = "keep",
    }
}

words! {
    /// The values of the option `any`.
    Any {
        Yson = "yson",
        Json = "json",
        Ytjson = "ytjson",
        Variant = "variant",
    }
}

words! {
    /// The values of the option `csv_formulas`.
    CsvFormulas {
        Keep = "keep",
        Escape = "escape",
        Refuse = "refuse",
    }
}

words! {
    /// The values of the option `allow`.
    Allow {
        Lossy = "lossy",
    }
}

words! {
    /// The values of the option `on_error`.
    OnError {
        Fail = "fail",
        Skip = "skip",
    }
}

words! {
    /// The values of the option `mode`.
    Mode {
        Create = "create",
        Append = "append",
        AppendAgain = "append-again",
        Upsert = "upsert",
        Overwrite = "overwrite",
    }
}

/// Each function sets one option.
impl Options {
    /// The format (default: detected from content and file name).
    #[must_use]
    pub fn format(self, value: impl Into<String>) -> Self {
        self.set("format", value.into())
    }

    /// The schema of rows that don't carry one, as a file or as text.
    #[must_use]
    pub fn schema(self, value: impl Into<String>) -> Self {
        self.set("schema", value.into())
    }

    /// Refuse rows without a schema instead of inferring one. Default: false.
    #[must_use]
    pub fn require_schema(self, value: bool) -> Self {
        self.set("require_schema", value)
    }

    /// YSON and JSON: write the table schema that the rows are read by, also an inferred one, to
    /// this file.
    #[must_use]
    pub fn save_schema(self, value: impl Into<String>) -> Self {
        self.set("save_schema", value.into())
    }

    /// Whether folder names such as `day=2024-01-01` become columns. Default: true.
    #[must_use]
    pub fn partitions(self, value: bool) -> Self {
        self.set("partitions", value)
    }

    /// Accept files with different schemas: columns are matched by name, types widened, missing
    /// columns filled with nulls. Default: false.
    #[must_use]
    pub fn unify(self, value: bool) -> Self {
        self.set("unify", value)
    }

    /// Columns to read, in this order; * and ? stand for characters.
    #[must_use]
    pub fn select(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("select", list(values))
    }

    /// Columns, and fields of structs, to leave out.
    #[must_use]
    pub fn exclude(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("exclude", list(values))
    }

    /// Stop after this many rows.
    #[must_use]
    pub fn limit(self, value: u64) -> Self {
        self.set("limit", value)
    }

    /// Read a sample of the rows, in their order: a number such as `1000`, or a share such as
    /// `0.025` or `2.5%`.
    #[must_use]
    pub fn sample(self, value: impl Into<Value>) -> Self {
        self.set("sample", value)
    }

    /// Which sample is drawn: the same seed gives the same rows. Default: 0.
    #[must_use]
    pub fn seed(self, value: u64) -> Self {
        self.set("seed", value)
    }

    /// Only the last rows, this many.
    #[must_use]
    pub fn tail(self, value: u64) -> Self {
        self.set("tail", value)
    }

    /// Rows per batch, at most. Default: 65536.
    #[must_use]
    pub fn batch_rows(self, value: u64) -> Self {
        self.set("batch_rows", value)
    }

    /// Memory limit for reading; one row may take 1/64 of it. Default: 8GiB.
    #[must_use]
    pub fn max_memory(self, value: impl Into<Value>) -> Self {
        self.set("max_memory", value)
    }

    /// YSON and Skiff: only the rows of this table.
    #[must_use]
    pub fn table(self, value: u64) -> Self {
        self.set("table", value)
    }

    /// YSON, JSON and Parquet: read one of the parts that a file was split into.
    #[must_use]
    pub fn part(self, values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Self {
        self.set("part", object(values))
    }

    /// Lance: version of the dataset: a number, a tag, a branch, or `BRANCH:NUMBER` (default: the
    /// latest).
    #[must_use]
    pub fn version(self, value: impl Into<Value>) -> Self {
        self.set("version", value)
    }

    /// Lance: read data outside of the dataset that it refers to (external blobs, base paths) below
    /// these paths or URIs; other references are not followed.
    #[must_use]
    pub fn follow(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("follow", list(values))
    }

    /// Skiff: add the column $table_index as the last. Default: false.
    #[must_use]
    pub fn table_index(self, value: bool) -> Self {
        self.set("table_index", value)
    }

    /// Skiff: add the column $range_index as the last. Default: false.
    #[must_use]
    pub fn range_index(self, value: bool) -> Self {
        self.set("range_index", value)
    }

    /// Skiff: add the column $row_index as the last. Default: false.
    #[must_use]
    pub fn row_index(self, value: bool) -> Self {
        self.set("row_index", value)
    }

    /// Parquet: unit for INT96 timestamps. Default: ns.
    #[must_use]
    pub fn int96_unit(self, value: Int96Unit) -> Self {
        self.set("int96_unit", value.as_str())
    }

    /// Worker threads (default: all cores).
    #[must_use]
    pub fn threads(self, value: u64) -> Self {
        self.set("threads", value)
    }

    /// YSON: how it is written. Default: text.
    #[must_use]
    pub fn yson_format(self, value: YsonFormat) -> Self {
        self.set("yson_format", value.as_str())
    }

    /// YSON: structs and variants by name or by position. Default: named.
    #[must_use]
    pub fn complex_type_mode(self, value: ComplexTypeMode) -> Self {
        self.set("complex_type_mode", value.as_str())
    }

    /// YSON: dicts with string keys as lists of pairs or as maps. Default: positional.
    #[must_use]
    pub fn string_keyed_dict_mode(self, value: StringKeyedDictMode) -> Self {
        self.set("string_keyed_dict_mode", value.as_str())
    }

    /// Decimals as bytes or numbers, or as text (default: binary in YSON, text in JSON lines).
    #[must_use]
    pub fn decimal_mode(self, value: DecimalMode) -> Self {
        self.set("decimal_mode", value.as_str())
    }

    /// Dates and times as bytes or numbers, or as text (default: binary in YSON, text in JSON
    /// lines).
    #[must_use]
    pub fn time_mode(self, value: TimeMode) -> Self {
        self.set("time_mode", value.as_str())
    }

    /// Uuids as bytes or numbers, or as text (default: binary in YSON, text in JSON lines).
    #[must_use]
    pub fn uuid_mode(self, value: UuidMode) -> Self {
        self.set("uuid_mode", value.as_str())
    }

    /// Byte order of uuids outside YTsaurus: as their YQL text reads, or as stored. Default: rfc.
    #[must_use]
    pub fn uuid_order(self, value: UuidOrder) -> Self {
        self.set("uuid_order", value.as_str())
    }

    /// Time zones of tz_* values as names, or as numbers, as newer clusters store them. Default:
    /// name.
    #[must_use]
    pub fn tz_form(self, value: TzForm) -> Self {
        self.set("tz_form", value.as_str())
    }

    /// What to do with NaN and ±Inf in decimals. Default: error.
    #[must_use]
    pub fn decimal_special(self, value: DecimalSpecial) -> Self {
        self.set("decimal_special", value.as_str())
    }

    /// YSON: omit columns that are null. Default: false.
    #[must_use]
    pub fn skip_null_values(self, value: bool) -> Self {
        self.set("skip_null_values", value)
    }

    /// Skiff: expect or write the tag 0xFFFF at the end of the stream. Default: false.
    #[must_use]
    pub fn end_of_stream(self, value: bool) -> Self {
        self.set("end_of_stream", value)
    }

    /// New names of columns and fields, by path.
    #[must_use]
    pub fn rename(self, values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Self {
        self.set("rename", object(values))
    }

    /// New types of columns and fields, by path, in any system's notation; * and ? stand for
    /// characters.
    #[must_use]
    pub fn cast(self, values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Self {
        self.set("cast", object(values))
    }

    /// Whether to write and trust xwalk annotations. Default: true.
    #[must_use]
    pub fn annotations(self, value: bool) -> Self {
        self.set("annotations", value)
    }

    /// Round values that need more precision than the target has. Default: false.
    #[must_use]
    pub fn round(self, value: bool) -> Self {
        self.set("round", value)
    }

    /// Merge several levels of null into one. Default: false.
    #[must_use]
    pub fn merge_nulls(self, value: bool) -> Self {
        self.set("merge_nulls", value)
    }

    /// Drop the time zone of each value; instants are kept. Default: false.
    #[must_use]
    pub fn drop_zone(self, value: bool) -> Self {
        self.set("drop_zone", value)
    }

    /// What to do with values of VARIANT that any and JSON lack: store dates, times, timestamps and
    /// decimals as text or as numbers; both store UUIDs and binary as text. Default: error.
    #[must_use]
    pub fn variant_values(self, value: VariantValues) -> Self {
        self.set("variant_values", value.as_str())
    }

    /// What to do with a key that occurs twice in one map. Default: error.
    #[must_use]
    pub fn duplicate_keys(self, value: DuplicateKeys) -> Self {
        self.set("duplicate_keys", value.as_str())
    }

    /// What values of type any become in systems without this type: binary YSON, JSON text or
    /// VARIANT (default: VARIANT in Parquet, Arrow and Iceberg, binary YSON in other systems).
    #[must_use]
    pub fn any(self, value: Any) -> Self {
        self.set("any", value.as_str())
    }

    /// The YTsaurus release to check against; what it lacks is unsupported (default: the newest).
    #[must_use]
    pub fn cluster_version(self, value: impl Into<String>) -> Self {
        self.set("cluster_version", value.into())
    }

    /// Lance: version of the data files, 2.0, 2.1, 2.2, 2.3 or stable; what they do not hold is
    /// unsupported (default: that of the dataset, or stable).
    #[must_use]
    pub fn lance_version(self, value: impl Into<String>) -> Self {
        self.set("lance_version", value.into())
    }

    /// Vortex: edition of the file, such as core2025.10.0; what it does not have is unsupported
    /// (default: the newest).
    #[must_use]
    pub fn vortex_edition(self, value: impl Into<String>) -> Self {
        self.set("vortex_edition", value.into())
    }

    /// Readers that the output is for, such as duckdb or pylance=2.0: versions and types that they
    /// read are chosen; what they refuse is unsupported, what they alter is lossy.
    #[must_use]
    pub fn for_reader(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("for_reader", list(values))
    }

    /// CSV: what to do with text that a spreadsheet runs as a formula: write it as it is, put an
    /// apostrophe before it, or reject the row. Default: keep.
    #[must_use]
    pub fn csv_formulas(self, value: CsvFormulas) -> Self {
        self.set("csv_formulas", value.as_str())
    }

    /// Accept values that are changed.
    #[must_use]
    pub fn allow(self, value: Allow) -> Self {
        self.set("allow", value.as_str())
    }

    /// What to do with a bad row: fail, or skip it and count it (default: fail, unless rejects or
    /// max_rejects are given).
    #[must_use]
    pub fn on_error(self, value: OnError) -> Self {
        self.set("on_error", value.as_str())
    }

    /// How to reach the store of a URI: endpoint, region, anonymous, account, timeout,
    /// connect-timeout, retries, max-download. Secrets come from the store's environment variables
    /// and profiles.
    #[must_use]
    pub fn storage_options(self, values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Self {
        self.set("storage_options", object(values))
    }

    /// Skip bad rows, but fail if there are more than a number such as `1000`, or a share of all
    /// rows such as `0.05` or `5%`.
    #[must_use]
    pub fn max_rejects(self, value: impl Into<Value>) -> Self {
        self.set("max_rejects", value)
    }

    /// Skip bad rows, and write them and their reasons to this file, as YSON rows.
    #[must_use]
    pub fn rejects(self, value: impl Into<String>) -> Self {
        self.set("rejects", value.into())
    }

    /// The format of the output (default: from its name).
    #[must_use]
    pub fn to(self, value: impl Into<String>) -> Self {
        self.set("to", value.into())
    }

    /// Parquet: none, snappy, zstd, lz4, gzip, brotli; Arrow: none, zstd, lz4; a level after a
    /// colon: `zstd:9` (default: as the input, else snappy in Parquet, none in Arrow). Rows are
    /// compressed by their name: .gz, .zst.
    #[must_use]
    pub fn compression(self, value: impl Into<String>) -> Self {
        self.set("compression", value.into())
    }

    /// Parquet: rows per row group (default: as the input).
    #[must_use]
    pub fn row_group_rows(self, value: u64) -> Self {
        self.set("row_group_rows", value)
    }

    /// Parquet: write columns of geometry as GeoParquet 1.1: plain bytes, described in the key
    /// `geo`. Default: false.
    #[must_use]
    pub fn geoparquet(self, value: bool) -> Self {
        self.set("geoparquet", value)
    }

    /// Parquet: shred VARIANT columns: the type of each column by its path, such as `struct<a:
    /// int64>`, or `auto` for the types of the first rows.
    #[must_use]
    pub fn shred(self, value: impl Into<Value>) -> Self {
        self.set("shred", value)
    }

    /// Parquet and Arrow: write a folder of files, split by the values of these columns.
    #[must_use]
    pub fn partition_by(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("partition_by", list(values))
    }

    /// What to do if the dataset exists (default: refuse). `append` to a table of Delta or Iceberg,
    /// a dataset of Lance or a folder of Parquet or Arrow files refuses an input that was added
    /// before, and `append-again` adds its rows once more. `upsert` to a table of Delta or Iceberg
    /// or a dataset of Lance replaces the rows that have the same `key`, and adds the others.
    #[must_use]
    pub fn mode(self, value: Mode) -> Self {
        self.set("mode", value.as_str())
    }

    /// The columns whose values tell rows apart: `mode=upsert` replaces rows by them, and `verify`
    /// matches rows by them. Each row has a key of its own, and none is null.
    #[must_use]
    pub fn key(self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.set("key", list(values))
    }

    /// With `mode=append`, to a folder of Parquet or Arrow files, a table of Delta or Iceberg or a
    /// dataset of Lance: columns that the existing rows do not have become columns that may be
    /// null. Columns of Iceberg also get wider types. Default: false.
    #[must_use]
    pub fn evolve(self, value: bool) -> Self {
        self.set("evolve", value)
    }

    /// fsync before returning. Default: false.
    #[must_use]
    pub fn durable(self, value: bool) -> Self {
        self.set("durable", value)
    }

    /// Attributes of the new table on a cluster, by name; text is parsed as YSON.
    #[must_use]
    pub fn yt_attributes(self, values: impl IntoIterator<Item = (impl Into<String>, impl Into<Value>)>) -> Self {
        self.set("yt_attributes", object(values))
    }

    /// Parallel writers of a table on a cluster; several don't keep the order of rows. Default: 1.
    #[must_use]
    pub fn yt_writers(self, value: u64) -> Self {
        self.set("yt_writers", value)
    }

    /// Read the output back and compare every value with the input. A difference is an error.
    /// Default: false.
    #[must_use]
    pub fn verify(self, value: bool) -> Self {
        self.set("verify", value)
    }

    /// Skip outputs that an earlier run has completed, and convert the others even if one fails.
    /// With `mode` `append` or `upsert`: skip inputs whose rows were added before, and add each of
    /// the others by a commit of its own. Default: false.
    #[must_use]
    pub fn resume(self, value: bool) -> Self {
        self.set("resume", value)
    }

    /// With `resume`: how many files are converted at a time. Default: 1.
    #[must_use]
    pub fn jobs(self, value: u64) -> Self {
        self.set("jobs", value)
    }
}
