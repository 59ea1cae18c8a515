#!/usr/bin/env bash
# Expected: a filter `x > 5` of Hardwood, a reader of Parquet in Java, gives the rows whose x is greater, for unsigned integers and doubles as well.
# Seen: 2**31 and 2**32 - 1 in a uint32 column are not found by `x > 5`, nor even by `x >= 0`. A 7 in their row group is lost as well, because
#   the greatest value of the group counts as negative. `x != 1` loses a NaN, and `x >= 0` a -0.0. The instant 1.5 µs finds 1 µs.
# Versions: dev.hardwood:hardwood-core 1.0.1.Final, which needs Java 21, and pyarrow 26.0.1 as the writer.
# Why it matters: ids and hashes of YTsaurus are unsigned. A filter is meant to save time, and it loses half of the rows.
set -eu
for java in "${JAVA_HOME:-}/bin" /usr/lib/jvm/*/bin; do
  if [ -x "$java/javac" ] && [ "$("$java/javac" -version 2>&1 | grep -o '[0-9]*' | head -n 1)" -ge 21 ]; then break; fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ask</groupId><artifactId>ask</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>dev.hardwood</groupId><artifactId>hardwood-core</artifactId><version>1.0.1.Final</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=jars
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__)
pq.write_table(pa.table({
    "unsigned": pa.array([1, 2**31, 7, 2**32 - 1, 8, 9], pa.uint32()),
    "real": [1.0, float("nan"), -0.0, 0.0, None, None],
    "at": pa.array(range(6), pa.timestamp("us", "UTC")),
}), "f.parquet", row_group_size=2, compression="none")
PYTHON
ls jars
cat >Ask.java <<'JAVA'
import dev.hardwood.InputFile;
import dev.hardwood.reader.FilterPredicate;
import dev.hardwood.reader.ParquetFileReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

public class Ask {
    static void ask(String text, String column, FilterPredicate filter) throws Exception {
        List<String> found = new ArrayList<>();
        try (ParquetFileReader file = ParquetFileReader.open(InputFile.of(Path.of("f.parquet")));
             var rows = file.buildRowReader().filter(filter).build()) {
            while (rows.hasNext()) {
                rows.next();
                Object value = rows.getValue(column);
                found.add(value instanceof Integer number ? Integer.toUnsignedString(number) : String.valueOf(value));
            }
        }
        System.out.println(text + ": " + found);
    }

    public static void main(String[] none) throws Exception {
        ask("unsigned > 5", "unsigned", FilterPredicate.gt("unsigned", 5));
        ask("unsigned >= 0", "unsigned", FilterPredicate.gtEq("unsigned", 0));
        ask("real != 1", "real", FilterPredicate.notEq("real", 1.0));
        ask("real >= 0", "real", FilterPredicate.gtEq("real", 0.0));
        ask("at = 1.5 us", "at", FilterPredicate.eq("at", Instant.EPOCH.plusNanos(1500)));
    }
}
JAVA
"$java/javac" -cp 'jars/*' Ask.java
"$java/java" -cp 'jars/*:.' Ask 2>log | tee seen
cat >expected <<'TEXT'
unsigned > 5: [8, 9]
unsigned >= 0: [8, 9]
real != 1: [-0.0, 0.0]
real >= 0: [1.0, NaN, 0.0]
at = 1.5 us: [1970-01-01T00:00:00.000001Z]
TEXT
cmp -s expected seen || { tail -n 3 log; echo "changed: found $(paste -sd ';' seen)"; exit 1; }
