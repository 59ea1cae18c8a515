import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import tech.ytsaurus.skiff.SkiffParser;
import tech.ytsaurus.skiff.SkiffSchema;
import tech.ytsaurus.skiff.SkiffSerializer;
import tech.ytsaurus.skiff.WireType;
import tech.ytsaurus.typeinfo.StructType;
import tech.ytsaurus.typeinfo.TiType;
import tech.ytsaurus.typeinfo.TypeIO;
import tech.ytsaurus.typeinfo.VariantType;
import tech.ytsaurus.yson.BufferReference;
import tech.ytsaurus.yson.YsonBinaryWriter;
import tech.ytsaurus.yson.YsonConsumer;
import tech.ytsaurus.yson.YsonParser;
import tech.ytsaurus.ysontree.YTree;
import tech.ytsaurus.ysontree.YTreeBuilder;
import tech.ytsaurus.ysontree.YTreeNode;

/** A random table: its types, the Skiff schema of its rows, and both encodings of random rows. */
final class Rows {
  /** Dense columns are c0, c1, …, sparse ones s0, s1, …, those of $other_columns o0, o1, …. */
  private record Column(String name, TiType type, SkiffSchema wire) {}

  private static final List<TiType> SIMPLE =
      List.of(
          TiType.int8(), TiType.int16(), TiType.int32(), TiType.int64(), TiType.uint8(), TiType.uint16(),
          TiType.uint32(), TiType.uint64(), TiType.floatType(), TiType.doubleType(), TiType.bool(),
          TiType.string(), TiType.utf8(), TiType.optional(TiType.yson()), TiType.nullType(), TiType.voidType());
  private static final List<TiType> WITHOUT_YSON = SIMPLE.stream().filter(type -> !type.isOptional()).toList();
  private static final WireType[] SIGNED = {WireType.INT_8, WireType.INT_16, WireType.INT_32, WireType.INT_64};
  private static final WireType[] UNSIGNED = {WireType.UINT_8, WireType.UINT_16, WireType.UINT_32, WireType.UINT_64};

  private final List<Column> dense = new ArrayList<>();
  private final List<Column> sparse = new ArrayList<>();
  private final List<Column> others = new ArrayList<>();

  Rows(Random random) {
    for (int i = random.nextInt(6); i >= 0; i--) {
      TiType type = Types.type(random, SIMPLE, 3);
      dense.add(new Column("c" + i, type, wire(random, type)));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      TiType type = TiType.optional(TiType.list(Types.type(random, SIMPLE, 1)));
      sparse.add(new Column("s" + i, type, wire(random, type.asOptional().getItem())));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      // $other_columns has the fields of structs by position, and the SDK's maps only keys of UTF-8.
      others.add(new Column("o" + i, TiType.optional(TiType.list(Types.type(random, WITHOUT_YSON, 0))), null));
    }
  }

  // --- schemas --------------------------------------------------------------------------------

  private static SkiffSchema named(String name, SkiffSchema schema) {
    return schema.setName(name);
  }

  private static int bits(TiType type) {
    String digits = type.getTypeName().getWireName().replaceAll("\\D", "");
    return Integer.parseInt(digits);
  }

  /** Returns one of the integers that are as wide as the type or wider. */
  private static WireType integer(Random random, TiType type, WireType[] wires) {
    int least = Integer.numberOfTrailingZeros(bits(type)) - 3;
    return wires[least + random.nextInt(4 - least)];
  }

  private static List<SkiffSchema> wires(Random random, List<TiType> types) {
    return types.stream().map(type -> wire(random, type)).toList();
  }

  private static List<TiType> parts(TiType type) {
    if (type.isTuple()) return type.asTuple().getElements();
    if (type.isVariant()) return parts(type.asVariant().getUnderlying());
    return type.asStruct().getMembers().stream().map(StructType.Member::getType).toList();
  }

