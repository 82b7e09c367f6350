#!/usr/bin/python3
"""tools/package/sbom: of a folder with one system program, and of the program of this build.

What it writes is held against the rules of SPDX 2.3, as far as they concern it: fields that must and
may be there, identifiers, digests, the package's verification code, relationships that lead somewhere,
licence expressions.

    sbom_test.py MEZZOTINT BUILD_FOLDER
"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SBOM = pathlib.Path(__file__).resolve().parents[2] / "tools/package/sbom"
# The SPDX identifiers that occur; any other is a mistake, or to be added here.
LICENCES = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "GPL-2.0-only",
            "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "LGPL-2.1-only",
            "LGPL-2.1-or-later", "Libpng", "MIT", "X11", "Zlib", "libtiff"}
# Fields by kind of element: those that must be there, those that may.
FIELDS = {
    "document": ({"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"},
                 {"packages", "files", "relationships"}),
    "package": ({"SPDXID", "name", "downloadLocation"},
                {"versionInfo", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText",
                 "supplier", "sourceInfo", "homepage", "externalRefs", "licenseInfoFromFiles",
                 "packageVerificationCode"}),
    "file": ({"SPDXID", "fileName", "checksums"}, {"fileTypes", "licenseConcluded", "copyrightText"}),
    "relationship": ({"spdxElementId", "relationshipType", "relatedSpdxElement"}, set()),
}
RELATIONSHIPS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "STATIC_LINK", "GENERATED_FROM",
                 "BUILD_DEPENDENCY_OF"}
DIGITS = {"SHA1": 40, "SHA256": 64}


def field_mistakes(kind, element):
    must, may = FIELDS[kind]
    if missing := must - element.keys():
        yield f"{kind} {element.get('SPDXID')}: lacks {sorted(missing)}"
    if unknown := element.keys() - must - may:
        yield f"{kind} {element.get('SPDXID')}: has {sorted(unknown)}"
    for field in ("licenseConcluded", "licenseDeclared"):
        words = re.split(" AND | OR ", element.get(field, "NOASSERTION"))
        if words != ["NOASSERTION"] and not set(words) <= LICENCES:
            yield f"{kind} {element['SPDXID']}: {field} is {element[field]}"


def element_mistakes(document):
    for package in document["packages"]:
        yield from field_mistakes("package", package)
        analyzed = package["filesAnalyzed"]
        if analyzed != ("packageVerificationCode" in package):
            yield f"{package['SPDXID']}: a verification code goes with its files alone"
        for reference in package.get("externalRefs", []):
            if not re.fullmatch(r"pkg:deb/debian/[a-z0-9.+-]+@[\w.%~-]+\?arch=\w+",
                                reference["referenceLocator"]):
                yield f"{package['SPDXID']}: {reference['referenceLocator']} is no purl"
    for file in document["files"]:
        yield from field_mistakes("file", file)
        sums = {each["algorithm"]: each["checksumValue"] for each in file["checksums"]}
        if "SHA1" not in sums or any(not re.fullmatch(f"[0-9a-f]{{{DIGITS[kind]}}}", value)
                                     for kind, value in sums.items()):
            yield f"{file['SPDXID']}: its digests are {sums}"
        if not file["fileName"].startswith("./"):
            yield f"{file['SPDXID']}: {file['fileName']} does not begin with ./"


def mistakes(document):
    """What is against the rules."""
    yield from field_mistakes("document", document)
    yield from element_mistakes(document)
    said = (document["spdxVersion"], document["dataLicense"], document["SPDXID"])
    if said != ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"):
        yield f"the document is {said}"
    if not re.fullmatch(r"[a-z]+:[^#\s]+", document["documentNamespace"]):
        yield f"the namespace is {document['documentNamespace']}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"]):
        yield f"the time is {document['creationInfo']['created']}"
    elements = [document, *document["packages"], *document["files"]]
    known = {each["SPDXID"] for each in elements}
    if len(known) != len(elements):
        yield "two elements have one identifier"
    yield from (f"{each} is no identifier" for each in known
                if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each))
    for each in document["relationships"]:
        yield from field_mistakes("relationship", each)
        if each["relationshipType"] not in RELATIONSHIPS:
            yield f"{each['relationshipType']} is not known"
        if not {each["spdxElementId"], each["relatedSpdxElement"]} <= known:
            yield f"{each} leads nowhere"
    (root,) = [each for each in document["packages"] if each["filesAnalyzed"]]
    sums = sorted(each["checksums"][0]["checksumValue"] for each in document["files"])
    code = hashlib.sha1("".join(sums).encode()).hexdigest()
    if root["packageVerificationCode"]["packageVerificationCodeValue"] != code:
        yield "the verification code is not that of the files"


class Trial:
    def __init__(self):
        self.wrong = []

    def sbom(self, *words, times=1):
        """The document of a folder, by the rules; the same so many times."""
        texts = []
        for _ in range(times):
            result = subprocess.run([SBOM, *map(str, words)], capture_output=True, text=True, check=False)
            if result.returncode == 69:
                print("skipped:", result.stderr.strip())
                sys.exit(77)
            if result.returncode:
                sys.exit(result.stderr)
            texts.append(result.stdout)
        self.check(texts[0] == texts[-1], "it is not the same twice")
        document = json.loads(texts[0])
        self.wrong += mistakes(document)
        return document

    def check(self, good, what):
        if not good:
            self.wrong.append(what)

    def expect(self, document, *wanted):
        """Relationships, by names of files and packages."""
        names = {each["SPDXID"]: each.get("name") or each["fileName"].removeprefix("./")
                 for each in [document, *document["packages"], *document["files"]]}
        found = {(names[each["spdxElementId"]], each["relationshipType"],
                  names[each["relatedSpdxElement"]]) for each in document["relationships"]}
        for each in wanted:
            self.check(each in found, f"{' '.join(each)} is missing in {document['name']}")


def main():
    program, build = sys.argv[1:]
    if not shutil.which("dpkg-query") or not shutil.which("readelf"):
        print("skipped: there is no dpkg-query or no readelf")
        return 77
    trial = Trial()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "tiny-1.2"
        folder.mkdir()
        shutil.copy("/usr/bin/true", folder / "true")
        (folder / "a_b").write_text("text\n")
        (folder / "a-b").write_text("text\n")
        tiny = trial.sbom(folder, times=2)
        trial.check(len(tiny["files"]) == 3 and len(tiny["packages"]) == 2, "tiny has 3 files, 2 packages")
        trial.check(tiny["packages"][-1]["versionInfo"] == "1.2", "tiny is of version 1.2")
        trial.expect(tiny, ("true", "DYNAMIC_LINK", "libc6"), ("tiny", "CONTAINS", "a_b"))

        real = pathlib.Path(scratch) / "mezzotint-0.0"
        real.mkdir()
        shutil.copy(program, real)
        document = trial.sbom("--build", build, real)
        trial.expect(document, ("mezzotint", "DYNAMIC_LINK", "libtiff6"),
                     ("mezzotint", "STATIC_LINK", "libsqlitecpp-dev"),
                     ("mezzotint", "STATIC_LINK", "libkissfft-dev"),
                     ("mezzotint", "STATIC_LINK", "nlohmann-json3-dev"),
                     ("mezzotint", "STATIC_LINK", "libcli11-dev"),
                     ("mezzotint", "STATIC_LINK", "uPlot"),
                     ("libhwy-dev", "BUILD_DEPENDENCY_OF", "mezzotint"))
        declared = {each["name"]: each["licenseDeclared"] for each in document["packages"]}
        trial.check(declared["libdeflate0"] == "MIT", "libdeflate0 is MIT, Debian's Expat")
        trial.check(declared["libc6"] == "NOASSERTION", "the copyright file of libc6 is for people")
    print(f"{len(document['packages'])} packages, {len(document['relationships'])} relationships")
    print("\n".join(trial.wrong))
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
