"""Where a network is trained: on an accelerator, where PyTorch finds one."""

import torch


def training_device() -> torch.device:
    """The machine's accelerator (CUDA, MPS and others), or the processor.

    On the processor one thread adds in one order, so that every run gives the same weights. An accelerator is
    quicker and promises no such thing.
    """
    if torch.accelerator.is_available():
        found: torch.device = torch.accelerator.current_accelerator()
        return found
    torch.set_num_threads(1)
    return torch.device("cpu")
