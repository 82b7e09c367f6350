"""A PDF of one or more pages with rectangles in process inks and spot colours, written by hand."""


def tint_function(cmyk):
    return f"<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [{cmyk}] /N 1 >>"


def name_of(text):
    """As PDF writes a name."""
    return "".join(chr(b) if chr(b).isascii() and chr(b).isalnum() else f"#{b:02X}" for b in text.encode())


EMBEDDED = ("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 84"
            " /LastChar 84 /Widths [700] /Encoding << /Type /Encoding /Differences [84 /T] >>"
            " /CharProcs << /T 4 0 R >> >>")
NOT_EMBEDDED = "<< /Type /Font /Subtype /Type1 /BaseFont /{0} >>"
NOT_EMBEDDED_UNICODE = ("<< /Type /Font /Subtype /Type0 /BaseFont /{0} /Encoding /Identity-H /DescendantFonts [<< /Type"
                        " /Font /Subtype /CIDFontType2 /BaseFont /{0} /CIDSystemInfo << /Registry (Adobe) /Ordering"
                        " (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /{0} /Flags 4"
                        " /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent 0 /StemV 80 >> >>] >>")
LETTER = "700 0 0 0 600 700 d1 0 600 600 100 re 250 0 100 600 re f"


def stream(text):
    return f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"


def write(path, marks, spots, pages=1, side=(144, 108), words="", font="", attributes="",
          kind=NOT_EMBEDDED):
    """`marks`: (colour, x, y, width, height) in points from the lower left corner; a colour is a text of
    four numbers of CMYK, three of RGB, or (spot, tint). `spots`: {name: "c m y k" of its solid}. `words` are set
    in black of 8 pt at the lower left, in a font of this name and kind, which is not embedded, or in an embedded one,
    which has a T alone. `attributes` of all pages, as PDF writes them."""
    spaces = {name: f"S{number}" for number, name in enumerate(spots)}
    resources = " ".join(f"/{spaces[name]} [/Separation /{name_of(name)} /DeviceCMYK {tint_function(cmyk)}]"
                         for name, cmyk in spots.items())
    drawn = ""
    for colour, *box in marks:
        if isinstance(colour, tuple):
            drawn += f"/{spaces[colour[0]]} cs {colour[1]} scn "
        else:
            drawn += f"{colour} {'k' if len(colour.split()) == 4 else 'rg'} "
        drawn += "{} {} {} {} re f\n".format(*box)
    if words:
        drawn += f"0 0 0 1 k BT /F 8 Tf 2 2 Td ({words}) Tj ET\n"
    kids = [5 + number for number in range(pages)]
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {pages} >>",
               stream(drawn), stream(LETTER)]
    font = kind.format(font) if font else EMBEDDED
    boxes = f"/MediaBox [0 0 {side[0]} {side[1]}] /TrimBox [9 9 {side[0] - 9} {side[1] - 9}]"
    objects += [f"<< /Type /Page /Parent 2 0 R {boxes} {attributes} /Contents 3 0 R"
                f" /Resources << /ColorSpace << {resources} >>"
                f" /Font << /F {font} >> >> >>"] * pages
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{at:010d} 00000 n \n".encode() for at in places)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    path.write_bytes(out)
