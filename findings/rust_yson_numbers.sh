#!/usr/bin/env bash
# Expected: YSON that a Rust crate reads has the number that is written, or is an error. Two crates agree.
# Seen: 1e400 is read as infinity, and 1e300 for an f32 as well. 9007199254740993 for an f64 is 9007199254740992. An integer from 2**63 on without
#   the letter u is uint64 in yson-rs and an error in ytsaurus-yson. A value loses its attributes without a word. Neither reads %+inf.
# Versions: yson-rs 0.2.1, ytsaurus-yson 0.3.1 (Rust).
# Why it matters: jobs in Rust. `<error=1>0` is a zero for them, and a field that became f32 holds infinity.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "ask"
version = "0.1.0"
edition = "2021"
[dependencies]
yson-rs = "=0.2.1"
ytsaurus-yson = "=0.3.1"
TOML
cat >src/main.rs <<'RUST'
macro_rules! read {
    ($kind:ty, $text:expr) => {{
        let one = yson_rs::from_slice::<$kind>($text.as_bytes(), yson_rs::YsonFormat::Text);
        let other = ytsaurus_yson::from_slice::<$kind>($text.as_bytes(), ytsaurus_yson::YsonFormat::Text);
        let show = |value: Option<$kind>| value.map_or("error".to_string(), |value| format!("{value:?}"));
        println!("{} as {}: {}, {}", $text, stringify!($kind), show(one.ok()), show(other.ok()));
    }};
}

fn main() {
    read!(f64, "1e400");
    read!(f32, "1e300");
    read!(f64, "9007199254740993");
    read!(u64, "9223372036854775808");
    read!(i64, "<error=1>0");
    read!(f64, "%inf");
    read!(f64, "%+inf");
}
RUST
cargo run --quiet | tee seen
cat >expected <<'TEXT'
1e400 as f64: inf, inf
1e300 as f32: inf, inf
9007199254740993 as f64: 9007199254740992.0, 9007199254740992.0
9223372036854775808 as u64: 9223372036854775808, error
<error=1>0 as i64: 0, 0
%inf as f64: inf, inf
%+inf as f64: error, error
TEXT
cmp -s expected seen || { echo "changed: found $(paste -sd ';' seen)"; exit 1; }
