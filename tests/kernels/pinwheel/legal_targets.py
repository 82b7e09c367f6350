#!/usr/bin/env python3
"""Enumerate the legal targets of pinwheel error diffusion (spiral path), from the rule alone.

A pixel may hand its error to any of its eight neighbours that is certainly not decided yet: in the
own block and later on the path or, from an outward block, in a block that shares an edge with it
(such a block is inward and waits). Blocks are taken from the middle of an endless page.

  legal_targets.py                  prints tests/kernels/pinwheel/legal_targets.h
  legal_targets.py --csv            prints the table alone
  legal_targets.py --check HEADER   exit status 1 unless the header is what would be printed
"""

import sys

COLUMNS = 'N,block,order,y,x,class,n_legal,targets_dy:dx:owner'
HEADER = '''// Which neighbours a pixel of an interior block of pinwheel error diffusion (spiral path) may hand
// its error to. Made by legal_targets.py, which enumerates them from the rule alone.
#pragma once

namespace mezzo::test {{

/// Owner: own, the pixel's block; inw, an inward block next to it.
inline constexpr char kLegalTargets[] = R"({csv})";

}}  // namespace mezzo::test
'''


def inward_spiral(size):
    """Walk right, turn right wherever the way is blocked, stop when shut in."""
    pixels, (y, x), (dy, dx) = [(0, 0)], (0, 0), (0, 1)
    free = {(j, i) for j in range(size) for i in range(size)} - {(0, 0)}
    while free:
        if (y + dy, x + dx) not in free:
            dy, dx = dx, -dy
        y, x = y + dy, x + dx
        free.remove((y, x))
        pixels.append((y, x))
    return pixels


def position(path, i):
    """What the path does at its pixel i, in words."""
    if i in (0, len(path) - 1):
        return 'first' if i == 0 else 'last'
    step = lambda j: (path[j + 1][0] - path[j][0], path[j + 1][1] - path[j][1])
    turns = lambda j: 0 < j < len(path) - 1 and step(j) != step(j - 1)
    return '+'.join(n for n, j in (('turn', i), ('afterturn', i - 1)) if turns(j)) or 'straight'


def rows(size, block):
    outward = block == 'out'
    path = inward_spiral(size)
    if outward:
        path.reverse()
    for i, (y, x) in enumerate(path):
        later, targets = set(path[i + 1:]), []
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                ty, tx = y + dy, x + dx
                beside = (not 0 <= ty < size) + (not 0 <= tx < size)
                if (ty, tx) in later:
                    targets.append(f'{dy}:{dx}:own')
                elif outward and beside == 1:
                    targets.append(f'{dy}:{dx}:inw')
        yield f'{size},{block},{i},{y},{x},{position(path, i)},{len(targets)},{" ".join(targets)}'


def main():
    csv = '\n'.join([COLUMNS] + [row for size in (2, 4, 8) for block in ('out', 'in')
                                 for row in rows(size, block)]) + '\n'
    header = HEADER.format(csv=csv)
    if sys.argv[1:2] == ['--check']:
        with open(sys.argv[2], encoding='utf-8') as file:
            return 0 if file.read() == header else f'{sys.argv[2]} is not what this script prints'
    print(csv if sys.argv[1:] == ['--csv'] else header, end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