  private static SkiffSchema variant(Random random, TiType type) {
    List<SkiffSchema> alternatives = wires(random, parts(type));
    TiType underlying = type.asVariant().getUnderlying();
    if (underlying.isStruct()) {
      for (int i = 0; i < alternatives.size(); i++) {
        named(underlying.asStruct().getMembers().get(i).getName(), alternatives.get(i));
      }
    }
    return random.nextBoolean() ? SkiffSchema.variant8(alternatives) : SkiffSchema.variant16(alternatives);
  }

  private static SkiffSchema wire(Random random, TiType type) {
    return switch (type.getTypeName()) {
      case Int8, Int16, Int32, Int64 -> SkiffSchema.simpleType(integer(random, type, SIGNED));
      case Uint8, Uint16, Uint32, Uint64 -> SkiffSchema.simpleType(integer(random, type, UNSIGNED));
      case Float, Double -> SkiffSchema.simpleType(WireType.DOUBLE);
      case Bool -> SkiffSchema.simpleType(WireType.BOOLEAN);
      case String, Utf8 -> SkiffSchema.simpleType(WireType.STRING_32);
      case Yson -> SkiffSchema.simpleType(WireType.YSON_32);
      case Null, Void -> SkiffSchema.nothing();
      case Decimal -> {
        WireType[] sizes = {WireType.INT_32, WireType.INT_64, WireType.INT_128};
        yield SkiffSchema.simpleType(sizes[Integer.numberOfTrailingZeros(size(type)) - 2]);
      }
      case Optional ->
          SkiffSchema.variant8(List.of(SkiffSchema.nothing(), wire(random, type.asOptional().getItem())));
      case List -> SkiffSchema.repeatedVariant8(List.of(wire(random, type.asList().getItem())));
      case Dict -> {
        SkiffSchema key = named("key", wire(random, type.asDict().getKey()));
        SkiffSchema value = named("value", wire(random, type.asDict().getValue()));
        yield SkiffSchema.repeatedVariant8(List.of(SkiffSchema.tuple(List.of(key, value))));
      }
      case Struct -> {
        List<SkiffSchema> members = wires(random, parts(type));
        for (int i = 0; i < members.size(); i++) named(type.asStruct().getMembers().get(i).getName(), members.get(i));
        yield SkiffSchema.tuple(members);
      }
      case Tuple -> SkiffSchema.tuple(wires(random, parts(type)));
      case Variant -> variant(random, type);
      case Tagged -> wire(random, type.asTaggedType().getItem());
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private SkiffSchema root() {
    List<SkiffSchema> columns = new ArrayList<>();
    for (Column column : dense) columns.add(named(column.name, column.wire));
    if (!sparse.isEmpty()) {
      List<SkiffSchema> children = sparse.stream().map(column -> named(column.name, column.wire)).toList();
      columns.add(named("$sparse_columns", SkiffSchema.repeatedVariant16(children)));
    }
    if (!others.isEmpty()) columns.add(named("$other_columns", SkiffSchema.simpleType(WireType.YSON_32)));
    return SkiffSchema.tuple(columns);
  }

  /** Returns the configuration that xwalk reads next to a file of rows. */
  YTreeNode schema() {
    YTreeBuilder out = YTree.builder().beginMap().key("table_schemas").beginList().beginList();
    for (List<Column> columns : List.of(dense, sparse, others)) {
      for (Column column : columns) {
        out.onListItem();
        out.beginMap().key("name").value(column.name).key("type_v3");
        TypeIO.serializeToYson(column.type, out);
        out.endMap();
      }
    }
    out.endList().endList().key("format").beginAttributes().key("table_skiff_schemas").beginList();
    return out.value(root().toYTree()).endList().endAttributes().value("skiff").endMap().build();
  }

  // --- values ---------------------------------------------------------------------------------

  private static void integer(WireType wire, long value, SkiffSerializer out) {
    switch (wire) {
      case INT_8 -> out.serializeByte((byte) value);
      case INT_16 -> out.serializeShort((short) value);
      case INT_32 -> out.serializeInt((int) value);
      case INT_64 -> out.serializeLong(value);
      case UINT_8 -> out.serializeUint8(value);
      case UINT_16 -> out.serializeUint16(value);
      case UINT_32 -> out.serializeUint32(value);
      default -> out.serializeUint64(value);
    }
  }

  private static long integer(WireType wire, SkiffParser in) {
    return switch (wire) {
      case INT_8 -> in.parseInt8();
      case INT_16 -> in.parseInt16();
      case INT_32 -> in.parseInt32();
      case INT_64 -> in.parseInt64();
      case UINT_8 -> in.parseUint8();
      case UINT_16 -> in.parseUint16();
      case UINT_32 -> in.parseUint32();
      default -> in.parseUint64();
    };
  }

  private static int size(TiType decimal) {
    int precision = decimal.asDecimal().getPrecision();
    return precision <= 9 ? 4 : precision <= 18 ? 8 : 16;
  }

  /** Rows of YSON have decimals as big-endian bytes whose sign bit is inverted. */
  private static void decimal(BigInteger value, int size, YsonConsumer out) {
    byte[] stored = new byte[size];
    byte[] digits = value.toByteArray();
    Arrays.fill(stored, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(digits, 0, stored, size - digits.length, digits.length);
    stored[0] ^= (byte) 0x80;
    out.onString(stored, 0, size);
  }

  private static BigInteger decimal(Random random, TiType type) {
    BigInteger limit = BigInteger.TEN.pow(type.asDecimal().getPrecision());
    BigInteger value = random.nextInt(4) == 0 ? limit.subtract(BigInteger.ONE) : new BigInteger(120, random).mod(limit);
    return random.nextBoolean() ? value : value.negate();
  }

  private static void tag(WireType wire, int tag, SkiffSerializer out) {
    if (wire == WireType.VARIANT_8 || wire == WireType.REPEATED_VARIANT_8) out.serializeByte((byte) tag);
    else out.serializeShort((short) tag);
  }

  private static int tag(WireType wire, SkiffParser in) {
    return wire == WireType.VARIANT_8 || wire == WireType.REPEATED_VARIANT_8 ? in.parseVariant8Tag() : in.parseVariant16Tag();
  }

  private static byte[] yson(Random random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // xwalk rejects a yson that is #: the optional around it is null instead.
    while (bytes.size() == 0 || bytes.toString(StandardCharsets.ISO_8859_1).equals("#")) {
      bytes.reset();
      try (YsonBinaryWriter writer = new YsonBinaryWriter(bytes)) {
        // Tables have no attributes at the top of a value.
        Values.value(random, writer, 2, false);
      }
    }
    return bytes.toByteArray();
  }

  /** YSON has the value of an optional in a list if the item can be null. */
  private static boolean wrapped(TiType item) {
    if (item.isTagged()) return wrapped(item.asTaggedType().getItem());
    return item.isOptional() || item.isNull() || item.isVoid();
  }

  private static void alternative(TiType type, int tag, YsonConsumer out) {
    TiType underlying = ((VariantType) type).getUnderlying();
    out.onBeginList();
    out.onListItem();
    if (underlying.isStruct()) out.onString(underlying.asStruct().getMembers().get(tag).getName());
    else out.onInteger(tag);
    out.onListItem();
  }

  private static void present(boolean list, YsonConsumer out) {
    if (!list) return;
    out.onBeginList();
    out.onListItem();
  }

  /**
   * Writes a value in YSON. The value is random and is written in Skiff, or it is read from Skiff.
   * What both directions share is their order.
   */
  private interface Codec {
    long integer(WireType wire, int bits, boolean signed);

    double real(boolean single);

    boolean bool();

    byte[] bytes(boolean text);

    byte[] yson();

    BigInteger decimal(TiType type);

    /** Returns the tag of a variant. */
    int tag(WireType wire, int count);

    /** Returns true if another item of a list follows. */
    boolean more(WireType wire);
  }

  private record Writing(Random random, SkiffSerializer out) implements Codec {
    @Override
    public long integer(WireType wire, int bits, boolean signed) {
      long value = Values.integer(random, bits, signed);
      Rows.integer(wire, value, out);
      return value;
    }

    @Override
    public double real(boolean single) {
      double value = single ? (float) Values.real(random) : Values.real(random);
      out.serializeDouble(value);
      return value;
    }

    @Override
    public boolean bool() {
      boolean value = random.nextBoolean();
      out.serializeBoolean(value);
      return value;
    }

    @Override
    public byte[] bytes(boolean text) {
      byte[] value = text ? Values.utf8(random) : Values.bytes(random);
      out.serializeString(value);
      return value;
    }

    @Override
    public byte[] yson() {
      byte[] value = Rows.yson(random);
      out.serializeString(value);
      return value;
    }

    @Override
    public BigInteger decimal(TiType type) {
      BigInteger value = Rows.decimal(random, type);
      for (int i = 0; i < size(type); i++) out.serializeByte(value.shiftRight(8 * i).byteValue());
      return value;
    }

    @Override
    public int tag(WireType wire, int count) {
      int tag = random.nextInt(count);
      Rows.tag(wire, tag, out);
      return tag;
    }

    @Override
    public boolean more(WireType wire) {
      boolean more = random.nextInt(3) != 0;
      Rows.tag(wire, more ? 0 : -1, out);
      return more;
    }
  }

  private record Reading(SkiffParser in) implements Codec {
    @Override
    public long integer(WireType wire, int bits, boolean signed) {
      return Rows.integer(wire, in);
    }

    @Override
    public double real(boolean single) {
      return in.parseDouble();
    }

    @Override
    public boolean bool() {
      return in.parseBoolean();
    }

    private static byte[] copy(BufferReference found) {
      return Arrays.copyOfRange(
          found.getBuffer(), found.getOffset(), found.getOffset() + found.getLength());
    }

    @Override
    public byte[] bytes(boolean text) {
      return copy(in.parseString32());
    }

    @Override
    public byte[] yson() {
      return copy(in.parseYson32());
    }

    @Override
    public BigInteger decimal(TiType type) {
      return switch (size(type)) {
        case 4 -> BigInteger.valueOf(in.parseInt32());
        case 8 -> BigInteger.valueOf(in.parseInt64());
        // parseInt128 of 1.2.17 reads the bytes of a negative number as its magnitude.
        default -> new BigInteger(in.getDataInBigEndian(16));
      };
    }

    @Override
    public int tag(WireType wire, int count) {
      return Rows.tag(wire, in);
    }

    @Override
    public boolean more(WireType wire) {
      int tag = Rows.tag(wire, in);
      int end = wire == WireType.REPEATED_VARIANT_8 ? 0xFF : 0xFFFF;
      if (tag != 0 && tag != end) throw new IllegalStateException("tag " + tag + " of a list");
      return tag == 0;
    }
  }

  private static void value(TiType type, SkiffSchema wire, Codec codec, YsonConsumer out) {
    switch (type.getTypeName()) {
      case Int8, Int16, Int32, Int64 -> out.onInteger(codec.integer(wire.getWireType(), bits(type), true));
      case Uint8, Uint16, Uint32, Uint64 ->
          out.onUnsignedInteger(codec.integer(wire.getWireType(), bits(type), false));
      case Float, Double -> out.onDouble(codec.real(type.isFloat()));
      case Bool -> out.onBoolean(codec.bool());
      case String, Utf8 -> YsonConsumer.onString(out, codec.bytes(type.isUtf8()));
      case Yson -> new YsonParser(codec.yson()).parseNode(out);
      case Null, Void -> out.onEntity();
      case Decimal -> decimal(codec.decimal(type), size(type), out);
      case Tagged -> value(type.asTaggedType().getItem(), wire, codec, out);
      case Optional -> {
        if (codec.tag(wire.getWireType(), 2) == 0) {
          out.onEntity();
        } else {
          boolean list = wrapped(type.asOptional().getItem());
          present(list, out);
          value(type.asOptional().getItem(), wire.getChildren().get(1), codec, out);
          if (list) out.onEndList();
        }
      }
      case Variant -> {
        int tag = codec.tag(wire.getWireType(), parts(type).size());
        alternative(type, tag, out);
        value(parts(type).get(tag), wire.getChildren().get(tag), codec, out);
        out.onEndList();
      }
      default -> compound(type, wire, codec, out);
    }
  }

  private static void compound(TiType type, SkiffSchema wire, Codec codec, YsonConsumer out) {
    if (type.isStruct()) {
      out.onBeginMap();
      for (int i = 0; i < parts(type).size(); i++) {
        out.onKeyedItem(type.asStruct().getMembers().get(i).getName());
        value(parts(type).get(i), wire.getChildren().get(i), codec, out);
      }
      out.onEndMap();
      return;
    }
    out.onBeginList();
    if (type.isTuple()) {
      for (int i = 0; i < parts(type).size(); i++) {
        out.onListItem();
        value(parts(type).get(i), wire.getChildren().get(i), codec, out);
      }
    } else {
      SkiffSchema item = wire.getChildren().get(0);
      TiType pair = type.isDict() ? TiType.tuple(type.asDict().getKey(), type.asDict().getValue()) : null;
      while (codec.more(wire.getWireType())) {
        out.onListItem();
        value(pair == null ? type.asList().getItem() : pair, item, codec, out);
      }
    }
    out.onEndList();
  }

  private static void column(Column column, TiType type, Codec codec, YsonConsumer out) {
    out.onKeyedItem(column.name);
    value(type, column.wire, codec, out);
  }

  /** Writes a random row in both encodings. */
  void write(Random random, SkiffSerializer skiff, YsonConsumer out) {
    Codec codec = new Writing(random, skiff);
    skiff.serializeShort((short) 0);
    out.onBeginMap();
    for (Column column : dense) column(column, column.type, codec, out);
    for (int i = 0; i < sparse.size(); i++) {
      if (random.nextBoolean()) continue;
      skiff.serializeShort((short) i);
      column(sparse.get(i), sparse.get(i).type.asOptional().getItem(), codec, out);
    }
    if (!sparse.isEmpty()) skiff.serializeShort((short) -1);
    YTreeBuilder map = YTree.builder().beginMap();
    for (Column column : others) {
      if (random.nextBoolean()) continue;
      // The Skiff of this value is thrown away: YSON has it.
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      TiType type = column.type.asOptional().getItem();
      try (YsonBinaryWriter writer = new YsonBinaryWriter(bytes)) {
        value(type, wire(random, type), new Writing(random, new SkiffSerializer(new ByteArrayOutputStream())), writer);
      }
      map.onKeyedItem(column.name);
      out.onKeyedItem(column.name);
      new YsonParser(bytes.toByteArray()).parseNode(map);
      new YsonParser(bytes.toByteArray()).parseNode(out);
    }
    if (!others.isEmpty()) skiff.serializeYson(map.endMap().build());
    out.onEndMap();
  }

  /** Reads a row of Skiff. */
  void read(SkiffParser in, YsonConsumer out) {
    Codec codec = new Reading(in);
    if (in.parseVariant16Tag() != 0) throw new IllegalStateException("not a row of table 0");
    out.onBeginMap();
    for (Column column : dense) column(column, column.type, codec, out);
    for (int tag = sparse.isEmpty() ? 0xFFFF : in.parseVariant16Tag(); tag != 0xFFFF; tag = in.parseVariant16Tag()) {
      column(sparse.get(tag), sparse.get(tag).type.asOptional().getItem(), codec, out);
    }
    if (!others.isEmpty()) {
      YTreeBuilder map = YTree.builder();
      new YsonParser(codec.yson()).parseNode(map);
      map.build().asMap().forEach((name, value) -> {
        out.onKeyedItem(name);
        new YsonParser(value.toBinary()).parseNode(out);
      });
    }
    out.onEndMap();
  }
}
