"""The checkers accept what is right and name what is wrong: every rule is shown input that it must reject."""

import contextlib
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "tests" / "golden")]
import check_changelog  # noqa: E402
import check_includes  # noqa: E402
import check_kernel  # noqa: E402
import check_layers  # noqa: E402
import check_ledger  # noqa: E402
import check_limits  # noqa: E402
import check_links  # noqa: E402
import check_models  # noqa: E402
import check_names  # noqa: E402
import check_paths  # noqa: E402
import check_tags  # noqa: E402
import check_versions  # noqa: E402
import mutate_checker  # noqa: E402
import replay  # noqa: E402
import unity_batches  # noqa: E402


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


class Mutants(unittest.TestCase):
    POINTS = [["1", "a.cpp", "f", "3", "x < y", "x <= y"], ["2", "a.cpp", "f", "4", "-x", "x"]]

    def test_survivors_need_a_proof(self):
        results = [["1", "killed", "check-1"], ["2", "survived", ""]]
        summary, problems = mutate_checker.report(self.POINTS, results, [])
        self.assertEqual(summary, ["2 mutants: 1 killed, 1 survived"])
        self.assertEqual(problems, ["a.cpp:4: f: survived: -x -> x"])
        proof = [["a.cpp", "f", "-x", "x", "x is compared with 0 alone"]]
        self.assertEqual(mutate_checker.report(self.POINTS, results, proof), (["2 mutants: 1 equivalent, 1 killed"], []))

    def test_what_killed_a_mutant_is_known_under_its_new_number(self):
        twice = [["1", "a.cpp", "f", "2", "-x", "x"], ["2", "a.cpp", "f", "4", "x < y", "x <= y"], ["3", "a.cpp", "f", "9", "-x", "x"]]
        results = [["1", "killed", "check-1"], ["2", "survived", ""]]
        self.assertEqual(mutate_checker.carried(self.POINTS, results, twice), [("2", "check-1")])
        results = [["2", "killed", "check-2"]]
        self.assertEqual(mutate_checker.carried(self.POINTS, results, twice), [("1", "check-2")])

    def test_a_proof_about_a_killed_mutant_is_refused(self):
        results = [["1", "killed", "check-1"], ["2", "killed", "check-1"]]
        proof = [["a.cpp", "f", "-x", "x", "it was believed"]]
        self.assertEqual(len(mutate_checker.report(self.POINTS, results, proof)[1]), 1)


@unittest.skipUnless(importlib.util.find_spec("markdown"), "Python-Markdown is absent")
class Documentation(InFolder):
    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)

    def test_releases_have_pages_of_their_own_time_and_pages_link_to_their_other_versions(self):
        self.write("CMakeLists.txt", "project(Small VERSION 1.2.0)\n")
        self.write("README.md", "# Small\n\n[old](docs/theory/old.md)\n")
        self.write("docs/theory/old.md", "# Old\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "first")
        self.git("tag", "v1.2.0")
        self.write("README.md", "# Small\n")
        (self.root / "docs/theory/old.md").unlink()
        self.write("docs/theory/new.md", "# New\n")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "second")

        tool = Path(__file__).resolve().parents[2] / "tools/build_docs.py"
        subprocess.run([sys.executable, tool, self.root / "out", "--root", self.root], check=True, capture_output=True)
        now, then = (self.root / "out/index.html").read_text(), (self.root / "out/v1.2.0/index.html").read_text()
        self.assertRegex(now, r'class="here">1\.2\.0\+[0-9a-f]{8}<')
        self.assertIn('href="v1.2.0/index.html">1.2.0<', now)
        self.assertIn('class="here">1.2.0<', then)
        self.assertIn('href="docs/theory/old.html"', then)
        self.assertNotIn("old.html", now)
        new = (self.root / "out/docs/theory/new.html").read_text()
        self.assertIn('href="../../v1.2.0/index.html">1.2.0<', new)  # no such page then
        self.assertFalse((self.root / "out/v1.2.0/docs/theory/new.html").exists())


