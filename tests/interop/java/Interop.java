import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tech.ytsaurus.skiff.SkiffParser;
import tech.ytsaurus.skiff.SkiffSerializer;
import tech.ytsaurus.typeinfo.TiType;
import tech.ytsaurus.typeinfo.TypeIO;
import tech.ytsaurus.yson.ClosableYsonConsumer;
import tech.ytsaurus.yson.YsonBinaryWriter;
import tech.ytsaurus.yson.YsonConsumer;
import tech.ytsaurus.yson.YsonParser;
import tech.ytsaurus.yson.YsonTextWriter;
import tech.ytsaurus.ysontree.YTree;
import tech.ytsaurus.ysontree.YTreeBuilder;
import tech.ytsaurus.ysontree.YTreeNode;

/**
 * Writes and reads files by YTsaurus's own Java classes, for java_test.py. What is read of FILE goes to FILE.txt.
 *
 * <pre>
 * make-yson FOLDER SEED COUNT   rows.FORM.yson for each form, and rows.txt
 * read-yson FILE...
 * make-types FOLDER SEED COUNT  types.FORM.schema, and types.txt
 * read-types FILE...            schemas
 * make-rows FOLDER SEED...      SEED.skiff, SEED.yson, SEED.schema (of both), SEED.txt
 * read-rows SEED FILE           a Skiff file by the schema of that seed
 * </pre>
 */
public final class Interop {
  private static final String[] FORMS = {"text", "pretty", "binary"};
  private static final int ROWS = 40;

  private Interop() {}

  private static ClosableYsonConsumer writer(String form, OutputStream out) {
    if (form.equals("binary")) return new YsonBinaryWriter(out);
    YsonTextWriter.Builder builder = YsonTextWriter.builder().setOutputStream(out);
    return form.equals("pretty") ? builder.setPrettyPrinting().build() : builder.build();
  }

  /** Something that is written as YSON. */
  private interface Node {
    void write(YsonConsumer out);
  }

  /** Writes nodes, each with a semicolon, as the rows of a table are. */
  private static void list(Path path, String form, List<Node> nodes) throws IOException {
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(path))) {
      for (Node node : nodes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ClosableYsonConsumer out = writer(form, bytes)) {
          node.write(out);
        }
        file.write(bytes.toByteArray());
        file.write(';');
        if (!form.equals("binary")) file.write('\n');
      }
    }
  }

  private static void text(Path path, List<String> lines) throws IOException {
    Files.writeString(path, String.join("\n", lines) + "\n");
  }

  private static Path textOf(String path) {
    return Path.of(path + ".txt");
  }

  private static void makeYson(Path folder, long seed, int count) throws IOException {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long own = seed + i;
      nodes.add(
          out -> {
            out.onBeginMap();
            out.onKeyedItem("v");
            // A table has no attributes at the top of a value.
            out.onBeginList();
            out.onListItem();
            Values.value(new Random(own), out, 3, true);
            out.onEndList();
            out.onEndMap();
          });
    }
    for (String form : FORMS) list(folder.resolve("rows." + form + ".yson"), form, nodes);
    Values.Text text = new Values.Text();
    for (Node node : nodes) node.write(text);
    text(folder.resolve("rows.txt"), text.take());
  }

  private static void readYson(String path) throws IOException {
    Values.Text text = new Values.Text();
    try (var in = new BufferedInputStream(Files.newInputStream(Path.of(path)))) {
      YsonParser parser = new YsonParser(in);
      while (parser.parseListFragmentItem(text)) {}
    }
    text(textOf(path), text.take());
  }

  private static void makeTypes(Path folder, long seed, int count) throws IOException {
    List<TiType> types = new ArrayList<>(Types.SIMPLE);
    for (int i = 0; i < count; i++) types.add(Types.type(new Random(seed + i), Types.SIMPLE, 3));
    Node schema =
        out -> {
          out.onBeginList();
          for (int i = 0; i < types.size(); i++) {
            out.onListItem();
            out.onBeginMap();
            out.onKeyedItem("name");
            out.onString("c" + i);
            out.onKeyedItem("type_v3");
            TypeIO.serializeToYson(types.get(i), out);
            out.onEndMap();
          }
          out.onEndList();
        };
    for (String form : FORMS) {
      try (OutputStream file = Files.newOutputStream(folder.resolve("types." + form + ".schema"));
          ClosableYsonConsumer out = writer(form, file)) {
        schema.write(out);
      }
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) lines.add("c" + i + ": " + TypeIO.serializeToTextYson(types.get(i)));
    text(folder.resolve("types.txt"), lines);
  }

  private static String typeOf(YTreeNode column) {
    try {
      return TypeIO.serializeToTextYson(TypeIO.parseYson(column.asMap().get("type_v3").toBinary()));
    } catch (RuntimeException refused) {
      return "refused: " + refused.getMessage();
    }
  }

  private static void readTypes(String path) throws IOException {
    YTreeBuilder schemas = YTree.builder().beginList();
    new YsonParser(Files.readAllBytes(Path.of(path))).parseListFragment(schemas);
    List<String> lines = new ArrayList<>();
    for (YTreeNode schema : schemas.endList().build().asList()) {
      for (YTreeNode column : schema.asList()) {
        lines.add(column.asMap().get("name").stringValue() + ": " + typeOf(column));
      }
    }
    text(textOf(path), lines);
  }

  private static void makeRows(Path folder, long seed) throws IOException {
    Rows rows = new Rows(new Random(seed));
    Random random = new Random(-seed);
    Values.Text text = new Values.Text();
    List<Node> nodes = new ArrayList<>();
    try (SkiffSerializer skiff = new SkiffSerializer(Files.newOutputStream(folder.resolve(seed + ".skiff")))) {
      for (int i = 0; i < ROWS; i++) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (YsonBinaryWriter out = new YsonBinaryWriter(bytes)) {
          rows.write(random, skiff, out);
        }
        new YsonParser(bytes.toByteArray()).parseNode(text);
        nodes.add(out -> new YsonParser(bytes.toByteArray()).parseNode(out));
      }
    }
    list(folder.resolve(seed + ".yson"), FORMS[(int) (seed % FORMS.length)], nodes);
    text(folder.resolve(seed + ".txt"), text.take());
    Files.write(folder.resolve(seed + ".schema"), rows.schema().toBinary());
  }

  private static void readRows(long seed, String path) throws IOException {
    Rows rows = new Rows(new Random(seed));
    Values.Text text = new Values.Text();
    try (var in = new BufferedInputStream(Files.newInputStream(Path.of(path)))) {
      SkiffParser parser = new SkiffParser(in);
      while (parser.hasMoreData()) rows.read(parser, text);
    }
    text(textOf(path), text.take());
  }

  public static void main(String[] words) throws IOException {
    switch (words[0]) {
      case "make-yson" -> makeYson(Path.of(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
      case "make-types" -> makeTypes(Path.of(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
      case "make-rows" -> {
        for (int i = 2; i < words.length; i++) makeRows(Path.of(words[1]), Long.parseLong(words[i]));
      }
      case "read-yson" -> {
        for (int i = 1; i < words.length; i++) readYson(words[i]);
      }
      case "read-types" -> {
        for (int i = 1; i < words.length; i++) readTypes(words[i]);
      }
      case "read-rows" -> {
        for (int i = 1; i + 1 < words.length; i += 2) readRows(Long.parseLong(words[i]), words[i + 1]);
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }
}
