"""The weights of a net in a file while it is being learned: arrays in half precision, and what they are."""

import json
import os

import numpy as np
import torch


def write(path, net, about):
    """Writes a net. A file that is there is replaced at once, so that none is ever half written."""
    arrays = {name: value.detach().float().cpu().numpy().astype(np.float16) for name, value in net.state_dict().items()}
    about = json.dumps(dict(net=net.shape, **about))
    beside = path.with_name(path.name + ".new")
    with open(beside, "wb") as file:
        np.savez(file, about=np.frombuffer(about.encode(), np.uint8), **arrays)
    os.replace(beside, path)


def read(path):
    """(what the file says about itself, the weights)."""
    with np.load(path) as file:
        about = json.loads(bytes(file["about"]).decode())
        return about, {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files if name != "about"}