class Layers(InFolder):
    def problems(self, path, text):
        self.write(path, text)
        return list(check_layers.problems(self.root))

    def test_own_and_earlier_layers_are_allowed(self):
        text = "#include <rattleback/motion/forms/hamel.hpp>\n#include <rattleback/algebra/expression/expr.hpp>\n#include <vector>\n"
        self.assertEqual(self.problems("rattleback/motion/a.cpp", text), [])

    def test_later_layer_is_refused_with_its_place(self):
        found = self.problems("rattleback/geometry/a.hpp", "\n  # include <rattleback/proof/hamiltonian/jacobi.hpp>\n")
        self.assertEqual(len(found), 1)
        self.assertIn("rattleback/geometry/a.hpp:2: geometry may not include", found[0])

    def test_include_by_relative_path_is_refused(self):
        self.assertEqual(len(self.problems("rattleback/model/a.cpp", '#include "../view/text.hpp"\n')), 1)

    def test_many_files_side_by_side_are_refused(self):
        for number in range(check_layers.FILES):
            self.write(f"rattleback/motion/f{number}.hpp", "")
        self.assertEqual(list(check_layers.problems(self.root)), [])
        self.assertEqual(len(self.problems("rattleback/motion/one_more.hpp", "")), 1)

    def test_other_folders_subfolders_and_loose_files_are_refused(self):
        self.assertEqual(len(self.problems("rattleback/utils/a.cpp", "")), 1)
        self.assertEqual(len(self.problems("rattleback/model/detail/a.cpp", "")), 2)
        self.assertEqual(len(self.problems("rattleback/common.hpp", "")), 3)

    def rooms(self, *names):
        self.write("rattleback/proof/README.md", "".join(f"- `{name}/`: text\n" for name in names))
        for name in names:
            self.write(f"rattleback/proof/{name}/README.md", "what it is for\n")

    def test_rooms_are_ordered_as_the_readme_lists_them(self):
        self.rooms("check", "evidence", "constraints")
        self.assertEqual(self.problems("rattleback/proof/constraints/a.cpp",
                                       "#include <rattleback/proof/evidence/answer.hpp>\n"), [])
        found = self.problems("rattleback/proof/evidence/a.cpp", "\n#include <rattleback/proof/constraints/flag.hpp>\n")
        self.assertEqual(len(found), 1)
        self.assertIn("rattleback/proof/evidence/a.cpp:2: evidence may not include", found[0])

    def test_a_layer_with_rooms_has_no_loose_files_and_each_room_a_readme(self):
        self.rooms("check")
        self.assertEqual(self.problems("rattleback/proof/check/a.cpp", ""), [])
        self.assertEqual(len(self.problems("rattleback/proof/a.cpp", "")), 1)
        self.assertEqual(len(self.problems("rattleback/proof/other/a.cpp", "")), 2)
        (self.root / "rattleback/proof/check/README.md").unlink()
        self.assertEqual(len(list(check_layers.problems(self.root))), 3)

    def test_the_kernel_includes_the_algebra_alone(self):
        self.rooms("check", "evidence")
        self.assertEqual(self.problems("rattleback/proof/check/a.cpp", "#include <rattleback/algebra/expression/expr.hpp>\n"
                                       "#include <rattleback/proof/check/data.hpp>\n"), [])
        found = self.problems("rattleback/proof/check/b.cpp", "\n#include <rattleback/motion/forms/hamel.hpp>\n")
        self.assertEqual(len(found), 1)
        self.assertIn("rattleback/proof/check/b.cpp:2: the checker of certificates may not use", found[0])


class Kernel(unittest.TestCase):
    OBJECTS = {
        "proof/check/checker.cpp": ({"check"}, {"is_zero", "memcpy"}),
        "algebra/solving/is_zero.cpp": ({"is_zero"}, {"graph"}),
        "algebra/expression/graph.cpp": ({"graph"}, set()),
        "motion/forms/hamel.cpp": ({"hamel"}, set()),
    }

    def test_a_closure_within_the_algebra_is_accepted(self):
        self.assertEqual(list(check_kernel.problems(self.OBJECTS)), [])
        self.assertEqual(len(check_kernel.closure(self.OBJECTS)), 3)

    def test_a_symbol_of_another_layer_is_refused_though_no_header_is_included(self):
        objects = dict(self.OBJECTS)
        objects["algebra/expression/graph.cpp"] = ({"graph"}, {"hamel"})
        found = list(check_kernel.problems(objects))
        self.assertEqual(len(found), 1)
        self.assertIn("motion/forms/hamel.cpp", found[0])


