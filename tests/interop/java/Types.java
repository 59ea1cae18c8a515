import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tech.ytsaurus.typeinfo.StructType;
import tech.ytsaurus.typeinfo.TiType;

/** Random types of the SDK. */
final class Types {
  /** All simple types that the SDK has. */
  static final List<TiType> SIMPLE =
      List.of(
          TiType.bool(), TiType.int8(), TiType.int16(), TiType.int32(), TiType.int64(),
          TiType.uint8(), TiType.uint16(), TiType.uint32(), TiType.uint64(), TiType.floatType(),
          TiType.doubleType(), TiType.string(), TiType.utf8(), TiType.date(), TiType.datetime(),
          TiType.timestamp(), TiType.tzDate(), TiType.tzDatetime(), TiType.tzTimestamp(),
          TiType.interval(), TiType.date32(), TiType.datetime64(), TiType.timestamp64(),
          TiType.interval64(), TiType.uuid(), TiType.voidType(), TiType.nullType(), TiType.json(),
          // YTsaurus has no column of yson that is not optional.
          TiType.optional(TiType.yson()));

  private static final String[] NAMES = {"a", "Ab", "жук", "with space", "'\"\\", "%-<>=;", "\t", "k"};

  private Types() {}

  private static List<StructType.Member> members(Random random, List<TiType> simple, int depth) {
    List<StructType.Member> made = new ArrayList<>();
    int first = random.nextInt(NAMES.length);
    for (int i = random.nextInt(3); i >= 0; i--) {
      made.add(TiType.member(NAMES[(first + i) % NAMES.length], type(random, simple, depth)));
    }
    return made;
  }

  private static List<TiType> elements(Random random, List<TiType> simple, int depth) {
    List<TiType> made = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) made.add(type(random, simple, depth));
    return made;
  }

  /** YTsaurus has no keys of yson and json. */
  private static TiType key(Random random, List<TiType> simple) {
    TiType made = type(random, simple, 0);
    return made.isJson() || made.isOptional() ? TiType.string() : made;
  }

  /** Returns a type of at most a depth, built of simple types and decimals of up to 35 digits. */
  static TiType type(Random random, List<TiType> simple, int depth) {
    return switch (random.nextInt(depth > 0 ? 11 : 3)) {
      case 0, 1 -> simple.get(random.nextInt(simple.size()));
      case 2 -> {
        int precision = 1 + random.nextInt(35);
        yield TiType.decimal(precision, random.nextInt(precision + 1));
      }
      case 3, 4 -> TiType.optional(type(random, simple, depth - 1));
      case 5 -> TiType.list(type(random, simple, depth - 1));
      case 6 -> TiType.struct(members(random, simple, depth - 1));
      case 7 -> TiType.tuple(elements(random, simple, depth - 1));
      case 8 ->
          random.nextBoolean()
              ? TiType.variantOverStruct(members(random, simple, depth - 1))
              : TiType.variantOverTuple(elements(random, simple, depth - 1));
      case 9 -> TiType.dict(key(random, simple), type(random, simple, depth - 1));
      default -> TiType.tagged(type(random, simple, depth - 1), NAMES[random.nextInt(NAMES.length)]);
    };
  }
}
