"""Muon: momentum whose matrices are made orthogonal before they are added (Jordan et al. 2024), for the convolutions
of the trunk; Adam for everything else. The update of a matrix is scaled to the size of an Adam step, as Moonshot
(arXiv 2502.16982) does, so that both share a learning rate."""

import torch


def orthogonal(matrices, steps=5):
    """Matrices [n, rows, columns] with their singular values moved near 1, by Newton-Schulz iteration."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrices.bfloat16() if matrices.is_cuda else matrices
    turned = x.shape[1] > x.shape[2]
    if turned:
        x = x.mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        s = x @ x.mT
        x = a * x + (b * s + c * s @ s) @ x
    return (x.mT if turned else x).float()


class Muon(torch.optim.Optimizer):
    """For convolutions whose kernel, as a matrix of outputs by inputs and taps, has many rows and columns."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.0):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            by_shape = {}
            for p in group["params"]:
                if p.grad is not None:
                    by_shape.setdefault(p.shape, []).append(p)
            for shape, parameters in by_shape.items():
                gradients = []
                for p in parameters:
                    state = self.state[p]
                    if "momentum" not in state:
                        state["momentum"] = torch.zeros_like(p)
                    state["momentum"].lerp_(p.grad, 1 - group["momentum"])
                    gradients.append(p.grad.lerp(state["momentum"], group["momentum"]).flatten(1))
                updates = orthogonal(torch.stack(gradients))
                size = 0.2 * max(updates.shape[1:]) ** 0.5
                for p, update in zip(parameters, updates):
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    p.add_(update.reshape(shape), alpha=-group["lr"] * size)
        return None


def optimizers(net, lr, weight_decay, muon):
    """What learns the parameters of a net: a list of optimizers with one learning rate."""
    matrices, others, plain = [], [], []
    for name, p in net.named_parameters():
        if muon and name.startswith("blocks") and p.ndim == 4 and p.shape[1] > 1:
            matrices.append(p)
        elif p.ndim > 1:
            others.append(p)
        else:
            plain.append(p)
    adam = torch.optim.AdamW(
        [dict(params=others, weight_decay=weight_decay), dict(params=plain, weight_decay=0.0)], lr=lr, betas=(0.9, 0.98)
    )
    return [adam, Muon(matrices, lr, weight_decay=weight_decay)] if matrices else [adam]
