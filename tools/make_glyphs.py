"""Outlines of letters for pictures: writes rattleback/view/pictures/glyph_table.cpp from a TrueType font.

    make_glyphs.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf > rattleback/view/pictures/glyph_table.cpp

The table is committed, so that builds need no font. DejaVu's licence (a free one, after Bitstream Vera) allows it; see the header that is
written. Reads the tables head, cmap, hmtx, hhea, loca and glyf of the font, without libraries.
"""

import struct
import sys

LETTERS = ([chr(c) for c in range(0x20, 0x7F)] + list("αβγδεζηθικλμνξοπρςστυφχψω") + list("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ")
           + list("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁻−×·±°′″…–—≤≥≈∂∇√∞ϕϑäöüéèáàçñóßÄÖÜšžčćřł‘’“”"))


class Font:
    def __init__(self, data):
        self.data = data
        count = struct.unpack_from(">H", data, 4)[0]
        self.tables = {}
        for k in range(count):
            tag, _, offset, length = struct.unpack_from(">4sIII", data, 12 + 16 * k)
            self.tables[tag.decode()] = (offset, length)
        head = self.tables["head"][0]
        self.units = struct.unpack_from(">H", data, head + 18)[0]
        self.long_loca = struct.unpack_from(">h", data, head + 50)[0] == 1
        self.metrics = struct.unpack_from(">H", data, self.tables["hhea"][0] + 34)[0]
        self.characters = self.read_cmap()

    def read_cmap(self):
        start = self.tables["cmap"][0]
        for k in range(struct.unpack_from(">H", self.data, start + 2)[0]):
            platform, encoding, offset = struct.unpack_from(">HHI", self.data, start + 4 + 8 * k)
            at = start + offset
            if (platform, encoding) == (3, 1) and struct.unpack_from(">H", self.data, at)[0] == 4:
                return self.read_segments(at)
        raise SystemExit("the font has no table of Unicode characters")

    def read_segments(self, at):
        n = struct.unpack_from(">H", self.data, at + 6)[0] // 2
        read = lambda offset: struct.unpack_from(f">{n}H", self.data, at + offset)
        ends, starts, deltas, ranges = read(14), read(16 + 2 * n), read(16 + 4 * n), read(16 + 6 * n)
        found = {}
        for k in range(n):
            for c in range(starts[k], min(ends[k], 0xFFFE) + 1):
                if ranges[k] == 0:
                    glyph = (c + deltas[k]) & 0xFFFF
                else:
                    place = at + 16 + 6 * n + 2 * k + ranges[k] + 2 * (c - starts[k])
                    glyph = struct.unpack_from(">H", self.data, place)[0]
                    glyph = (glyph + deltas[k]) & 0xFFFF if glyph else 0
                found[c] = glyph
        return found

    def advance(self, glyph):
        return struct.unpack_from(">H", self.data, self.tables["hmtx"][0] + 4 * min(glyph, self.metrics - 1))[0]

    def place(self, glyph):
        loca = self.tables["loca"][0]
        if self.long_loca:
            return struct.unpack_from(">II", self.data, loca + 4 * glyph)
        a, b = struct.unpack_from(">HH", self.data, loca + 2 * glyph)
        return 2 * a, 2 * b

    def contours(self, glyph):
        """Lists of (x, y, on the curve)."""
        begin, end = self.place(glyph)
        if begin == end:
            return []
        at = self.tables["glyf"][0] + begin
        count = struct.unpack_from(">h", self.data, at)[0]
        return self.simple(at, count) if count >= 0 else self.compound(at + 10)

    def simple(self, at, count):
        ends = struct.unpack_from(f">{count}H", self.data, at + 10)
        at += 10 + 2 * count
        at += 2 + struct.unpack_from(">H", self.data, at)[0]
        total = ends[-1] + 1
        flags = []
        while len(flags) < total:
            flag = self.data[at]
            at += 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * self.data[at]
                at += 1
        axes = []
        for short, same in ((2, 16), (4, 32)):
            values, value = [], 0
            for flag in flags:
                if flag & short:
                    value += self.data[at] if flag & same else -self.data[at]
                    at += 1
                elif not flag & same:
                    value += struct.unpack_from(">h", self.data, at)[0]
                    at += 2
                values.append(value)
            axes.append(values)
        points = [(x, y, bool(f & 1)) for x, y, f in zip(axes[0], axes[1], flags)]
        result, first = [], 0
        for last in ends:
            result.append(points[first:last + 1])
            first = last + 1
        return result

    def compound(self, at):
        result = []
        while True:
            flags, glyph = struct.unpack_from(">HH", self.data, at)
            at += 4
            dx, dy = struct.unpack_from(">hh" if flags & 1 else ">bb", self.data, at)
            at += 4 if flags & 1 else 2
            a, b, c, d = 1, 0, 0, 1
            if flags & 8:
                a = d = struct.unpack_from(">h", self.data, at)[0] / 16384
                at += 2
            elif flags & 0x40:
                a, d = (v / 16384 for v in struct.unpack_from(">hh", self.data, at))
                at += 4
            elif flags & 0x80:
                a, b, c, d = (v / 16384 for v in struct.unpack_from(">hhhh", self.data, at))
                at += 8
            for contour in self.contours(glyph):
                result.append([(round(a * x + c * y + dx), round(b * x + d * y + dy), on) for x, y, on in contour])
            if not flags & 0x20:
                return result


def quadratic(contour):
    """Start, then pairs (control, end): points between two controls are in their middle."""
    points = []
    for k, (x, y, on) in enumerate(contour):
        px, py, before = contour[k - 1]
        if not on and not before:
            points.append(((x + px) // 2, (y + py) // 2, True))
        points.append((x, y, on))
    first = next(k for k, p in enumerate(points) if p[2])
    points = points[first:] + points[:first + 1]
    out, control = [points[0][:2]], None
    for x, y, on in points[1:]:
        if not on:
            control = (x, y)
            continue
        out += [control or out[-1], (x, y)]
        control = None
    return out


def main():
    font = Font(open(sys.argv[1], "rb").read())
    numbers, rows = [], []
    for letter in sorted(set(LETTERS)):
        glyph = font.characters.get(ord(letter), 0)
        if not glyph:
            continue
        start = len(numbers)
        for contour in font.contours(glyph):
            path = quadratic(contour)
            numbers.append(len(path))
            for point in path:
                numbers += point
        rows.append((ord(letter), font.advance(glyph), start, len(numbers)))
    print("""// Declared in view/pictures/glyphs.hpp. Written by tools/make_glyphs.py from DejaVu Sans; do not edit.
//
// DejaVu fonts: changes to Bitstream Vera are in the public domain. Bitstream Vera is a trademark of Bitstream, Inc.
// Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved. Permission is granted, free of charge, to any person obtaining a copy of
// the fonts to use, copy, merge, publish, distribute and sell copies of them, provided that this notice is included and that they
// are not sold by themselves; modified fonts must not be called Bitstream or Vera. Provided as is, without warranty of any kind.
#include <rattleback/view/pictures/glyphs.hpp>

// clang-format off
namespace rattleback::glyphs {
""")
    print(f"const int units = {font.units};")
    print("const Letter letters[] = {")
    for row in rows:
        print("  {0x%x, %d, %d, %d}," % row)
    print("};\nconst int letter_count = %d;\nconst short numbers[] = {" % len(rows))
    line = " "
    for number in numbers:
        if len(line) > 120:
            print(line)
            line = " "
        line += f" {number},"
    print(line)
    print("};\n\n}  // namespace rattleback::glyphs")


main()
