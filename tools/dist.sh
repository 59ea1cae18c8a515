#!/usr/bin/env bash
# Makes the files of a release. The version is that of project() in CMakeLists.txt.
#
#   tools/dist.sh source OUT        the source archive: the files git knows, as they are now
#   tools/dist.sh deb BUILD OUT     the Debian packages of a build
#   tools/dist.sh conda OUT         the conda package of the wheels in OUT
#   tools/dist.sh container OUT     the container of the wheels in OUT, where podman, buildah or docker can build it
#   tools/dist.sh all BUILD OUT     all of these, the wheels, the static program, a bill of materials, checksums
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's/^project(xwalk VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

source_archive() {
  local out=$1 name=xwalk-$version
  git -C "$root" rev-parse --git-dir >/dev/null
  [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] ||
    echo "dist: the source archive holds changes that are not committed" >&2
  # The same files give the same bytes, whoever packs them.
  git -C "$root" ls-files -z | tar --create --directory="$root" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git -C "$root" log -1 --format=%ct)" --transform="s,^,$name/,S" --no-recursion --null --files-from=- |
    gzip --no-name --best >"$out/$name.tar.gz"
  echo "$out/$name.tar.gz"
}

debian_packages() {
  local build=$1 out=$2 work
  work=$(mktemp -d)
  if ! cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    return 1
  fi
  mv "$work"/*.deb "$out"
  rm -rf "$work"
  ls "$out"/*.deb
}

python=${XWALK_DEPS:-$root/.deps}/venv/bin/python

conda_package() { "$python" "$root/tools/conda.py" "$1" "$1" "$version"; }

# What this machine lacks for it is told, and is no error: the other files are the same.
container() {
  local out=$1 file=$root/packaging/container/Containerfile image=xwalk:$version archive builder minor log
  archive=$out/xwalk-$version-container.tar
  [ ! -x "${python%/*}/hadolint" ] || "${python%/*}/hadolint" "$file"
  for builder in podman buildah docker none; do command -v "$builder" >/dev/null && break; done
  if [ "$builder" = none ]; then
    echo "dist: no podman, buildah or docker: the container is not built" >&2
    return
  fi
  minor=$(sed -n 's,^ARG BASE=.*/python:3\.\([0-9]*\)-.*,\1,p' "$file")
  if ! compgen -G "$out/xwalk-*-cp3$minor-*.whl" >/dev/null; then
    echo "dist: the base image is for Python 3.$minor, no wheel is: build $file with --build-arg BASE" >&2
    return
  fi
  log=$(mktemp)
  if ! "$builder" build --file "$file" --tag "$image" "$out" >"$log" 2>&1; then
    echo "dist: $builder cannot build the container: $(tail -n 1 "$log")" >&2
  elif [ "$builder" = buildah ]; then
    buildah push --quiet "$image" "oci-archive:$archive" && echo "$archive"
  else
    "$builder" save --output "$archive" "$image" && echo "$archive"
  fi
  rm -f "$log"
}

case "${1:-} $#" in
  "source 2" | "conda 2" | "container 2") ;;
  "deb 3" | "all 3") ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
mkdir -p "${!#}"
out=$(cd "${!#}" && pwd)
case $1 in
  source) source_archive "$out" ;;
  deb) debian_packages "$2" "$out" ;;
  conda) conda_package "$out" ;;
  container) container "$out" ;;
  all)
    rm -f "$out"/*.tar.gz "$out"/*.deb "$out"/*.whl "$out"/*.conda "$out"/*.tar "$out"/*.duckdb_extension "$out"/xwalk-*-linux-* "$out"/*.cdx.json "$out/SHA256SUMS"
    source_archive "$out"
    debian_packages "$2" "$out"
    "$python" "$root/tools/wheel.py" "$2" "$out"
    conda_package "$out"
    container "$out"
    install --mode=644 "$2/xwalk.duckdb_extension" "$out"
    echo "$out/xwalk.duckdb_extension"
    static=$out/xwalk-$version-linux-$(uname -m)
    install --strip --mode=755 "$2/static/xwalk" "$static"
    echo "$static"
    python3 "$root/tools/libraries.py" sbom "$version" "$out/xwalk-$version.cdx.json"
    echo "$out/xwalk-$version.cdx.json"
    (cd "$out" && sha256sum -- * >SHA256SUMS)
    ;;
esac