class Paths(InFolder):
    def problems(self, path, text):
        self.write(path, text)
        return list(check_paths.problems(self.root))

    def test_a_source_has_its_header_or_names_it(self):
        self.write("rattleback/motion/a.hpp", "")
        self.assertEqual(self.problems("rattleback/motion/a.cpp", ""), [])
        self.assertEqual(self.problems("rattleback/motion/b.cpp", "// Declared in motion/a.hpp. More of it.\n"), [])
        self.assertEqual(len(self.problems("rattleback/motion/c.cpp", "// more\n")), 1)
        self.assertEqual(len(self.problems("rattleback/motion/c.cpp", "// Declared in motion/missing.hpp.\n")), 1)

    def test_unit_tests_mirror_the_tree(self):
        self.write("rattleback/motion/a.hpp", "")
        self.assertEqual(self.problems("tests/units/motion/a.cpp", ""), [])
        self.assertEqual(len(self.problems("tests/units/others/a.cpp", "")), 1)


class UnityBatches(InFolder):
    ONE = "namespace {\nint one() { return 1; }\n}  // namespace\n"

    def batches(self, **texts):
        sources = [unity_batches.Source(self.write(f"{name}.cpp", text), [self.root]) for name, text in texts.items()]
        return unity_batches.batches(sources, 100)

    def sizes(self, **texts):
        return [len(batch) for batch in self.batches(**texts)]

    def test_changed_and_new_sources_leave_their_batch_and_the_others_stay(self):
        note = self.root / "note.json"

        def kept(**texts):
            sources = [unity_batches.Source(str(self.write(f"{name}.cpp", text)), [self.root]) for name, text in texts.items()]
            return [[Path(s.path).stem for s in batch] for batch in unity_batches.kept_batches(sources, 100, note)]

        self.assertEqual(kept(a=self.ONE, b=self.ONE, c=self.ONE), [["a", "b", "c"]])
        self.assertEqual(kept(a=self.ONE, b="int two;\n", c=self.ONE, d=self.ONE), [["a", "c"]])
        self.assertEqual(kept(a=self.ONE, c=self.ONE), [["a", "c"]])
        self.assertEqual(kept(a=self.ONE, e="int two;\n", f="int three;\n"), [["a", "e", "f"]])  # most are new: so are the batches
        note.unlink()
        self.assertEqual(kept(a=self.ONE, b="int two;\n", d=self.ONE), [["a", "b", "d"]])

    def test_helpers_of_equal_names_share_a_batch_under_names_of_their_own(self):
        (batch,) = self.batches(a=self.ONE, b=self.ONE + "int x = one();\n")
        text = unity_batches.text_of(batch, 7)
        self.assertIn("int oneIn7x0()", text)
        self.assertIn("int oneIn7x1()", text)
        self.assertIn("int x = oneIn7x1();", text)

    def test_members_qualified_words_texts_and_comments_keep_their_names(self):
        (batch,) = self.batches(a=self.ONE + 'int x = s.one() + p->one + other::one; // one\nauto t = "one";\nauto r = R"(one)";\n', b="int y;\n")
        text = unity_batches.text_of(batch, 0)
        self.assertEqual(text.count("oneIn0x0"), 1)

    def test_the_result_of_a_lambda_is_a_local_name(self):
        (batch,) = self.batches(a="namespace {\nusing Row = int;\n}  // namespace\nauto f = [] -> Row { return 1; };\n", b="int x;\n")
        self.assertIn("-> RowIn0x0 {", unity_batches.text_of(batch, 0))

    def test_lines_are_those_of_the_source(self):
        (batch,) = self.batches(a="#include <map>\n" + self.ONE, b="int x;\n")
        text = unity_batches.text_of(batch, 0)
        self.assertIn(f'#line 1 "{self.root.resolve()}/a.cpp"\n\nnamespace {{', text)

    def test_a_name_of_a_header_is_left_and_keeps_files_apart_that_may_mean_it(self):
        self.write("one.hpp", "namespace rattleback {\nint one(int);\nnamespace inner {\nint two();\n}\n}\n")
        user = '#include "one.hpp"\n'
        self.assertEqual(self.sizes(c=user + self.ONE, d=user + "int x = one(2);\n"), [1, 1])
        self.assertEqual(self.sizes(g=user + self.ONE, h="// one\nint x = 1;\n"), [2])
        self.assertEqual(self.sizes(i=user + self.ONE, j=user + self.ONE), [1, 1])
        own = "namespace {\nstruct A {};\nint one(const A& a) { return 1; }\n}  // namespace\n"  # chosen by nobody else
        self.assertEqual(self.sizes(k=user + own, l=user + "int x = one(2);\n"), [2])
        two = self.ONE.replace("one", "two")
        self.assertEqual(self.sizes(m=user + two, n=user + two), [2])  # another namespace

    def test_a_member_of_a_class_of_the_file_is_left(self):
        (batch,) = self.batches(a=self.ONE + "struct S {\n  int one = 1;\n  int f() { return one; }\n};\n", b="int x;\n")
        self.assertNotIn("one_in", unity_batches.text_of(batch, 0))
        self.write("s.hpp", "struct S {\n  int f();\n  int one;\n};\n")
        (batch,) = self.batches(c='#include "s.hpp"\n' + self.ONE + "int S::f() { return one; }\n", d="int x;\n")
        self.assertNotIn("one_in", unity_batches.text_of(batch, 0))

    def test_a_constructor_is_no_other_meaning_of_its_class(self):
        local = "namespace {\nclass One {\n public:\n  One(int n) : n_(n) {}\n  int n_;\n};\n}  // namespace\n"
        (batch,) = self.batches(a=local, b=local)
        self.assertIn("  OneIn0x1(int n)", unity_batches.text_of(batch, 0))
        other = local.replace("  int n_;", "  int n_;\n  struct Two {\n    int One;\n  };")  # a member of an inner class is
        self.assertEqual(self.sizes(c=other, d=other), [1, 1])

    def test_an_alias_that_stays_may_be_said_twice(self):
        self.write("kinds.hpp", "struct S {\n  using Kind = int;\n  void f();\n};\n")
        source = '#include "kinds.hpp"\nnamespace {\nusing Kind = %s;\n}\nvoid S::f() { Kind k; }\n'
        self.assertEqual(self.sizes(a=source % "S::Kind", b=source % "S::Kind"), [2])
        self.assertEqual(self.sizes(c=source % "S::Kind", d=source % "long"), [1, 1])

    def test_sources_with_conflicts_choose_first_so_that_few_batches_are_needed(self):
        self.write("one.hpp", "namespace rattleback {\nint one(int);\n}\n")
        user = '#include "one.hpp"\n'
        calls, free = user + "int x = one(2);\n", "int y;\n" * 60
        self.assertEqual(len(self.batches(a=free, b=calls, c=free, d=user + self.ONE, e=calls)), 2)

    def test_borrowed_names_come_last_and_early_macros_stand_alone(self):
        (batch,) = self.batches(a="using enum Kind;\n", b="int x;\n")
        self.assertEqual([s.path.name for s in batch], ["b.cpp", "a.cpp"])
        self.assertEqual(self.sizes(a="using enum Kind;\n", b="using enum Sort;\n"), [1, 1])
        self.assertEqual(sorted(self.sizes(a="using ir::Value;\n", b="using ir::Value;\n", c="Value x;\n")), [1, 2])
        self.assertEqual(self.sizes(a="#define MORE\n#include <x>\n", b="int x;\n"), [1])

    def test_tables_of_macros_stay_in_place(self):
        table = "#define ROW(name) one(name),\n#include <table.def>\n#undef ROW\n"
        (batch,) = self.batches(a=self.ONE + table, b="int x;\n")
        text = unity_batches.text_of(batch, 0)
        self.assertIn("#include <table.def>", text)
        self.assertNotIn("one_in", text)  # the macro means it

    def test_a_pointer_to_a_function_is_a_member(self):
        (batch,) = self.batches(a=self.ONE + "struct S {\n  int (*one)(int);\n};\nint y = s.one(2);\n", b="int x;\n")
        self.assertNotIn("one_in", unity_batches.text_of(batch, 0))

    def test_a_handler_behind_a_function_is_no_name(self):
        source = "namespace {\nint two() try {\n  return 2;\n} catch (const Error&) {\n  return 1;\n}\n}  // namespace\n"
        (batch,) = self.batches(a=source, b="int x;\n")
        self.assertNotIn("catch_in", unity_batches.text_of(batch, 0))

    def test_constants_are_found_and_their_types_are_not(self):
        scope = unity_batches.Scope("namespace {\nconstexpr int few = 3, many{9};\nconstexpr Size most = Size{6} << limits::all.count;\n}\n")
        self.assertEqual(scope.local, {"few", "many", "most"})

    def test_headers_come_first_and_conditional_ones_stay(self):
        (batch,) = self.batches(a="#include <map>\n#ifdef X\n#include <set>\n#endif\n" + self.ONE, b="#include <map>\n")
        text = unity_batches.text_of(batch, 0)
        self.assertEqual(text.count("#include <map>"), 1)
        self.assertLess(text.index("#line"), text.index("<set>"))
        self.assertLess(text.index("<map>"), text.index("#line"))


