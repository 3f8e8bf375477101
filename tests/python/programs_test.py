"""Functions that the installed program carries out."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from needed import Case, mesh

import wormcast as wc

PROGRAM = pathlib.Path(os.environ["WORMCAST_PROGRAM"])


class Programs(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_contention(self):
        (self.folder / "c.toml").write_text(wc.toml(mesh()))
        subprocess.run([PROGRAM, "run", "c.toml", "--set", "algorithm.name=flooding", "--set", "run.mode=self_timed",
                        "--trace", "c.trace"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        summary = wc.contention(self.folder / "c.trace", top=2)
        self.assertEqual(summary.as_dict()["format"], "wormcast-contention/1")
        self.assertLessEqual(len(summary.as_dict()["waits"]), 2)
        self.assertIn("mesh 8 x 8, 64 nodes", str(summary))
        self.fails(wc.InputError, "cannot be read", wc.contention, self.folder / "none")
        self.fails(wc.InputError, "top: found 0", wc.contention, self.folder / "c.trace", top=0)

    def test_reproduce(self):
        if not PROGRAM.with_name("wormcast-reproduce").exists():
            self.skipTest("this build has no wormcast-reproduce")
        claims = wc.reproduce("zhuang_liberatore.contention_free_in_steps", jobs=1).check()
        self.assertEqual(repr(claims), "<wormcast.Reproduction: 1 claim over name>")
        self.assertEqual(claims.column("verdict"), ["confirmed"])
        self.assertEqual(len(claims.as_dict()["claims"]), 1)
        self.fails(wc.InputError, "there is no claim or paper \"none\"", wc.reproduce, "none")

    def test_collectives(self):
        try:
            table = wc.collectives(mesh(), lengths="64,1KiB", algorithms=["binomial_tree"], ranks=4)
        except wc.InputError as error:
            self.assertRegex(str(error), "smpirun|smpicxx")
            self.skipTest(str(error))
        self.assertEqual(table.column("bytes"), [64, 1024])
        self.assertEqual(table.failed, [])
        self.assertIn("bcast among 4 ranks on mesh 8 x 8", str(table))
        self.fails(wc.InputError, "lengths", wc.collectives, mesh(), lengths="x")


if __name__ == "__main__":
    unittest.main()
