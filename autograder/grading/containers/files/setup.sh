#!/usr/bin/env bash
# Builds the image, once: the Python and the packages that this course is graded with, in the versions of the
# machine that made this. As root, on Ubuntu 22.04 or newer or Debian 12 or newer.
#
#     setup.sh [HOME]    HOME is where all of it goes (default: /opt/grader)
set -euo pipefail
umask 022
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
[ -e "$here/requirements.txt" ] || here="$here/source"  # Gradescope may run a copy, one folder up
home="${1:-/opt/grader}"

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends ca-certificates libseccomp2 python3-venv

# uv brings the right Python where Ubuntu has an older one, below $home: the user whom a submission runs as must
# be able to read it.
export UV_PYTHON_INSTALL_DIR="$home/python" UV_NO_CACHE=1
python3 -m venv "$home/uv"
"$home/uv/bin/pip" install --quiet uv==0.13.8
"$home/uv/bin/uv" venv --quiet --python "$(cat "$here/python-version")" "$home/venv"
"$home/uv/bin/uv" pip install --quiet --python "$home/venv" --torch-backend cpu --no-deps \
    --requirement "$here/requirements.txt"

rm -r "$home/uv"

mkdir "$home/engine"
cp -r "$here/autograder" "$home/engine/"
site="$("$home/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
echo "$home/engine" > "$site/engine.pth"
"$home/venv/bin/python" -m compileall -q "$home/engine"
# The list of fonts: made once, not at each submission.
MPLCONFIGDIR="$home/venv/template" "$home/venv/bin/python" -c 'import matplotlib.font_manager'
chmod -R go= "$home/engine" "$here"
