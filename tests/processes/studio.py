"""The studio's server: who is answered, what is refused, and what survives.

    studio.py PROGRAM
"""

import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1))
SLEIGH = subprocess.run([PROGRAM, "models", "chaplygin-sleigh"], capture_output=True, text=True, check=True).stdout


class Studio:
    def __init__(self, folder, *options, **how):
        self.process = subprocess.Popen([PROGRAM, "studio", "--no-browser", *options], cwd=folder, stdout=subprocess.PIPE,
                                        text=True, **how)
        line = self.process.stdout.readline()
        self.port, self.token = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", line).groups()
        self.port = int(self.port)

    def ask(self, method, path, body=None, token=True, host=None, origin=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"X-Rattleback-Token": self.token} if token is True else {"X-Rattleback-Token": token} if token else {}
        if host:
            headers["Host"] = host
        if origin:
            headers["Origin"] = origin
        data = json.dumps(body) if body is not None else None
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, content

    def job(self, **request):
        status, content = self.ask("POST", "/api/job", request)
        assert status == 200, content
        output, end = content.rsplit(b"\x1e", 1)
        return output.decode(), json.loads(end)

    def children(self):
        pids = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True).stdout
        return [int(p) for p in pids.split()]

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        self.process.stdout.close()
        return code


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.box.name) / "models"
        cls.folder.mkdir()
        (Path(cls.box.name) / "secret.toml").write_text("secret")
        (cls.folder / "link.toml").symlink_to(Path(cls.box.name) / "secret.toml")
        (cls.folder / "mine.toml").write_text(SLEIGH)
        cls.studio = Studio(cls.folder)

    @classmethod
    def tearDownClass(cls):
        code = cls.studio.close()
        cls.box.cleanup()
        assert code == 0, code

    def test_page_needs_the_token(self):
        self.assertEqual(self.studio.ask("GET", "/", token=None)[0], 403)
        self.assertEqual(self.studio.ask("GET", "/?token=" + "0" * 32, token=None)[0], 403)
        status, page = self.studio.ask("GET", f"/?token={self.studio.token}", token=None)
        self.assertEqual(status, 200)
        self.assertNotIn(self.studio.token.encode(), page)
        for path in ("/api/start", "/api/files", "/api/file?name=mine.toml"):
            self.assertEqual(self.studio.ask("GET", path, token=None)[0], 403, path)
            self.assertEqual(self.studio.ask("GET", path, token="f" * 32)[0], 403, path)
            self.assertEqual(self.studio.ask("GET", path)[0], 200, path)

    def test_foreign_hosts_and_origins(self):
        own = f"127.0.0.1:{self.studio.port}"
        self.assertEqual(self.studio.ask("GET", "/api/start", host="evil.example")[0], 421)
        self.assertEqual(self.studio.ask("GET", "/api/start", host=f"evil.example:{self.studio.port}")[0], 421)
        for origin in ("http://evil.example", "null", f"http://{own}.evil.example", f"https://{own}"):
            self.assertEqual(self.studio.ask("POST", "/api/job", {}, origin=origin)[0], 403, origin)
        self.assertEqual(self.studio.ask("GET", "/api/start", origin=f"http://{own}")[0], 200)

    def test_no_path_leaves_the_folder(self):
        for name in ("../secret.toml", "/etc/passwd", "..%2fsecret.toml", "link.toml", "a/../../secret.toml", ".hidden.toml", "mine.txt", ""):
            self.assertIn(self.studio.ask("GET", f"/api/file?name={name}")[0], (400, 404), name)
        for name in ("../new.toml", "/tmp/new.toml", "link.toml", "a\u0000b.toml", "x.sh"):
            self.assertEqual(self.studio.ask("POST", "/api/save", {"name": name, "text": "x", "before": "*"})[0], 400, name)
        self.assertEqual((Path(self.box.name) / "secret.toml").read_text(), "secret")
        self.assertEqual(self.studio.ask("GET", "/api/model?name=../secret")[0], 404)

    def test_saving(self):
        save = lambda **request: self.studio.ask("POST", "/api/save", request)
        status, content = save(name="new.toml", text="one", before="")
        self.assertEqual(status, 200)
        self.assertEqual((self.folder / "new.toml").read_text(), "one")
        self.assertEqual(save(name="new.toml", text="two", before="")[0], 409)  # it is not new any more
        self.assertEqual(save(name="new.toml", text="two", before=json.loads(content)["saved"])[0], 200)
        (self.folder / "new.toml").write_text("somebody else")
        self.assertEqual(save(name="new.toml", text="three", before=json.loads(content)["saved"])[0], 409)
        self.assertEqual((self.folder / "new.toml").read_text(), "somebody else")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith(".")], [])

    def test_a_full_disk_loses_nothing(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        studio = Studio(self.folder, preexec_fn=small_files)
        (self.folder / "kept.toml").write_text("kept")
        status, content = studio.ask("POST", "/api/save", {"name": "kept.toml", "text": "x" * 100_000, "before": "*"})
        self.assertEqual(status, 507, content)
        self.assertEqual((self.folder / "kept.toml").read_text(), "kept")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith(".")], [])
        studio.close()

    def test_large_and_broken_requests(self):
        for head, status in ((b"POST /api/job HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n", 413),
                             (b"GET / HTTP/1.1\r\nA: " + b"x" * 40_000 + b"\r\n\r\n", 431),
                             (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
                             (b"nonsense\r\n\r\n", 400), (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400)):
            with socket.create_connection(("127.0.0.1", self.studio.port), timeout=20) as s:
                s.sendall(head)
                self.assertIn(str(status).encode(), s.recv(100), head[:40])
        with socket.create_connection(("127.0.0.1", self.studio.port), timeout=20) as s:  # a hundred megabytes, really sent
            s.sendall(b"POST /api/job HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n")
            try:
                for _ in range(100):
                    s.sendall(b"x" * 1_048_576)
            except OSError:
                pass
        self.assertEqual(self.studio.ask("GET", "/api/files")[0], 200)

    def test_half_open_connections_and_fifty_tabs(self):
        waiting = []
        for k in range(80):
            s = socket.create_connection(("127.0.0.1", self.studio.port), timeout=30)
            s.sendall(b"GET /api/start HTTP/1.1\r\nHo"[:k % 20])
            waiting.append(s)
        tabs = []
        for _ in range(50):
            connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=60)
            connection.request("GET", "/api/files", headers={"X-Rattleback-Token": self.studio.token})
            tabs.append(connection)
        for connection in tabs:
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        tabs = []
        for _ in range(50):  # each of them types
            connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=120)
            connection.request("POST", "/api/job", json.dumps({"action": "check", "text": SLEIGH, "name": "s.toml"}),
                               {"X-Rattleback-Token": self.studio.token})
            tabs.append(connection)
        for connection in tabs:
            output, end = connection.getresponse().read().rsplit(b"\x1e", 1)
            self.assertEqual(json.loads(end)["exit"], 0)
            self.assertTrue(json.loads(output.splitlines()[0])["read"])
            connection.close()
        began = time.time()
        waiting[19].settimeout(30)
        self.assertEqual(waiting[19].recv(10), b"")  # after its timeout the server hangs up
        self.assertLess(time.time() - began, 25)
        for s in waiting:
            s.close()

    def test_computations(self):
        out, end = self.studio.job(action="check", text=SLEIGH, name="sleigh.toml")
        first = json.loads(out.splitlines()[0])
        self.assertTrue(first["read"])
        self.assertIn("theta'", [n["name"] for n in first["names"]])
        broken = SLEIGH.replace("J + m*a^2)*theta'", "J + m*a^2)*thetta'")
        problem = json.loads(self.studio.job(action="check", text=broken, name="sleigh.toml")[0].splitlines()[0])["problems"][0]
        place = problem["places"][0]
        line = broken.splitlines()[place["line"] - 1]
        self.assertEqual(line[place["column"] - 1:place["column"] - 1 + place["length"]], "thetta'")
        out, end = self.studio.job(action="film", text=SLEIGH, name="sleigh.toml", set={"a": "0.3"}, initial={"u": "1", "omega": "0.5"})
        self.assertEqual(end["exit"], 0)
        self.assertAlmostEqual(json.loads(out)["data"]["film"]["series"]["omega"][0], 0.5)
        state = ["x", "y", "theta", "u", "omega"]
        starts = [[0, 0, 0, 1, 0.001 * k] for k in range(1000)]
        out, end = self.studio.job(action="cloud", text=SLEIGH, name="sleigh.toml", state=state, starts=starts, x="u", y="omega", frames=5, until=2)
        head, *frames = map(json.loads, out.splitlines())
        self.assertEqual(head, {"members": 1000, "lanes": True, "frames": 5})
        self.assertEqual([f["t"] for f in frames], [0, 0.5, 1, 1.5, 2])
        self.assertAlmostEqual(frames[4]["px"][0], 2)  # straight on with speed 1
        for wrong in ({"state": state[1:]}, {"x": "nothing"}, {"starts": [[1, 2]]}):
            request = dict(action="cloud", text=SLEIGH, name="s.toml", state=state, starts=starts[:2], x="u", y="omega")
            self.assertEqual(self.studio.job(**{**request, **wrong})[1]["exit"], 2, wrong)
        # Dry friction: a block that sticks does not hold up the others.
        block = """lagrangian = "x'^2/2 - x^2/2"
[space]
x = "R"
[forces]
x = "-sign(x')/2"
[simulation]
initial = { x = 1, "x'" = 0 }
"""
        out, end = self.studio.job(action="cloud", text=block, name="block.toml", state=["x", "x'"], starts=[[1.2, 0], [2, 0]], x="x", y="x'",
                                   frames=4, until=12)
        last = json.loads(out.splitlines()[-1])
        self.assertEqual((end["exit"], last["t"]), (0, 12), out)
        self.assertAlmostEqual(last["x"][0], -0.2)  # half a turn about 1/2, then it stays
        self.assertAlmostEqual(last["x"][1], 0)  # two of them: 2, -1, 0
        out, end = self.studio.job(action="prove", text=SLEIGH, name="sleigh.toml", kind="zero", claim="-y'*cos(theta) + x'*sin(theta)")
        self.assertEqual(json.loads(out)["verdict"], "proved")
        out, end = self.studio.job(action="analyze", text=SLEIGH, name="sleigh.toml", question="energy,integrability")
        self.assertEqual([list(json.loads(l)["questions"]) for l in out.splitlines()], [["energy"], ["integrability"]])
        for request in ({"action": "shell"}, {"action": "derive", "text": SLEIGH, "name": "x", "format": "--help"},
                        {"action": "sweep", "text": SLEIGH, "name": "x", "x": "--output=/tmp/x", "y": "b", "keep": "c"}, [], {"action": "check"}):
            status, content = self.studio.ask("POST", "/api/job", request)
            self.assertTrue(status == 400 or json.loads(content.rsplit(b"\x1e", 1)[1])["exit"] == 2, request)

    def test_a_crash_of_a_computation(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=60)
        request = {"action": "analyze", "text": subprocess.run([PROGRAM, "models", "bicycle"], capture_output=True, text=True).stdout,
                   "name": "b.toml", "question": "all", "seconds": 100}
        connection.request("POST", "/api/job", json.dumps(request), {"X-Rattleback-Token": self.studio.token})
        deadline = time.time() + 30
        while not self.studio.children() and time.time() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        for pid in self.studio.children():
            os.kill(pid, signal.SIGSEGV)
        end = json.loads(connection.getresponse().read().rsplit(b"\x1e", 1)[1])
        self.assertEqual(end.get("signal"), signal.SIGSEGV, end)
        self.assertEqual(self.studio.ask("GET", "/api/files")[0], 200)

        connection.request("POST", "/api/job", json.dumps(request), {"X-Rattleback-Token": self.studio.token})
        while not self.studio.children() and time.time() < deadline + 30:
            time.sleep(0.05)
        connection.close()  # the reader stops the question by going away
        deadline = time.time() + 20
        while self.studio.children() and time.time() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.studio.children(), [])

    def test_the_process_of_a_film_stays(self):
        text = subprocess.run([PROGRAM, "models", "chaplygin-sleigh"], capture_output=True, text=True).stdout
        for pid in self.studio.children():
            os.kill(pid, signal.SIGKILL)
        first, end = self.studio.job(action="film", text=text, name="s.toml")
        self.assertEqual(end, {"exit": 0})
        kept = self.studio.children()
        self.assertEqual(len(kept), 1)
        plain = json.loads(first)["data"]["film"]["series"]
        slid, end = self.studio.job(action="film", text=text, name="s.toml", live=False, set={"a": "0.4"}, initial={"u": "0.5", "omega": "0.2"})
        self.assertEqual(end, {"exit": 0})
        self.assertEqual(self.studio.children(), kept, "the same process")
        series = json.loads(slid)["data"]["film"]["series"]
        self.assertEqual((series["u"][0], series["omega"][0]), (0.5, 0.2))
        alone, _ = self.studio.job(action="film", text=text, name="s.toml", live=False, keep=False, set={"a": "0.4"},
                                   initial={"u": "0.5", "omega": "0.2"})
        self.assertEqual(json.loads(alone)["data"]["film"], json.loads(slid)["data"]["film"], "as a process of its own computes it")
        draft, end = self.studio.job(action="film", text=text, name="s.toml", live=False, draft=True, set={"a": "0.4"},
                                     initial={"u": "0.5", "omega": "0.2"})
        self.assertEqual(end, {"exit": 0})
        rough = json.loads(draft)["data"]["film"]["series"]
        self.assertEqual(len(rough["t"]), 240)
        self.assertGreater(len(series["t"]), 240)
        for name in ("u", "omega"):
            self.assertEqual(rough[name][0], series[name][0])
            self.assertAlmostEqual(rough[name][-1], series[name][-1], delta=1e-4)
        again, _ = self.studio.job(action="film", text=text, name="s.toml")
        self.assertEqual(json.loads(again)["data"]["film"]["series"], plain, "the model's own values are not lost")
        wrong, end = self.studio.job(action="film", text=text, name="s.toml", live=False, initial={"q": "1"})
        self.assertEqual(end["exit"], 2)
        self.assertIn("q", json.loads(wrong)["problems"][0]["summary"])
        os.kill(kept[0], signal.SIGSEGV)
        after, end = self.studio.job(action="film", text=text, name="s.toml", live=False)
        self.assertEqual(end, {"exit": 0}, "another process takes over")
        self.assertEqual(json.loads(after)["data"]["film"]["series"]["t"], plain["t"])
        for k in range(6):  # many texts
            self.studio.job(action="film", text=text + f"# {k}\n", name="s.toml", live=False)
        self.assertLessEqual(len(self.studio.children()), 3)

    def test_the_film_of_the_opened_model_begins_at_once(self):
        studio = Studio(self.folder, "mine.toml")
        deadline = time.time() + 30
        while not studio.children() and time.time() < deadline:
            time.sleep(0.02)
        begun = studio.children()
        self.assertEqual(len(begun), 1, "a process begins before anybody asks")
        out, end = studio.job(action="film", text=SLEIGH, name="mine.toml")  # while it may still be busy
        self.assertEqual(end, {"exit": 0})
        self.assertEqual(studio.children(), begun, "and makes the film")
        plain, _ = self.studio.job(action="film", text=SLEIGH, name="mine.toml", keep=False)
        self.assertEqual(json.loads(out)["data"], json.loads(plain)["data"], "the same film")
        self.assertEqual(studio.close(), 0)
        # A model that takes a while: when the page asks, its film is there.
        studio = Studio(self.folder, "bicycle-with-tyres")
        text = subprocess.run([PROGRAM, "models", "bicycle-with-tyres"], capture_output=True, text=True).stdout
        def used():
            return sum(map(int, Path(f"/proc/{begun[0]}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        while not (begun := studio.children()) and time.time() < deadline:
            time.sleep(0.02)
        before, deadline = -1, time.time() + 60
        while used() > before and time.time() < deadline:  # until it rests
            before = used()
            time.sleep(1)
        out, end = studio.job(action="film", text=text, name="bicycle-with-tyres.toml", fly=False)
        self.assertEqual(end, {"exit": 0})
        self.assertIn("script", json.loads(out))
        self.assertEqual(studio.children(), begun)
        self.assertLess(used() - before, 5, "hundredths of a second: it is printed, not computed")
        self.assertEqual(studio.close(), 0)
        (self.folder / "broken.toml").write_text("nonsense")
        studio = Studio(self.folder, "broken.toml")
        out, end = studio.job(action="film", text="nonsense", name="broken.toml")
        self.assertEqual(end["exit"], 2)
        self.assertIn("problems", json.loads(out))
        self.assertEqual(studio.close(), 0)

    def test_a_draft_of_a_motion_whose_speeds_meet_a_pole(self):
        text = subprocess.run([PROGRAM, "models", "bicycle"], capture_output=True, text=True).stdout
        self.studio.job(action="film", text=text, name="bicycle.toml")
        draft, end = self.studio.job(action="film", text=text, name="bicycle.toml", live=False, draft=True, set={"w": "1.3"})
        self.assertEqual(end, {"exit": 0}, "it goes over; the draft shows as much as comes within its time")
        t = json.loads(draft)["data"]["film"]["t"]
        self.assertGreater(t[-1], 0.3)

    def test_a_film_that_nobody_waits_for(self):
        text = subprocess.run([PROGRAM, "models", "chaplygin-sleigh"], capture_output=True, text=True).stdout
        self.studio.job(action="film", text=text, name="s.toml")
        for _ in range(5):  # a slider moves on before the film has come
            connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=60)
            connection.request("POST", "/api/job", json.dumps({"action": "film", "text": text, "name": "s.toml", "live": False, "until": 500}),
                               {"X-Rattleback-Token": self.studio.token})
            connection.close()
        found, end = self.studio.job(action="film", text=text, name="s.toml", live=False, set={"a": "0.3"})
        self.assertEqual(end, {"exit": 0})
        self.assertGreater(len(json.loads(found)["data"]["film"]["t"]), 100)

    def test_other_hosts_need_a_word(self):
        refused = subprocess.run([PROGRAM, "studio", "--no-browser", "--host", "0.0.0.0"], capture_output=True, text=True, timeout=30)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--i-know", refused.stderr)

    def test_zz_idle_costs_nothing(self):
        used = lambda: sum(map(int, Path(f"/proc/{self.studio.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        time.sleep(0.3)
        before = used()
        time.sleep(1.5)
        self.assertLessEqual(used() - before, 1)


if __name__ == "__main__":
    unittest.main()
