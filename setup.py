"""Builds the wheel: CMake makes the module heddle._heddle, in build/wheel, and the rest is in pyproject.toml."""
import pathlib
import re
import shutil
import subprocess
import sys

import pybind11
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / "build" / "wheel"


def version():
    """That of tools/version, as Python writes it: 0.1, or 0.1.dev468+gb12f018 before it."""
    text = subprocess.run([ROOT / "tools" / "version"], check=True, capture_output=True, text=True).stdout.strip()
    return re.sub(r"~(\d+)\.(\w+)", r".dev\1+\2", text)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        if not (BUILD / "build.ninja").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DHEDDLE_TESTS=OFF", "-DHEDDLE_BENCH=OFF", "-DHEDDLE_PYTHON=ON"], check=True)
        # In a build of its own (pip's) these lie elsewhere every time.
        subprocess.run(["cmake", f"-DPython_EXECUTABLE={sys.executable}", f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
                        BUILD], check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "heddle_python"], check=True)
        made = pathlib.Path(self.get_ext_fullpath(extension.name))
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUILD / "python" / "heddle" / made.name, made)


setup(version=version(), ext_modules=[Extension("heddle._heddle", sources=[])], cmdclass={"build_ext": CMakeBuild})
