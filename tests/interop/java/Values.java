import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import tech.ytsaurus.yson.YsonConsumer;

/** Random YSON values, as events of the SDK, and the text in which values are compared. */
final class Values {
  private static final long[] SIGNED = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1, Integer.MIN_VALUE};
  private static final long[] UNSIGNED = {-1, Long.MIN_VALUE, 0, 1, 0xFFFFFFFFL};
  private static final double[] DOUBLES = {
    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, Double.MIN_VALUE,
    Double.MAX_VALUE, 1e21, 1e-10, 0.1, 999999999999999900000.0
  };
  private static final byte[] HARD =
      "\"\\\n\r\t\0\1\7\u007f\u0080\u00ff0789afgAFG;[]{}<>#=%?u".getBytes(StandardCharsets.ISO_8859_1);

  private Values() {}

  static byte[] bytes(Random random) {
    byte[] made = new byte[new int[] {0, 1, 2, 5, 16, 40, 300}[random.nextInt(7)]];
    random.nextBytes(made);
    if (random.nextBoolean()) {
      for (int i = 0; i < made.length; i++) made[i] = HARD[made[i] & 0xFF & 31];
    }
    return made;
  }

  static byte[] utf8(Random random) {
    String[] parts = {"a", "жук", "\uD83D\uDE00", "\0", "\"", "\\", " ", "z".repeat(90)};
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) text.append(parts[random.nextInt(parts.length)]);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static double real(Random random) {
    return random.nextBoolean()
        ? DOUBLES[random.nextInt(DOUBLES.length)]
        : Double.longBitsToDouble(random.nextLong());
  }

  /** Returns an integer of 8 to 64 bits, often an extreme one. */
  static long integer(Random random, int bits, boolean signed) {
    long[] extremes = signed ? SIGNED : UNSIGNED;
    long made = random.nextBoolean() ? extremes[random.nextInt(extremes.length)] : random.nextLong();
    return signed ? made >> (64 - bits) : made >>> (64 - bits);
  }

  static void keys(Random random, YsonConsumer out, int depth) {
    for (int i = random.nextInt(4); i > 0; i--) {
      // The number makes a key unique.
      byte[] key = (i + new String(bytes(random), StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
      out.onKeyedItem(key, 0, key.length);
      value(random, out, depth, true);
    }
  }

  /** Writes a value of at most a depth. */
  static void value(Random random, YsonConsumer out, int depth, boolean attributes) {
    if (attributes && depth > 0 && random.nextInt(5) == 0) {
      out.onBeginAttributes();
      keys(random, out, depth - 1);
      out.onEndAttributes();
    }
    switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0 -> out.onEntity();
      case 1 -> out.onBoolean(random.nextBoolean());
      case 2 -> out.onInteger(integer(random, 64 >> random.nextInt(4), true));
      case 3 -> out.onUnsignedInteger(integer(random, 64 >> random.nextInt(4), false));
      case 4 -> out.onDouble(real(random));
      case 5 -> {
        byte[] made = bytes(random);
        out.onString(made, 0, made.length);
      }
      case 6 -> {
        out.onBeginMap();
        keys(random, out, depth - 1);
        out.onEndMap();
      }
      default -> {
        out.onBeginList();
        for (int i = random.nextInt(4); i > 0; i--) {
          out.onListItem();
          value(random, out, depth - 1, true);
        }
        out.onEndList();
      }
    }
  }

  /** The text of events: bytes in hexadecimal digits, doubles by their bits, entries of maps sorted, no null columns. */
  static final class Text implements YsonConsumer {
    private final ArrayDeque<List<String>> open = new ArrayDeque<>();

    Text() {
      open.push(new ArrayList<>());
    }

    /** Returns the values at the top since the last call. */
    List<String> take() {
      List<String> taken = open.pop();
      if (!open.isEmpty()) throw new IllegalStateException("a value is not closed");
      open.push(new ArrayList<>());
      return taken;
    }

    private void add(String text) {
      List<String> top = open.peek();
      int last = top.size() - 1;
      // The value of a key, or of attributes, is appended to them.
      if (last >= 0 && (top.get(last).endsWith("=") || top.get(last).endsWith(">"))) {
        top.set(last, top.get(last) + text);
      } else {
        top.add(text);
      }
    }

    private void close(String begin, String end, boolean sorted) {
      List<String> items = open.pop();
      if (sorted) items.sort(null);
      // A null column can be left out of a row.
      if (open.size() == 1) items.removeIf(item -> item.endsWith("=#"));
      add(begin + String.join(";", items) + end);
    }

    @Override
    public void onEntity() {
      add("#");
    }

    @Override
    public void onInteger(long value) {
      add(Long.toString(value));
    }

    @Override
    public void onUnsignedInteger(long value) {
      add(Long.toUnsignedString(value) + "u");
    }

    @Override
    public void onBoolean(boolean value) {
      add("%" + value);
    }

    @Override
    public void onDouble(double value) {
      // Texts have one NaN.
      add("d" + Long.toHexString(Double.doubleToLongBits(value)));
    }

    @Override
    public void onString(byte[] bytes, int offset, int length) {
      add("'" + HexFormat.of().formatHex(bytes, offset, offset + length) + "'");
    }

    @Override
    public void onKeyedItem(byte[] bytes, int offset, int length) {
      open.peek().add(HexFormat.of().formatHex(bytes, offset, offset + length) + "=");
    }

    @Override
    public void onListItem() {}

    @Override
    public void onBeginList() {
      open.push(new ArrayList<>());
    }

    @Override
    public void onEndList() {
      close("[", "]", false);
    }

    @Override
    public void onBeginMap() {
      open.push(new ArrayList<>());
    }

    @Override
    public void onEndMap() {
      close("{", "}", true);
    }

    @Override
    public void onBeginAttributes() {
      open.push(new ArrayList<>());
    }

    @Override
    public void onEndAttributes() {
      // No attributes and an empty list of them are the same.
      if (open.peek().isEmpty()) open.pop();
      else close("<", ">", true);
    }
  }
}