class Includes(InFolder):
    def problems(self, **files):
        for name, text in files.items():
            stem, kind = name.rsplit("_", 1)
            self.write(f"rattleback/motion/{stem}.{kind}", text)
        return list(check_includes.problems(self.root))

    def test_headers_in_a_circle_are_found(self):
        a, b = ("#include <rattleback/motion/b.hpp>\nB make();\nclass A {};\n", "#include <rattleback/motion/a.hpp>\nA take();\nclass B {};\n")
        (problem,) = self.problems(a_hpp=a, b_hpp=b)
        self.assertIn("a.hpp -> rattleback/motion/b.hpp -> rattleback/motion/a.hpp", problem)

    def test_an_include_without_use_is_found(self):
        header = "class A {};\nint made(A);\n"
        self.assertEqual(self.problems(a_hpp=header, b_cpp="#include <rattleback/motion/a.hpp>\nint x = made({});\n"), [])
        self.assertEqual(len(self.problems(a_hpp=header, b_cpp="#include <rattleback/motion/a.hpp>\n// made\nint x = 1;\n")), 1)
        self.assertEqual(self.problems(a_hpp=header, b_cpp="", a_cpp="#include <rattleback/motion/a.hpp>\n"), [])  # its own

    def test_versions_of_FLINT_are_told_apart_in_one_file(self):
        for text in ("#include <arb_mat.h>\n", "#include <flint/acb_poly.h>\n", "#include <calcium/fmpz_mpoly_q.h>\n", "#if __FLINT_VERSION < 3\n#endif\n",
                     "#if __has_include(<flint/arb.h>)\n#endif\n"):
            (problem,) = self.problems(a_cpp=text)
            self.assertIn("a.cpp:1: versions of FLINT differ here", problem)
        self.assertEqual(self.problems(a_cpp="#include <flint/fmpq.h>\n#include RATTLEBACK_ARB_HEADER(arb_mat.h)\n"), [])

    def test_a_room_says_how_long_its_files_may_be(self):
        long = "int x;\n" * 460
        self.assertEqual(len(self.problems(a_cpp=long)), 1)
        self.write("rattleback/motion/README.md", "files of at most 800 lines")
        self.assertEqual(self.problems(a_cpp=long), [])


