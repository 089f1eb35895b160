"""Seeded results are the same bits in every process and in the sandbox, and the same to six digits with one
thread and with two: what the lessons print is what everybody sees."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from autograder.grading.cells import Cell, Submission
from autograder.grading.course import Course
from autograder.grading.weaving import statements
from autograder.grading.work import work_on

ROOT = Path(__file__).resolve().parents[2]
COURSE = Course(ROOT)
SHOW = """
import json
import torch

def show(*arrays):
    parts = [torch.as_tensor(array).detach().double().flatten()[:500] for array in arrays]
    print(json.dumps(torch.cat(parts).tolist()))
"""
SEEDED = {
    "training": """
examples = [("the river bank".split(), 0), ("the money bank".split(), 1), (["river", "bank"], 0),
            (["money", "bank"], 1)]
torch.manual_seed(0)
model = OneHeadSense(4)
losses = train(model, examples, {"the": 0, "river": 1, "money": 2, "bank": 3}, steps=100)
show(losses, *model.state_dict().values())
""",
    "induction": """
torch.manual_seed(0)
layer = CausalHeads(48, 4, 24)
tokens, periods = repeated_tokens(64, 24, 24, 4, 12, torch.Generator().manual_seed(0))
update, A = layer(torch.nn.functional.one_hot(tokens, 48).float())
loss = repeat_loss(update[..., :24], tokens, periods)
loss.backward()
show(tokens, periods, update, A, loss, layer.q.weight.grad)
""",
    "recovery": """
generator = torch.Generator().manual_seed(0)
x, sources = torch.rand(256, 9, generator=generator), torch.rand(256, 3, 9, generator=generator)
data = (x, sources, head(x, sources, torch.eye(9, 3), torch.eye(9, 3).flip(0)))
show(*fit(data, 100, 0))
""",
}


def program(lesson: str) -> str:
    return COURSE.lesson(lesson).solution.read_text(encoding="utf-8") + SHOW + SEEDED[lesson]


def in_a_process(lesson: str, threads: int) -> str:
    text = f"import torch\ntorch.set_num_threads({threads})\n{program(lesson)}"
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    run = subprocess.run(
        [sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout


def in_the_sandbox(graders, name: str) -> str:
    lesson = COURSE.lesson(name)
    cells = [Cell("", part, "code", index) for index, part in enumerate(statements(program(name)))]
    tasks = [task.name for task in lesson.tasks if not task.question][:1]
    work = work_on(lesson, Submission("seeds", name, "python", cells, []), tasks)
    outputs = [output for cell in graders(lesson).grade(work).outputs for output in cell]
    return "".join(output["text"] for output in outputs if "text" in output)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", SEEDED)
def test_seeded_results_are_the_same_everywhere(graders, lesson: str):
    with ThreadPoolExecutor(2) as pool:
        one, two = (list(pool.map(lambda _: in_a_process(lesson, threads), range(5))) for threads in (1, 2))
    assert len(set(one)) == len(set(two)) == 1
    assert in_the_sandbox(graders, lesson) == one[0]
    # Two threads add in another order, which shows in the last digits of larger sums.
    np.testing.assert_allclose(json.loads(two[0]), json.loads(one[0]), rtol=1e-5, atol=1e-6)
