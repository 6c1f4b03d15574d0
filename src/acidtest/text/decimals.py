"""Decimals: digits and separators, as people write them, to one canonical string."""

_DIGIT_ZEROS = (
    0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0xFF10,
)  # fmt: skip
ASCII_DIGITS = {zero + d: str(d) for zero in _DIGIT_ZEROS for d in range(10)} | {
    ord("٫"): ".",
    ord("٬"): ",",
    ord("٪"): "%",
    ord("％"): "%",
    ord("−"): "-",
    ord("’"): "'",
    ord("．"): ".",
    ord("，"): ",",
    ord("："): ":",
}
"""For `str.translate`: every script's decimal digits and number signs as ASCII, one for one."""

_GROUPING_ONLY = str.maketrans("", "", " \u00a0\u202f\u2009'_")
_LONGEST_SCALED = 40


def readings(body: str) -> tuple[str, str | None] | None:
    """Read digits with separators.

    `1,000` is a thousand (or, less likely, one); `1.000` is one (or a thousand); `1.000,5` and
    `1,000.5`, `1 000`, `1'000`, `1,00,000` can only be one thing.

    Args:
        body: ASCII digits with `.`, `,`, `'` or spaces between them.

    Returns:
        The canonical decimal and the other possible reading, if any; None when the separators fit
        no single number (`1,2,3`).
    """
    digits = body.translate(_GROUPING_ONLY)
    dots, commas = digits.count("."), digits.count(",")
    if not dots and not commas:
        return plain(digits), None
    if dots and commas:
        point = "." if digits.rfind(".") > digits.rfind(",") else ","
        group = "," if point == "." else "."
        if digits.count(point) > 1:
            return None
        whole, fraction = digits.split(point)
        return (
            (plain(f"{whole.replace(group, '')}.{fraction}"), None)
            if _grouped(whole, group)
            else None
        )
    mark = "." if dots else ","
    if dots + commas > 1:
        return (plain(digits.replace(mark, "")), None) if _grouped(digits, mark) else None
    as_decimal = plain(digits.replace(",", "."))
    if digits != body or not _grouped(digits, mark):
        return as_decimal, None
    as_grouped = plain(digits.replace(mark, ""))
    return (as_decimal, as_grouped) if mark == "." else (as_grouped, as_decimal)


def plain(number: str) -> str:
    """Return digits with an optional point without needless zeros: `007.50` is `7.5`."""
    whole, _, fraction = number.partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def scaled(number: str, power: int) -> str:
    """Multiply a canonical decimal by a power of ten; very long ones are left as they are."""
    if len(number) > _LONGEST_SCALED:
        return number
    whole, _, fraction = number.partition(".")
    moved = fraction.ljust(power, "0")
    return plain(f"{whole}{moved[:power]}.{moved[power:]}")


def _grouped(whole: str, mark: str) -> bool:
    """Say whether a mark can be a thousands separator here (also the Indian 1,00,000)."""
    head, *groups = whole.split(mark)
    if not groups:
        return True
    if not 1 <= len(head) <= 3 or head[0] == "0" or len(groups[-1]) != 3:
        return False
    inner = {len(group) for group in groups[:-1]}
    return inner <= {3} or (inner == {2} and len(head) <= 2)
