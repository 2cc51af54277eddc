"""Pairs of least cost, all of them weighed at once."""

from collections.abc import Mapping, Sequence
from typing import Final

Pair = tuple[int, int]
LOTS: Final = 64
"""A lot in a cost is smaller than this; more of them would make a draw of 128 players take a second."""


def pair_cheaply(costs: Mapping[Pair, Sequence[int]]) -> set[Pair]:
    """The pairs that leave nobody over and whose costs add up to least, the first number of each before all others.

    `costs` are of the pairs that are possible, each with as many whole numbers from 0 on; a pair stands for itself
    once, in either order. Blossoms (Edmonds 1965) by networkx. If nothing leaves nobody over, as few as possible are.
    Of several answers that are equally cheap the order of `costs` decides; it is that of lots.
    """
    if not costs:
        return set()
    import networkx  # Only draws need it.

    people = dict.fromkeys(each for pair in costs for each in pair)
    most = len(people) // 2
    highest = [max(column) for column in zip(*costs.values(), strict=True)]
    units = [1]
    for each in reversed(highest[1:]):
        units.insert(0, units[0] * (each * most + 1))
    totals = {pair: sum(map(int.__mul__, cost, units)) for pair, cost in costs.items()}
    ceiling = max(totals.values(), default=0) + 1
    graph = networkx.Graph()
    graph.add_nodes_from(people)
    graph.add_weighted_edges_from((*pair, ceiling - total) for pair, total in totals.items())
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return {pair if pair in costs else (pair[1], pair[0]) for pair in found}