class Limits(InFolder):
    def problems(self, text, path="rattleback/motion/a.cpp"):
        self.write(path, text)
        return list(check_limits.problems(self.root))

    def test_numbers_belong_into_a_table(self):
        (problem,) = self.problems("void f() {\n  constexpr int few = 2,\n      most_steps = 1'000;\n}\n")
        self.assertIn("rattleback/motion/a.cpp:3: `most_steps` is a limit", problem)
        for declaration in ("longest{1U << 14U}", "worth_compiling = 20 * 1000", "shortened_up_to = std::size_t{64} << 20U"):
            self.assertEqual(len(self.problems(f"static constexpr std::size_t {declaration};\n")), 1, declaration)

    def test_rows_of_tables_tolerances_and_counts_are_no_such_numbers(self):
        for line in ("constexpr int most = search_limits::corners.count;", "constexpr double longest = 2;", "constexpr int almost = 2, stages = 12;",
                     "int most = 3;"):
            self.assertEqual(self.problems(line + "\n"), [], line)
        self.assertEqual(self.problems("inline constexpr Choices most{3};\n", "rattleback/algebra/arithmetic/search_limits.hpp"), [])


class Versions(InFolder):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", "project(Rattleback VERSION 1.2.0 LANGUAGES CXX)\n")
        self.write("CITATION.cff", "version: 1.2.0\ndate-released: 2026-01-31\n")
        self.write("codemeta.json", '{"version": "1.2.0", "dateModified": "2026-01-31"}')
        self.write("debian/changelog", "rattleback (1.2.0-1) unstable\n\n -- A <a@b>  Sat, 31 Jan 2026 12:00:00 +0000\n")
        self.write("debian/control", "Package: librattleback1.2\n")
        self.write("debian/librattleback1.2.install", "")
        self.write("CHANGELOG.md", "## Unreleased\n\n## 1.2.0 (2026-01-31)\n\n## 1.1.0 (2025-12-31)\n")

    def test_one_version_everywhere(self):
        self.assertEqual(list(check_versions.problems(self.root)), [])

    def test_another_version_or_date_is_named(self):
        for path, text, count in (("CITATION.cff", "version: 1.1.0\ndate-released: 2026-01-30\n", 2), ("CHANGELOG.md", "## 1.3.0 (2026-01-31)\n", 6),
                                  ("CHANGELOG.md", "## Unreleased\n", 1), ("CMakeLists.txt", "project(Rattleback VERSION 1.2.1)\n", 1)):
            kept = (self.root / path).read_text()
            self.write(path, text)
            self.assertEqual(len(list(check_versions.problems(self.root))), count, path)
            self.write(path, kept)


