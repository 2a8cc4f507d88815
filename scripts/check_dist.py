"""Check the wheel and the source archive in dist/: what is in them, that they install, and that each extra works alone.

`make dist` builds both and runs this. Each installation gets an environment of its own, made and removed here.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 1 << 20
# What the package reads at run time and would miss only when a user asks for it.
NEEDED = (
    "howsure/py.typed",
    "howsure/__init__.pyi",
    "howsure/cli/example/tumours.csv",
    "howsure/cli/example/digits.csv",
    "howsure/reports/page/templates/page.html.jinja",
    "howsure/reports/page/templates/script.js",
    "howsure/reports/page/templates/sort.js",
    "howsure/reports/page/templates/style.css",
    "howsure/reports/schemas/report.schema.json",
    "howsure/reports/schemas/comparison.schema.json",
    "howsure/web/static/app.js",
    "howsure/web/static/index.html",
    "howsure/web/static/style.css",
)
UNWANTED = ("__pycache__", ".pyc", ".venv", ".hypothesis", ".png", ".git/", "site/", ".so", ".parquet", ".ipynb")
FACT = "import howsure as hs; e = hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), 'f1', method='wilson')\n"
# Lam, Gopal and Qian (2024), section 5: F1 0.740 with the limits 0.669 and 0.801.
CORE = FACT + "assert (round(e.value, 3), round(e.low, 3), round(e.high, 3)) == (0.740, 0.669, 0.801), repr(e)\n"
ROWS = "truth,A\n1,1\n0,0\n1,0\n1,1\n"
FILES = (
    "import howsure as hs, pathlib, pyarrow as pa, pyarrow.parquet as pq\n"
    f"pathlib.Path('a.csv').write_text({ROWS!r})\n"
    "assert hs.estimate(hs.read('a.csv', truth='truth', predictions=['A']), 'accuracy').value == 0.75\n"
    "pq.write_table(pa.table({'y': [1, 0, 1, 1], 'p': [1, 0, 0, 1]}), 'a.parquet')\n"
    "assert hs.estimate(hs.read('a.parquet', truth='y', predictions=['p']), 'accuracy').value == 0.75\n"
)
STUDY = (
    "import howsure as hs, joblib\n"
    "rows = hs.study('f1', methods=['wilson'], population=dict(tp=.4, fp=.1, fn=.1, tn=.4), n=[25])\n"
    "assert 0.9 < rows[0].coverage < 1, rows\n"
)
PROBES = {
    "cli": "import runpy, sys; sys.argv = 'howsure counts --tp 77 --fp 44 --fn 10 --tn 702'.split()\n"
    "runpy.run_module('howsure', run_name='__main__')\n",
    "files": FILES,
    "figures": FACT + "import matplotlib; matplotlib.use('svg'); assert e.plot() is not None\n",
    "page": FACT + "assert 'Scores with intervals' in hs.Report((e,), 0.95).to_html()\n",
    "studies": STUDY,
    "web": "from howsure.web.app import application; assert application().openapi()['paths']\n",
    "crf": "import pycrfsuite, howsure\n",
    "all": CORE + FILES + STUDY,
}


def contents(archive: Path) -> dict[str, int]:
    """Return the files of an archive by their path without its first folder (of an sdist), and their sizes."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {one.filename: one.file_size for one in wheel.infolist()}
    with tarfile.open(archive) as source:
        return {one.name.partition("/")[2]: one.size for one in source.getmembers() if one.isfile()}


def faults(archive: Path) -> list[str]:
    """Return what is wrong with the content of a wheel or a source archive; nothing if all is well."""
    held = contents(archive)
    below = "" if archive.suffix == ".whl" else "src/"
    found = [f"{archive.name} misses {name}" for name in NEEDED if below + name not in held]
    found += [f"{archive.name} holds {name}" for name in held if any(part in name for part in UNWANTED)]
    found += [f"{archive.name}: {name} has {size} bytes" for name, size in held.items() if size > MEGABYTE / 2]
    if archive.stat().st_size > 3 * MEGABYTE:
        found.append(f"{archive.name} has {archive.stat().st_size} bytes; 3 MB are the most")
    package = {f"howsure/{path.relative_to(ROOT / 'src' / 'howsure').as_posix()}" for path in _modules()}
    found += [f"{archive.name} misses the module {name}" for name in sorted(package) if below + name not in held]
    if archive.suffix == ".whl":
        strange = {name for name in held if not name.startswith("howsure")}
        found += [f"{archive.name} installs {name} beside the package" for name in sorted(strange)]
    return found


def _modules() -> list[Path]:
    return [path for path in (ROOT / "src" / "howsure").rglob("*.py") if "__pycache__" not in path.parts]


def metadata(wheel: Path) -> dict[str, str]:
    """Return the headers of a wheel's metadata."""
    with zipfile.ZipFile(wheel) as opened:
        name = next(one for one in opened.namelist() if one.endswith(".dist-info/METADATA"))
        return dict(HeaderParser().parsestr(opened.read(name).decode("utf-8")).items())


