import os
import tempfile
from pathlib import Path

Path("left-by-an-attack").write_text("x")
Path(tempfile.gettempdir(), "left-by-an-attack").write_text("x")
os.makedirs("deep/" * 40)
np.left_by_an_attack = True


# here stand the right functions