class Changelog(InFolder):
    def problems(self, text):
        self.write("CHANGELOG.md", f"# Changes\n\n## Unreleased\n\n{text}\n## 1.2.0 (2026-01-31)\n\n**Motions.**\n- Two\n  lines.\n")
        return list(check_changelog.problems(self.root))

    def test_an_item_is_one_line_below_a_group(self):
        self.assertEqual(self.problems("**Motions.**\n- One.\n- Two.\n"), [])
        self.assertEqual(self.problems("**Motions.**\n- One\n  goes on.\n"), ["CHANGELOG.md:7: an item is one line; make it shorter, or two items"])
        self.assertEqual(len(self.problems("- One.\n")), 1)
        self.assertEqual(len(self.problems("**Motions.**\n- " + 200 * "x" + "\n")), 1)

    def test_the_notes_of_a_release_are_its_section(self):
        self.problems("**Motions.**\n- One.\n")
        self.assertEqual(check_changelog.notes(self.root, "v1.2.0"), "**Motions.**\n- Two\n  lines.\n")
        self.assertEqual(check_changelog.notes(self.root, "v1.2"), "")


class Names(InFolder):
    def problems(self, **files):
        for name, text in files.items():
            self.write(f"rattleback/motion/{name}.hpp", text)
        return list(check_names.problems(self.root))

    def test_second_definition_is_refused_with_both_places(self):
        found = self.problems(a="namespace rattleback {\nstruct A {\n};\n}  // namespace rattleback\n",
                              b="namespace rattleback {\n\nenum class A : int { x };\n}  // namespace rattleback\n")
        self.assertEqual(len(found), 1)
        self.assertIn("b.hpp:3: rattleback::A is defined in rattleback/motion/a.hpp:2 already", found[0])

    def test_declarations_other_namespaces_and_unnamed_ones_may_repeat(self):
        self.assertEqual(self.problems(a="namespace rattleback {\nstruct A {};\n}  // namespace rattleback\n",
                                       b="namespace rattleback {\nstruct A;\n}  // namespace rattleback\n",
                                       c="namespace rattleback::c {\nstruct A {};\n}  // namespace rattleback::c\n",
                                       d="namespace {\nstruct A {};\n}  // namespace\n"), [])


    def test_headers_of_tests_have_a_namespace_of_their_own(self):
        self.write("tests/units/a.hpp", "namespace rattleback::inline tests {\n}  // namespace rattleback::inline tests\n")
        self.write("tests/units/b.hpp", "\nnamespace rattleback {\n}  // namespace rattleback\n")
        found = self.problems()
        self.assertEqual(len(found), 1)
        self.assertIn("tests/units/b.hpp:2: the library's own namespace", found[0])


class Tags(InFolder):
    def problems(self, page, comment):
        self.write("docs/theory/frames.md", page)
        self.write("rattleback/geometry/a.hpp", comment)
        return list(check_tags.problems(self.root))

    def test_defined_tags_are_accepted(self):
        page = "    c_ab^d = θ^d([e_a, e_b])    (F.4)\n$$ x = y \\tag{F.5} $$\n"
        self.assertEqual(self.problems(page, "/// x   (F.4)\n/// by (F.4, F.5)\n"), [])

    def test_missing_tag_is_refused_with_its_place(self):
        self.assertEqual(self.problems("    x = y    (F.4)\n", "\n// (F.40)\n"),
                         ["rattleback/geometry/a.hpp:2: (F.40) is not an equation of docs/theory/"])

    def test_a_citation_in_prose_is_no_definition(self):
        self.assertEqual(len(self.problems("as we saw in (F.4)\n", "// (F.4)\n")), 1)

    def test_second_definition_is_refused(self):
        self.assertEqual(len(self.problems("  x  (F.4)\n  y  (F.4)\n", "")), 1)


