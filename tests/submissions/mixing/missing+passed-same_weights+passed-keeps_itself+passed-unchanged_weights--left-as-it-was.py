import numpy as np


