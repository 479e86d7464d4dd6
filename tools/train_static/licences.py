"""May we learn from a package? Only under a permissive licence it states; unknown means no."""

from __future__ import annotations

import re

PERMISSIVE = {
    "0bsd": "0BSD",
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license": "Apache-2.0",
    "apache license 2": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license v2.0": "Apache-2.0",
    "apache license version 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache software license 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "apache2": "Apache-2.0",
    "blueoak-1.0.0": "BlueOak-1.0.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd-2-clause": "BSD-2-Clause",
    "bsd 2-clause": "BSD-2-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "simplified bsd": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "new bsd license": "BSD-3-Clause",
    "modified bsd": "BSD-3-Clause",
    "cc0-1.0": "CC0-1.0",
    "expat": "MIT",
    "historical permission notice and disclaimer": "HPND",
    "historical permission notice and disclaimer (hpnd)": "HPND",
    "hpnd": "HPND",
    "isc": "ISC",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit": "MIT",
    "mit license": "MIT",
    "mit no attribution license": "MIT-0",
    "mit no attribution license (mit-0)": "MIT-0",
    "mit-0": "MIT-0",
    "mit-cmu": "MIT-CMU",
    "psf": "PSF-2.0",
    "psf-2.0": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "the mit license": "MIT",
    "the unlicense": "Unlicense",
    "the unlicense (unlicense)": "Unlicense",
    "unlicense": "Unlicense",
    "zlib": "Zlib",
}
"""How packages spell permissive licences, to SPDX ids."""


def permissive_id(stated: str) -> str | None:
    """Map a stated licence to SPDX; None unless every licence in an expression is permissive.

    `A OR B` needs one permissive side, `A AND B` both, as SPDX defines them.
    """
    text = " ".join(stated.split()).lower()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if text in PERMISSIVE:
        return PERMISSIVE[text]
    sides = re.split(r"\s+or\s+|\s*/\s*", text)
    if len(sides) > 1:
        return next((spdx for side in sides if (spdx := permissive_id(side))), None)
    parts = re.split(r"\s+and\s+", text)
    if len(parts) > 1:
        ids = [permissive_id(part) for part in parts]
        return " AND ".join(i for i in ids if i) if all(ids) else None
    return None


def python_licence(metadata: str) -> str | None:
    """Read the licence from a wheel's METADATA: expression, else classifiers, else free text.

    Where classifiers speak, all of them must be permissive.
    """
    fields: dict[str, list[str]] = {}
    for line in metadata.split("\n\n", 1)[0].splitlines():
        key, separator, value = line.partition(": ")
        if separator and not line.startswith(" "):
            fields.setdefault(key.lower(), []).append(value)
    if expression := fields.get("license-expression"):
        return permissive_id(expression[0])
    classified = [
        value.rpartition(" :: ")[2]
        for value in fields.get("classifier", [])
        if value.startswith("License :: ") and value != "License :: OSI Approved"
    ]
    if classified:
        ids = [permissive_id(value) for value in classified]
        return ids[0] if all(ids) else None
    return permissive_id(fields.get("license", [""])[0])


def npm_licence(manifest: dict[str, object]) -> str | None:
    """Read the licence from a package.json."""
    stated = manifest.get("license")
    if isinstance(stated, dict):
        stated = stated.get("type")
    return permissive_id(stated) if isinstance(stated, str) else None