class Links(InFolder):
    def problems(self, text):
        self.write("docs/other.md", "# Other\n\n## A heading, with `code`\n")
        self.write("README.md", text)
        return list(check_links.problems(self.root))

    def test_files_headings_and_the_world_are_accepted(self):
        text = "[a](docs/other.md), [b](docs/other.md#a-heading-with-code), [c](https://example.org), `[X, Y](f)`\n"
        self.assertEqual(self.problems(text + "```\n[not](a-link)\n```\n"), [])

    def test_a_missing_file_is_refused(self):
        self.assertEqual(self.problems("see [a](docs/none.md)\n"), ["README.md: the link docs/none.md leads nowhere"])

    def test_a_missing_heading_is_refused(self):
        self.assertEqual(len(self.problems("see [a](docs/other.md#nothing)\n")), 1)


class Models(InFolder):
    whole = ('# One line.\n# Another.\ntitle = "A"\ntheme = "Skates"\nreferences = ["B 1900"]\n'
             '[simulation]\nuntil = 1\n[scene]\nview = "above"\n[known]\ndof = 1\n')

    def problems(self, text, table="## Skates\n\n| `a` | it |\n"):
        self.write("models/README.md", table)
        self.write("models/a.toml", text)
        return list(check_models.problems(self.root))

    def test_a_complete_model_is_accepted(self):
        self.assertEqual(self.problems(self.whole), [])

    def test_whatever_is_missing_is_named(self):
        for part, name in (("# Another.\n", "story"), ('theme = "Skates"\n', "theme"), ('[scene]\nview = "above"\n', "scene"),
                           ("[simulation]\nuntil = 1\n", "simulation"), ("[known]\ndof = 1\n", "known")):
            found = self.problems(self.whole.replace(part, ""))
            self.assertEqual(len(found), 1, found)
            self.assertIn(name, found[0])

    def test_an_abstract_function_runs_by_a_formula(self):
        for function, found in (('V = ["x"]', 1), ('V = { of = ["x"], value = "x^2" }', 0)):
            text = self.whole.replace("[simulation]\n", f"[functions]\n{function}\n[simulation]\n")
            self.assertEqual(len(self.problems(text)), found)

    def test_the_table_and_the_files_agree(self):
        self.assertEqual(len(self.problems(self.whole, "## Wheels\n\n| `a` | it |\n| `b` | that |\n")), 2)


class Ledger(InFolder):
    def problems(self, rows, test, printed="", excused="[general: everywhere]\nFE-6.14\n"):
        header = "\t".join(check_ledger.COLUMNS)
        self.write("tests/literature/ledger.tsv", header + "\n" + "\n".join(rows) + "\n")
        self.write("tests/literature/a.cpp", test)
        self.write("tests/literature/printed_formulas.txt", printed)
        self.write("tests/literature/formulas_without_page.txt", excused)
        return list(check_ledger.problems(self.root))

    def test_known_claims_are_accepted(self):
        row = "FE-6.14\tFernandez\tsec 6\tformula\tx = y\ttrue\t"
        self.assertEqual(self.problems([row], 'TEST_CASE("FE-6.14: it holds")\n'), [])

    def test_unknown_claims_are_refused_with_their_place(self):
        row = "FE-6.14\tFernandez\tsec 6\tformula\tx = y\ttrue\t"
        self.assertEqual(self.problems([row], '\nTEST_CASE("FE-6.15, FE-6.14.")\n'),
                         ["tests/literature/a.cpp:2: FE-6.15 is not in the ledger"])

    def test_broken_rows_are_refused(self):
        row = "FE-6.14\tFernandez\tsec 6\tformula\tx = y\tperhaps\t"
        self.assertEqual(len(self.problems([row, row, "FE-1"], 'TEST_CASE("FE-6.14")\n')), 4)

    def test_every_formula_has_a_page_or_a_reason(self):
        row = "FE-6.14\tFernandez\tsec 6\tformula\tx = y\ttrue\t"
        page, reason = "[FE-6.14, FE-6.15: Fernandez]\nmodel = a\nx' = FE-1.1\n", "[general: x]\nFE-6.14 FE-6.15\n"
        rows = [row, row.replace("6.14", "6.15"), row.replace("6.14", "6.16").replace("formula", "theorem")]
        test = 'TEST_CASE("FE-6.14, FE-6.15")\n'
        self.assertEqual(self.problems(rows, test, page, ""), [])
        self.assertEqual(self.problems(rows, test, "", reason), [])
        self.assertEqual(len(self.problems(rows, test, page, "[general: x]\nFE-6.15\n")), 1)
        self.assertEqual(len(self.problems(rows, test, page, "[general: x]\nFE-6.17\n")), 1)
        self.assertEqual(self.problems(rows, test, "", "[general: x]\nFE-6.15\n"),
                         ["tests/literature/ledger.tsv:2: FE-6.14 has neither a page nor a reason to have none"])

    def test_every_formula_is_a_test_among_the_literature(self):
        row = "FE-6.14\tFernandez\tsec 6\tformula\tx = y\ttrue\t"
        self.write("tests/laws/b.cpp", 'TEST_CASE("FE-6.14")\n')
        self.assertEqual(self.problems([row], ""),
                         ["tests/literature/ledger.tsv:2: no test in tests/literature/ names FE-6.14"])


