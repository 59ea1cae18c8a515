"""The Python module and the DuckDB extension (points 7, 8 and 14a)."""
from case import Command, case


@case("7.arrow-c-missing-buffers")
def missing_buffers(here):
    """Arrays of the Arrow C interface whose buffers are null pointers."""
    yield arrow(here, "test_buffers_that_are_missing")


@case("7.arrow-c-missing-lists")
def missing_lists(here):
    """Arrays of the Arrow C interface without a list of buffers or without their dictionary."""
    yield arrow(here, "test_lists_of_buffers_and_dictionaries_that_are_missing")


@case("7.arrow-c-nulls-without-bits")
def nulls_without_bits(here):
    """Arrays of the Arrow C interface that count nulls and have no bits for them."""
    yield arrow(here, "test_nulls_without_bits")


@case("7.arrow-c-null-keys")
def null_keys(here):
    """Maps of the Arrow C interface with null keys."""
    yield arrow(here, "test_keys_that_are_null")


def arrow(here, test):
    here.needs("python/xwalk")
    return here.tests("hostile/hostile_arrow_test.py", f"TestHostile::{test}", memory=500)


@case("8.duckdb-inputs")
def database_inputs(here):
    """A database with limited access reads no other files, through links, patterns and folders too."""
    yield database(here, "TestAccess::test_inputs", "TestAccess::test_as_duckdb_does", "TestAccess::test_allowed_paths")


@case("8.duckdb-outputs")
def database_outputs(here):
    """A database with limited access writes no other files: outputs, schemas next to them, rejected rows."""
    yield database(here, "TestAccess::test_outputs", "TestAccess::test_file_systems_that_are_disabled",
                        "TestAccess::test_places_that_a_lance_dataset_names")


@case("8.duckdb-locked")
def database_locked(here):
    """A locked configuration holds for options of a query and for prepared statements."""
    yield database(here, "TestAccess::test_a_locked_configuration", "TestAccess::test_a_prepared_statement_obeys_later_settings")


@case("8.duckdb-requests")
def database_requests(here):
    """A database without external access sends no request."""
    yield database(here, "TestAccess::test_no_request_is_sent")


@case("8.duckdb-rejects-memory")
def database_rejects(here):
    """6,000 rejected rows of 30 kB: the database keeps 64 MiB of them."""
    yield database(here, "TestRejects::test_memory_of_rejected_rows_is_bounded")


@case("8.duckdb-no-columns")
def database_no_columns(here):
    """Rows without columns give an error in a sentence, not an internal error of DuckDB."""
    here.write("none.jsonl", "{}\n{}\n")
    code = f"""
import duckdb
db = duckdb.connect(config={{"allow_unsigned_extensions": "true"}})
db.execute("LOAD '{needed(here)}'")
for query in ("FROM 'none.jsonl'", "FROM read_xwalk('none.jsonl')", "SELECT count(*) FROM read_xwalk('none.jsonl')"):
    try:
        print(db.execute(query).fetchall())
    except duckdb.Error as error:
        print(error)
"""
    done = yield Command([here.python, "-c", code], memory=300, seconds=60, unsaid=("INTERNAL",))
    here.expect("olumn" in done.stdout, done.stdout, done.stderr)


@case("14a.two-threads")
def two_threads(here):
    """Eight threads read one iterator of rows: each row comes once. `make tsan` runs the same under the thread sanitizer."""
    here.needs("python/xwalk")
    yield here.tests("threads/module_threads_test.py", memory=1500)


def needed(here):
    extension = here.needs("xwalk.duckdb_extension")
    here.make("import duckdb", "duckdb")
    return extension


def database(here, *tests):
    needed(here)
    return here.tests("duckdb/access_test.py", *tests, memory=700)
