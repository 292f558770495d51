# Spack recipe: put this folder into a repository as packages/solo, then: spack install solo
from spack.package import *


class Solo(Package):
    """OpenMP target offload runtime: the drop-in replacement for LLVM's libomptarget, as one
    statically linkable C library, with compiler wrappers that make fully static programs."""

    homepage = "https://solo.invalid"
    license("Apache-2.0 WITH LLVM-exception")

    # the tarball that ports/packages/tarball.sh makes: spack mirror, or a file beside this one
    version("0.1.0", url="file:///solo-0.1.0.tar.gz", expand=True)

    variant("cuda", default=True, description="NVIDIA devices (the driver is found at run time)")
    variant("hsa", default=False, description="AMD devices")
    variant("musl", default=False, description="fully static programs with musl")

    depends_on("c", type="build")
    depends_on("ninja", type="build")
    depends_on("llvm@19 +clang +lld", type=("build", "run"))
    depends_on("binutils", type=("build", "run"))
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("hsa-rocr-dev", when="+hsa")
    depends_on("musl", when="+musl")

    conflicts("platform=darwin", msg="Linux only")

    def install(self, spec, prefix):
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