class Golden(InFolder):
    def setUp(self):
        super().setUp()
        self.program = self.write("bin/rattleback", '#!/bin/sh\necho "out $*"\necho err >&2\ntest "$1" != fail\n')
        self.program.chmod(0o755)

    def replay(self, name, text, update=False):
        file = self.write(name, text)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            wrong = replay.replay(file, self.program, update, 120)
        return wrong, said.getvalue(), file.read_text(encoding="utf-8")

    def test_equal_output_passes(self):
        text = "# comment\n$ rattleback a b\nout a b\nerr\n[exit 0]\n"
        self.assertEqual(self.replay("a.term", text)[0], 0)
        self.assertEqual(self.replay("a.term", "$ rattleback fail\nout fail\nerr\n[exit 1]\n\n$ true\n[exit 0]\n")[0], 0)

    def test_other_output_fails_with_a_diff(self):
        wrong, said, _ = self.replay("a.term", "$ rattleback a\nout b\nerr\n[exit 0]\n")
        self.assertEqual(wrong, 1)
        self.assertIn("-out b\n+out a", said)

    def test_other_exit_code_fails(self):
        self.assertEqual(self.replay("a.term", "$ rattleback fail\nout fail\nerr\n[exit 0]\n")[0], 1)
        self.assertEqual(self.replay("a.term", "$ rattleback fail\nout fail\nerr\n")[0], 1)

    def test_missing_last_line_fails(self):
        self.assertEqual(self.replay("a.term", "$ rattleback a\nout a\n[exit 0]\n")[0], 1)

    def test_dots_match_any_lines_but_not_the_rest(self):
        self.assertEqual(self.replay("a.term", "$ seq 5\n1\n...\n5\n[exit 0]\n")[0], 0)
        self.assertEqual(self.replay("a.term", "$ seq 5\n1\n...\n6\n[exit 0]\n")[0], 1)

    def test_a_file_without_commands_fails(self):
        self.assertEqual(self.replay("a.term", "# nothing\n")[0], 1)

    def test_folder_of_the_same_name_is_there(self):
        self.write("a/model.toml", "x = 1\n")
        self.assertEqual(self.replay("a.term", "$ cat model.toml\nx = 1\n[exit 0]\n")[0], 0)

    def test_blocks_of_a_page(self):
        page = "```toml m.toml\ny = 2\n```\ntext\n```console\n$ cat m.toml\ny = 2\n```\n```sh\n$ false\n```\n"
        self.assertEqual(self.replay("p.md", page)[0], 0)
        self.assertEqual(self.replay("p.md", page.replace("y = 2\n```\n```sh", "y = 3\n```\n```sh"))[0], 1)

    def test_update_rewrites_outputs_and_nothing_else(self):
        page = "# T\n\n```toml m.toml\ny = 2\n```\n```console\n$ cat m.toml\nold\n$ seq 3\n1\n...\n$ false\n```\nend\n"
        wrong, _, text = self.replay("p.md", page, update=True)
        self.assertEqual(wrong, 0)
        self.assertEqual(text, page.replace("old", "y = 2").replace("$ false\n", "$ false\n[exit 1]\n"))
        self.assertEqual(self.replay("p.md", text)[0], 0)


if __name__ == "__main__":
    unittest.main()
