"""Files of golden cases are collected as files of tests."""


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".clitest":
        # Imports the harness, which reads the options of pytest.
        import goldens

        return goldens.File.from_parent(parent, path=file_path)
