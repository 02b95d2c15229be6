"""Where an identifier can be looked up: a fixed set of hosts, and nothing from the input.

A link is made only from an identifier that has exactly the form of its database, so no
text of an upload can choose a host, a scheme or a path.
"""

from __future__ import annotations

import re
from typing import Final

_PLACES: Final = (
    (r"PF\d{5}", "https://www.ebi.ac.uk/interpro/entry/pfam/{}/"),
    (r"IPR\d{6}", "https://www.ebi.ac.uk/interpro/entry/InterPro/{}/"),
    (r"PTHR\d{5}", "https://www.ebi.ac.uk/interpro/entry/panther/{}/"),
    (r"G3DSA:\d{1,2}(?:\.\d{1,5}){3}", "https://www.ebi.ac.uk/interpro/entry/cathgene3d/{}/"),
    (r"SSF\d{4,6}", "https://www.ebi.ac.uk/interpro/entry/ssf/{}/"),
    (r"(?:NF|TIGR)\d{5,6}", "https://www.ebi.ac.uk/interpro/entry/ncbifam/{}/"),
    (r"cd\d{5}", "https://www.ebi.ac.uk/interpro/entry/cdd/{}/"),
    (r"PIRSF\d{6}", "https://www.ebi.ac.uk/interpro/entry/pirsf/{}/"),
    (r"MF_\d{5}", "https://www.ebi.ac.uk/interpro/entry/hamap/{}/"),
    (r"SM\d{5}", "https://www.ebi.ac.uk/interpro/entry/smart/{}/"),
    (r"PR\d{5}", "https://www.ebi.ac.uk/interpro/entry/prints/{}/"),
    (r"ANF\d{5}", "https://www.ebi.ac.uk/interpro/entry/antifam/{}/"),
    (r"GO:\d{7}", "https://www.ebi.ac.uk/QuickGO/term/{}"),
    (r"ECO:\d{7}", "https://www.ebi.ac.uk/QuickGO/term/{}"),
    (
        r"(?:[ANXWY]P_\d{6,9}|[A-Z]{3}\d{5,7})(?:\.\d{1,3})?",
        "https://www.ncbi.nlm.nih.gov/protein/{}",
    ),
    (
        r"[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}",
        "https://www.uniprot.org/uniprotkb/{}/entry",
    ),
    (
        r"(?:N[CTWZ]_[A-Z]{0,4}\d{6,9}|[A-Z]{1,2}\d{5,6})(?:\.\d{1,3})?",
        "https://www.ncbi.nlm.nih.gov/nuccore/{}",
    ),
)
"""Form of an identifier and the page about it, the first that fits. UniProt's form stands
before the old one of nucleotide records, which it overlaps: see ``link_to_record``. Signatures
of InterPro stand before proteins of INSDC, which theirs look like.

Source: identifiers.org patterns of pfam, interpro, go, eco, uniprot, refseq and insdc."""
_COMPILED: Final = tuple((re.compile(form, re.ASCII), page) for form, page in _PLACES)
_RECORD: Final = _COMPILED[-1]

HOSTS: Final = frozenset(page.split("/")[2] for _, page in _PLACES)
"""All hosts that a report can point to."""


def link_to(accession: str) -> str | None:
    """Page about an accession of a protein database or an ontology; None without one."""
    for form, page in _COMPILED[:-1]:
        if form.fullmatch(accession):
            return page.format(accession)
    return None


def link_to_record(record: str) -> str | None:
    """Page about a nucleotide record of INSDC or RefSeq; None for any other name."""
    form, page = _RECORD
    return page.format(record) if form.fullmatch(record) else None