class Environment:
    """An empty environment with one installation in it."""

    def __init__(self, folder: str, requirement: str, *tools: str) -> None:
        self.folder = Path(folder)
        venv.create(self.folder, with_pip=False, clear=True)
        self.python = self.folder / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", requirement, *tools], check=True)

    def conflicts(self) -> list[str]:
        """Return what `pip check` finds: packages that do not go together."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check", "check"]
        ended = subprocess.run(pip, capture_output=True, text=True)
        return [] if ended.returncode == 0 else [f"pip check: {ended.stdout.strip()}"]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run its Python away from the sources, so that only what was installed is found."""
        return self._ended(str(self.python), "-W", "error", *arguments)

    def howsure(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command that the installation put beside its Python."""
        return self._ended(str(self.python.with_name("howsure")), *arguments)

    def _ended(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600)


def check_core(environment: Environment) -> list[str]:
    """Check the library without an extra: it computes, and says what is missing in one sentence."""
    (environment.folder / "a.csv").write_text(ROWS, encoding="utf-8")
    found = _failed("core", environment.run("-c", CORE))
    found += _unhelpful("python -m howsure", environment.run("-m", "howsure"), "howsure[cli]")
    found += _unhelpful("howsure", environment.howsure("report", "a.csv"), "howsure[cli]")
    for call, remedy in (
        ("e.plot()", "howsure[figures]"), ("hs.Report((e,), 0.95).to_html()", "howsure[page]"),
        ("hs.Report((e,), 0.95).to_frame()", "pip install pandas"), ("hs.read('a.csv')", "howsure[files]"),
    ):  # fmt: skip
        said = environment.run("-c", FACT + call).stderr.strip()
        found += [] if remedy in said.splitlines()[-1] else [f"{call} without its package: {said[-300:]}"]
    return found


def check_command(environment: Environment) -> list[str]:
    """Check the command with the extra cli alone: it reports on a CSV file, writes the page, names the other extras."""
    (environment.folder / "a.csv").write_text(ROWS, encoding="utf-8")
    found = _failed("howsure report", environment.howsure("report", "a.csv", "--html", "a.html"))
    for arguments, extra in ((("serve",), "web"), (("report", "a.csv", "--plot", "a.svg"), "figures")):
        found += _unhelpful(f"howsure {' '.join(arguments)}", environment.howsure(*arguments), f"howsure[{extra}]")
    return found


def _unhelpful(what: str, ended: subprocess.CompletedProcess[str], remedy: str) -> list[str]:
    """Say if a command that misses a package does anything but end with 2 and one line that holds the remedy."""
    *notes, last = ended.stderr.strip().splitlines() or [""]
    if ended.returncode == 2 and remedy in last and all(line.startswith("note:") for line in notes):
        return []
    return [f"{what} without {remedy} gives {ended.returncode}: {ended.stderr.strip()[-1500:]}"]


def _failed(what: str, ended: subprocess.CompletedProcess[str]) -> list[str]:
    if ended.returncode == 0:
        return []
    return [f"{what}: exit {ended.returncode}\n{(ended.stdout + ended.stderr).strip()[-1500:]}"]


def check_everything(environment: Environment) -> list[str]:
    """Check the full installation: demo, version, and a typed program that runs and passes mypy and pyright."""
    found = _failed("demo", environment.run("-m", "howsure", "demo"))
    for ended in (environment.run("-m", "howsure", "--version"), environment.howsure("--version")):
        if _version() not in ended.stdout:
            found.append(f"howsure --version says {ended.stdout.strip()!r}, version.py {_version()}")
    client = (ROOT / "scripts" / "typed_client.py").read_text(encoding="utf-8")
    (environment.folder / "client.py").write_text(client, encoding="utf-8")
    found += _failed("the typed client", environment.run("client.py"))
    (environment.folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    for checker in (("mypy", "--strict"), ("pyright", "--pythonpath", str(environment.python))):
        typed = environment.run("-W", "default", "-m", *checker, "client.py")
        found += [] if typed.returncode == 0 else [f"{checker[0]} of a client: {typed.stdout[-1500:]}"]
    return found


def _version() -> str:
    return (ROOT / "src" / "howsure" / "version.py").read_text(encoding="utf-8").split('"')[-2]


def installed(archive: Path, extras: Sequence[str]) -> list[str]:
    """Install an archive with each extra in turn ('' for none) and return what does not work."""
    found = []
    for extra in extras:
        print(f"installing {archive.name} with {f'the extra {extra}' if extra else 'no extra'}", flush=True)
        with tempfile.TemporaryDirectory(prefix="howsure-dist-") as folder:
            requirement = f"howsure[{extra}] @ {archive.as_uri()}" if extra else str(archive)
            tools = ["mypy", "pyright[nodejs]"] if extra == "all" else []
            environment = Environment(folder, requirement, *tools)
            wrong = check_core(environment) if not extra else _failed(extra, environment.run("-c", PROBES[extra]))
            wrong += check_command(environment) if extra == "cli" else []
            wrong += check_everything(environment) if extra == "all" else []
            wrong += environment.conflicts()
        found += [f"{archive.name}[{extra}] {one}" for one in wrong]
    return found


def main() -> None:
    """Check what dist/ holds; end with 1 and the list of faults if there are any."""
    wheel, source = (next((ROOT / "dist").glob(f"howsure-{_version()}{end}")) for end in ("-*.whl", ".tar.gz"))
    found = faults(wheel) + faults(source)
    if metadata(wheel)["Version"] != _version():
        found.append(f"the wheel says version {metadata(wheel)['Version']}, version.py {_version()}")
    found += _failed("twine", subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(source)], capture_output=True, text=True
    ))  # fmt: skip
    found += _failed("check-wheel-contents", subprocess.run(
        [sys.executable, "-m", "check_wheel_contents", str(wheel)], capture_output=True, text=True
    ))  # fmt: skip
    if "--content" not in sys.argv[1:]:
        found += installed(wheel, ("", *PROBES))
        found += installed(source, ("", "all"))
    print("\n".join(found) or "wheel and source archive are sound")
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
