import pytest

pytest.register_assert_rewrite("tests.golden.dialogues", "tests.golden.screens")  # they show what differs
