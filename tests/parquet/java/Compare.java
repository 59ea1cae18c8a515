import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;

/**
 * Reads pairs of files with parquet-java and says where the rows of the second, as they are stored,
 * are others than those of the first. Usage: java Compare FILE FILE…
 */
public final class Compare {
  private static final class Rows extends ParquetReader.Builder<Group> {
    Rows(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  public static void main(String[] files) throws IOException {
    int different = 0;
    for (int i = 0; i + 1 < files.length; i += 2) {
      if (rows(files[i]).equals(rows(files[i + 1]))) continue;
      ++different;
      System.out.println("other rows: " + Path.of(files[i]).getFileName());
    }
    System.out.println(files.length / 2 + " files read, " + different + " with other rows");
  }

  private static String rows(String file) throws IOException {
    StringBuilder out = new StringBuilder();
    try (ParquetReader<Group> reader = new Rows(new LocalInputFile(Path.of(file))).build()) {
      for (Group row; (row = reader.read()) != null; ) out.append(row);
    }
    return out.toString();
  }
}
