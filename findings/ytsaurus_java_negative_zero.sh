#!/usr/bin/env bash
# Expected: the text "-0.00" as a YTsaurus decimal is 0.00, or an error.
# Seen: the Java client stores -2.56: it takes the number as 256 units below zero, whatever the precision, so that of decimal(5, 0) is -256. Other
#   negative texts are right.
# Versions: ytsaurus-client 1.2.17 (Java), from the package ytsaurus-spyt 2.11.2.
# Why it matters: "-0.00" is what printf and spreadsheets make of -0.001. Sums over such a column come out 2.56 lower for each of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --no-deps --disable-pip-version-check ytsaurus-spyt==2.11.2
jars=$(find "$folder/venv" -name 'tech.ytsaurus-*-1.2.17.jar' | tr '\n' ':')
echo "jars: $(tr ':' '\n' <<<"$jars" | grep -o 'tech.ytsaurus-ytsaurus-client-core-.*')"
cat >Ask.java <<'JAVA'
import tech.ytsaurus.core.common.Decimal;

public class Ask {
    public static void main(String[] words) {
        for (String word : words) {
            String[] parts = word.split("/");
            int precision = Integer.parseInt(parts[1]), scale = Integer.parseInt(parts[2]);
            byte[] stored = Decimal.textToBinary(parts[0], precision, scale);
            System.out.println(parts[0] + " as decimal(" + precision + ", " + scale + "): " + Decimal.binaryToText(stored, precision, scale));
        }
    }
}
JAVA
java -cp "$jars" Ask.java -0.00/15/2 -0.00/9/2 -0.00/35/2 -0/5/0 0.00/15/2 -0.01/15/2 -1/5/0 | tee seen
cat >expected <<'TEXT'
-0.00 as decimal(15, 2): -2.56
-0.00 as decimal(9, 2): -2.56
-0.00 as decimal(35, 2): -2.56
-0 as decimal(5, 0): -256
0.00 as decimal(15, 2): 0.00
-0.01 as decimal(15, 2): -.01
-1 as decimal(5, 0): -1
TEXT
cmp -s expected seen || { echo "changed: found $(paste -sd ';' seen)"; exit 1; }
