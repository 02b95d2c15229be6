"""How far colours are apart for eyes of all kinds."""

from __future__ import annotations


def linear_rgb(colour: str) -> tuple[float, ...]:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2.2."""
    high, low = sorted(
        (sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear_rgb(c))) for c in (one, other)),
        reverse=True,
    )
    return (high + 0.05) / (low + 0.05)


def times(matrix: tuple[tuple[float, ...], ...], values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)


# Machado, Oliveira and Fernandes 2009 (doi:10.1109/TVCG.2009.113), severity 1.
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
# Oklab (Ottosson 2020): in it a distance of 0.02 is just seen.
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)  # fmt: skip
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)  # fmt: skip


def seen(colour: str, eyes: str) -> tuple[float, ...]:
    light = tuple(max(0.0, value) for value in times(EYES[eyes], linear_rgb(colour)))
    return times(TO_LAB, tuple(value ** (1 / 3) for value in times(TO_CONES, light)))
