"""A program as an algorithm: the source sends the whole message to one node after another.

    [algorithm]
    command = ["python3", "one_after_another.py"]
"""

import json
import math
import sys

schedule = json.load(sys.stdin)  # what is wanted: a schedule without messages
if schedule["operation"] != "broadcast":
    sys.exit("only broadcasts, not " + schedule["operation"])
dims = schedule["topology"].get("dims")
if dims is None:
    sys.exit("only meshes and tori, not " + schedule["topology"]["kind"])
source = schedule["source"]
others = [node for node in range(math.prod(dims)) if node != source]
schedule["blocks"] = 1
schedule["messages"] = [
    {"id": step, "step": step, "src": source, "dst": node, "blocks": [[0, 1]]} for step, node in enumerate(others)
]
json.dump(schedule, sys.stdout)
