#!/usr/bin/env python3
"""Holds the JSON Schema against the parser.

Every example and every manifest of valid/ must pass both. Every manifest of invalid/ must be
refused by the parser, and its first line says what the schema does. The same holds for settings of
hot folders, in folder/, for press files, in press/, for curve files, in curve/, and for jobs that go
wrong with their press.

  # schema: refuses      the schema refuses it too, or no YAML reader reads it
  # schema: cannot say   a mistake that no schema can express; the schema lets it pass

    schema_agrees.py MANIFEST_CHECK SOURCE_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}; install python3-jsonschema and python3-yaml")
    sys.exit(77)


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: `yes` is a text, `010` is ten."""

    yaml_implicit_resolvers = {}


TYPES = {
    "null": (r"^(?:~|null|Null|NULL|)$", lambda text: None),
    "bool": (r"^(?:true|True|TRUE|false|False|FALSE)$", lambda text: text.lower() == "true"),
    "int": (r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$",
            lambda text: int(text, 0 if text[:2] in ("0o", "0x") else 10)),
    "float": (r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
              r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
              lambda text: float(re.sub(r"\.(inf|nan)$", r"\1", text.lower()))),
}
for name, (pattern, value) in TYPES.items():
    tag = f"tag:yaml.org,2002:{name}"
    CoreLoader.add_implicit_resolver(tag, re.compile(pattern), None)
    CoreLoader.add_constructor(tag, lambda loader, node, value=value: value(node.value))


def schema_accepts(validator, path):
    """Whether the schema accepts a file, and why not."""
    try:
        document = yaml.load(path.read_bytes(), Loader=CoreLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return False, f"not YAML: {str(error).splitlines()[0]}"
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return error is None, error.message if error else ""


def parser_accepts(program, options, paths):
    output = subprocess.run([program, *options, *map(str, paths)], capture_output=True, check=True).stdout
    text = output.decode("utf-8", "replace")
    return {path: f"accepted {path}\n" in text for path in paths}


def disagreements(program, kind, good, bad):
    """What is wrong with the schema of a kind of file; prints how many files were tried."""
    option, options = kind
    printed = subprocess.run([program, option], capture_output=True, check=True).stdout
    schema = json.loads(printed)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    accepted = parser_accepts(program, options, good + bad)
    wrong, refused = [], 0
    for path in good:
        passes, why = schema_accepts(validator, path)
        if not accepted[path]:
            wrong.append(f"{path}: the parser refuses it")
        if not passes:
            wrong.append(f"{path}: the schema refuses it: {why}")
    for path in bad:
        marker = path.read_bytes().split(b"\n")[0].removeprefix(b"\xef\xbb\xbf").strip()
        passes, why = schema_accepts(validator, path)
        refused += not passes
        if accepted[path]:
            wrong.append(f"{path}: the parser accepts it")
        if marker not in (b"# schema: refuses", b"# schema: cannot say"):
            wrong.append(f"{path}: the first line does not say what the schema does")
        elif passes != (marker == b"# schema: cannot say"):
            verdict = "accepts" if passes else f"refuses ({why})"
            wrong.append(f"{path}: says {marker.decode()!r}, but the schema {verdict} it")
    print(f"{option}: {len(good)} good files; {len(bad)} bad ones, {refused} refused by the schema "
          "too")
    return wrong


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    tests = source / "tests/manifests"
    example = source / "manifests/examples/folder.yaml"
    good = sorted([*source.glob("manifests/examples/*.yaml"), *tests.glob("valid/*.yaml")])
    good.remove(example)
    bad = sorted([*tests.glob("invalid/*.yaml"), *tests.glob("press/jobs/*.yaml")])
    good_folders = [example, *sorted(tests.glob("folder/valid/*.yaml"))]
    bad_folders = sorted(tests.glob("folder/invalid/*.yaml"))
    wrong = disagreements(program, ("--schema", []), good, bad)
    wrong += disagreements(
        program, ("--folder-schema", ["--folder"]), good_folders, bad_folders)
    good_presses = sorted([*source.glob("manifests/examples/presses/*.yaml"),
                           *tests.glob("press/valid/*.yaml")])
    bad_presses = sorted(tests.glob("press/invalid/*.yaml"))
    wrong += disagreements(program, ("--press-schema", ["--press"]), good_presses, bad_presses)
    bad_curves = sorted(tests.glob("curve/invalid/*.yaml"))
    wrong += disagreements(
        program, ("--curve-schema", ["--curve"]), sorted(tests.glob("curve/valid/*.yaml")), bad_curves)
    if len(bad_curves) < 20:
        wrong.append("curve files are missing")
    if len(good_presses) < 3 or len(bad_presses) < 40:
        wrong.append("press files are missing")
    if len(good) < 8 or len(bad) < 60 or len(good_folders) < 4 or len(bad_folders) < 60:
        wrong.append("files are missing")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
