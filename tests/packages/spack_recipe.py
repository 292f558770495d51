"""Runs Spack's recipe without Spack: spack_recipe.py RECIPE VERSION PREFIX

Replaces spack.package and runs the commands in the folder of the sources. Prints the environment for programs."""
import os
import subprocess
import sys
import types

recipe, version_wanted, prefix_name = sys.argv[1:]
seen = {"versions": [], "depends": []}


class Prefix(str):
    @property
    def bin(self):
        return Prefix(os.path.join(self, "bin"))


class Executable:
    def __init__(self, name):
        self.name = name

    def __call__(self, *arguments):
        subprocess.run([self.name, *arguments], check=True)


class Spec(dict):
    """The default variants."""

    def __contains__(self, what):
        return what == "+cuda"


class Environment:
    def set(self, name, value):
        print(f"{name}={value}")


class Package:
    pass


def remember(kind):
    return lambda *arguments, **options: seen[kind].append(arguments[0])


def ignore(*arguments, **options):
    pass


api = types.ModuleType("spack.package")
api.__dict__.update(
    Package=Package, Executable=Executable, version=remember("versions"),
    depends_on=remember("depends"), license=ignore, variant=ignore, conflicts=ignore,
    join_path=os.path.join, symlink=os.symlink, mkdirp=lambda path: os.makedirs(path, exist_ok=True),
    ninja=Executable("ninja"),
)
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = api
scope = {}
with open(recipe) as file:
    exec(compile(file.read(), recipe, "exec"), scope)
assert seen["versions"] == [version_wanted], f"version is {seen['versions']}, not {version_wanted}"
solo = scope["Solo"]()
solo.spec = Spec(llvm=types.SimpleNamespace(prefix=Prefix("/usr/lib/llvm-19")))
sys.stdout.flush()
with open("spack.log", "w") as log:
    kept = os.dup(1)
    os.dup2(log.fileno(), 1)
    solo.install(solo.spec, Prefix(prefix_name))
    os.dup2(kept, 1)
solo.setup_run_environment(Environment())
