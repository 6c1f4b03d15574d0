"""PDF files that tests make: text on pages, and one behind a password."""

import base64
import zlib


def pdf(*pages: str) -> bytes:
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for n, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
        objects += [
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            + f"/Contents {5 + 2 * n} 0 R>>".encode(),
            f"<</Length {len(drawn)}>>stream\n".encode() + drawn + b"\nendstream",
        ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(f"{len(out):010d} 00000 n \n")
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{''.join(places)}"
    end = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF"
    return out + (table + end).encode()


LOCKED = zlib.decompress(
    base64.b64decode(
        "eNqNU7uO00AUFUUQzAdQD0VEBfMee6QoxT6iRTyySngUiGLsuROCgr3YE7S7Pb8AP8Av0CNakBCCBtEg6CmgoEOMvbvZ"
        "CFNgu/A999xz7xzd6e9ujS6zKwL1v3579wExTHGZPUSDASK3DvYAk00b7KKcIbJrZ1BjHgkTNBwiKFxD5J2ClofItbmr"
        "8T0sGj6+j8hmuSwCZmul4p+lTaMKIvWoE7kBbm43yv2oReOrGceJ4Y3iBOpyWeVxqEZhVMaa9odheTJk/GLjIkS9Gqu/"
        "Rped/o0GItNlFtqwARkiG7aGVp3swOIJhHlu11TUmsp1KGbhARZJk69DBfYRunnpi/v55vmnj697b8/8evz9x4WXZw+3"
        "7vYuvn/14pz63Buff/r7WSN2zD+W1WuydzCPp8Vi1YDxNNqEJTfS6ISbmB7NFwEqTKbBFs5WDpExHhiXgnNZSnluvXap"
        "tLkTwiTOuFxZI7QCYakXoAWVzmQ0gTTjJgFDM5UbGd27HVU8eJdnTivKfQ5glNIUkoQpaakwmqeZl6BAQqJSK5mWlMZY"
        "e+8tZTQdrrm1X4FHFCeIrh6slRIKe7zCWPS0zRSnmJYdjHHRwbhiHUzwLiZpeoqFys4XULVeT+eHEMcjk7KM23q0gle3"
        "4vIN8ixzVIPnLnWZT2QMjc+zeGjmvRZs+D+UuLbbRV4d7AWsT9axDrYKrTGax3vY3x6P0B+thvsm"
    )
)
"""One page, "Secret", behind the password "pw"."""
