# Spack recipe: copy this folder to packages/solo of a repository, the release tarball (ports/packages/tarball.sh)
# to a mirror or to url; spack install --no-checksum solo
import os

from spack.package import *

try:  # Spack 1.0
    from spack_repo.builtin.build_systems.generic import Package
except ImportError:
    pass


class Solo(Package):
    """OpenMP target offload runtime: the drop-in replacement for LLVM's libomptarget, as one
    statically linkable C library, with compiler wrappers that make fully static programs."""

    homepage = "https://solo.invalid"
    license("Apache-2.0 WITH LLVM-exception")

    version("1.0.0-rc1", url="file:///solo-1.0.0-rc1.tar.gz", expand=True)

    variant("cuda", default=True, description="NVIDIA devices (the driver is found at run time)")
    variant("hsa", default=False, description="AMD devices")
    variant("musl", default=False, description="fully static programs with musl")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("ninja", type="build")
    depends_on("llvm@19 +clang +lld", type=("build", "run"))
    depends_on("binutils", type=("build", "run"))
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("hsa-rocr-dev", when="+hsa")
    depends_on("musl", when="+musl")

    conflicts("platform=darwin", msg="Linux only")

    def install(self, spec, prefix):
        # Spack's LLVM has no version suffixes
        names = join_path(os.getcwd(), "build", "names")
        mkdirp(names)
        for tool in (
            "clang", "clang++", "clang-offload-packager", "ld.lld", "llvm-ar", "llvm-as",
            "llvm-dis", "llvm-link", "llvm-objcopy",
        ):
            symlink(join_path(spec["llvm"].prefix.bin, tool), join_path(names, tool + "-19"))
        os.environ["PATH"] = names + os.pathsep + os.environ["PATH"]

        backends = [name for name in ("cuda", "hsa") if "+" + name in spec] + ["host"]
        configure = Executable("./configure.sh")
        configure(
            "--no-tests",
            "--mpi=none",
            "--prefix=" + prefix,
            "--backends=" + ",".join(backends),
            "--libc=" + ("both" if "+musl" in spec else "glibc"),
        )
        ninja()
        ninja("install")

    def setup_run_environment(self, env):
        # solo-c++ derives clang++
        env.set("SOLO_CLANG", join_path(self.spec["llvm"].prefix.bin, "clang"))
