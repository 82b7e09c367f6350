"""Modules of bar codes as arrays, for tests that read codes from plates."""
import subprocess

import numpy

EAN = "4006381333931"
URL = "https://example.org/plates/4711"

EAN_LEFT = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111",
            "0111011", "0110111", "0001011"]
EAN_FIRST = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG",
             "LGLGGL", "LGGLGL"]


def ean13(digits):
    """Modules of an EAN-13, 1 is ink, by ISO/IEC 15420."""
    def right(digit):
        return "".join("10"[int(module)] for module in EAN_LEFT[digit])
    text = "101"
    for digit, kind in zip(digits[1:7], EAN_FIRST[int(digits[0])]):
        text += EAN_LEFT[int(digit)] if kind == "L" else right(int(digit))[::-1]
    text += "01010" + "".join(right(int(digit)) for digit in digits[7:]) + "101"
    return numpy.array([int(module) for module in text], dtype=bool)


def qr(text):
    """Modules of a QR code without its margin, 1 is ink, by qrencode."""
    lines = subprocess.run(["qrencode", "-t", "ASCII", "-m", "0", "-o", "-", text], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return numpy.array([[line[i] == "#" for i in range(0, len(line), 2)] for line in lines])
