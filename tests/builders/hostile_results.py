"""Results with a value in every place, and with any text in all places that hold input."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from genint.report import GenintResult, parse_result, render_json

CLOSED = frozenset(
    """format topology kind mode strand called_by confidence category cog_category cog_source source
    type specificity level schema_version translation aspect gene_calling eco sha256 licence
    version genint_version confidence_parameters confidence_basis go_terms cog_name regime
    confidence_mode rbs_motif rbs_spacer start_codon codon genome_kind heptamer repeat
    method what spacers anticodon service state online_services basis sequence""".split()
)
"""Keys whose values are ours, not text of the input."""


def with_everything(result: GenintResult) -> GenintResult:
    """The result with RNA genes, joins, rivals, conflicts, a comparison, and so on."""
    value = json.loads(render_json(result))
    gene, dark = value["genes"][0], next(gene for gene in value["genes"] if gene["is_dark"])
    gene |= {"call_note": "nested in gene A", "pfam_id": "PF02305", "product": "old product"}
    gene |= {"cog_category": "X", "cog_name": "Mobilome", "cog_source": "pfam", "category": "tail"}
    gene |= {"go_terms": ["GO:0019069"], "go": [{"id": "GO:0019069", "name": "capsid assembly"}]}
    gene |= {"conflicts": ["the file says lysis"], "uncertainties": ["a single source"]}
    gene["compared"] = {
        "id": "phiX_01", "product": "old name", "same_start": False, "verdict": "only_here"
    }  # fmt: skip
    gene["evidence"][0] |= {"evalue": 1.5e-31, "bits": 120.25, "threshold_bits": 22.5}
    gene["evidence"][0] |= {"coverage": 0.875, "target_coverage": 0.96, "accession": "PF02305"}
    gene["evidence"][0]["similar"] = {
        "name": "capsid protein", "organism": "Phage x", "length_aa": 9, "identity": 0.5,
        "start": 1, "end": 9, "existence": 4,
    }  # fmt: skip
    gene["hypotheses"].append(gene["hypotheses"][0] | {"function": "rival", "verdict": "weaker"})
    value["genes"][1] |= {"pseudo": True}
    for one in (gene, dark):
        one["features"] = [
            {"kind": "transmembrane segment", "start": 7, "end": 25, "score": 1.9, "method": "KD"}
        ]
        one["context"] = {
            "category": "tail", "probability": 0.82, "neighbours": ["gpF upstream", "gpH"]
        }  # fmt: skip
        one["call"] = {
            "total": 42.5, "coding": 36.0, "start": 6.5, "start_codon": "GTG", "rbs_motif": "AGGAG",
            "rbs_spacer": "5-10bp", "rbs_score": 4.2, "confidence": 0.99,
        }  # fmt: skip
    for one, verdict in ((gene, "contradicts"), (value["genes"][2], "refines")):
        one["audit"] = {
            "verdict": verdict, "product": "old name", "found": "tail fiber", "score": 0.83,
            "level": "HIGH", "reason": "a fiber is no coat", "evidence": [0],
        }  # fmt: skip
    value["parameters"]["levels"] = [
        {"level": "HIGH", "regime": "novel", "right": 312, "full": 290, "judged": 325}
    ]
    dark |= {"uncertainties": ["never seen expressed"], "conflicts": ["two readings"]}
    place = {"record": gene["record"], "start": 5, "end": 77, "strand": "-"}
    value["rna_genes"] = [
        place
        | {"id": "r1", "kind": "tRNA", "product": "tRNA-Met", "name": "trnM", "locus_tag": "p_r1"}
        | {"pseudo": False}
    ]
    value["other_features"] = [
        place | {"id": "o1", "kind": "gene", "name": "K2", "reason": "no clean open reading frame"}
    ]
    value["warnings"] = [
        {"code": "bad_translation", "text": "differs", "record": gene["record"], "line": 12}
    ]
    value["comparison"] = {
        "genes_in_file": 11, "same_stop": 9, "same_start": 8, "missed": ["A*"], "extra": ["x1"],
        "missed_genes": [
            place | {"id": "A*", "protein_id": "NP_1.1", "product": "blocks the host"}
        ],
    }  # fmt: skip
    value["unavailable"] = ["interpro: not installed"]
    _add_found(value)
    _add_online(value)
    return parse_result(json.dumps(value).encode())


def _add_found(value: Any) -> None:
    """Rescued genes (one named, one dark), RNA genes, an array, other starts and products."""
    length, host = value["records"][0]["length"], value["genes"][0]["id"]
    named = next(gene for gene in value["genes"][4:] if not gene["is_dark"])
    dark = next(gene for gene in value["genes"] if gene["is_dark"])
    for gene, sure in ((named, 0.622), (dark, 0.881)):
        gene["called_by"] = "genint_nested"
        gene["rescue"] = rescue_of(host, sure)
    record = {"record": named["record"]}
    place = record | {"start": 100, "end": 172, "strand": "+"}
    value["rna_genes"] += [
        place
        | {"id": "rna_1", "kind": "tRNA", "product": "tRNA-Met", "name": None, "locus_tag": None}
        | {"pseudo": False, "anticodon": "CAT", "method": "aragorn 1.2.41", "score": 81.25}
        | {"score_unit": "bits", "accession": "RF00005", "note": "its 3' end is not certain"}
    ]
    value["crispr_arrays"] = [
        record
        | {"id": "crispr_1", "start": length - 200, "end": 40, "repeat": "GTTTTAGAGCTATGC"}
        | {"repeats": 3, "spacers": ["ACGTACGTAC", "TTGACCA"], "method": "genint repeats 1"}
    ]
    value["searches"] = [
        {"what": "tRNA and tmRNA", "method": "aragorn 1.2.41", "found": 1, "reason": ""},
        {"what": "rRNA", "method": None, "found": None, "reason": "barrnap is not on the PATH"},
        {"what": "CRISPR arrays", "method": "genint repeats 1", "found": 1, "reason": ""},
    ]
    value["rejected"] = [
        place | {"id": "n_1", "length_aa": 23, "rescue": rescue_of(host, 0.119), "reason": "weak"},
        place | {"id": "n_2", "length_aa": 23, "rescue": None, "reason": "lies in an RNA gene"},
    ]
    value["alternative_starts"] = [
        record
        | {"gene": named["id"], "strand": named["strand"], "length_aa": named["length_aa"] // 2}
        | {"start": named["start"] + 3, "end": named["end"], "codon": "GTG", "rbs_motif": None}
        | {"start_score": 12.5, "share": 0.5, "probability": 0.41, "reason": "a strong start"}
    ]
    value["alternative_products"] = [
        record
        | {"id": f"{host}_fs", "gene": host, "joined": named["id"], "shift": -1}
        | {"parts": [{"start": s, "end": e, "strand": "+"} for s, e in ((10, 60), (60, 104))]}
        | {"length_aa": 4, "translation": "MKLV", "heptamer": "GGGAAAG", "site_start": 54}
        | {"site_end": 60, "probability": 0.33, "reason": "a slippery heptamer"}
    ]
    value["records"][0]["terminal_repeat_bp"] = 120


def _add_online(value: Any) -> None:
    """Online mode: of the first gene both services know something, of the next ones less."""
    value["parameters"] |= {"mode": "online", "online_services": ["uniprot", "interpro"]}
    value["parameters"]["online_timeout_s"] = 90.0
    answers = [
        answer("hit", ("P03631", "Q9T0A1"), ("IPR008766", "PTHR30629")),
        answer("no_match"),
        answer("not_in_database"),
        answer("error", reason="503 after 4 attempts"),
        answer("not_asked", reason="the time for asking was over"),
    ]
    genes = value["genes"]
    for at, gene in enumerate(genes):
        gene["online"] = answers[min(at, len(answers) - 1)]
    dark = next(gene for gene in genes if gene["is_dark"])
    dark["online"] = answers[3]
    answered = sum(not gene["online"][0]["reason"] for gene in genes)
    value["online"] = [
        {"service": service, "releases": [release], "proteins": len(genes), "answered": answered}
        | {"problem": "could not be queried: 503 after 4 attempts"}
        for service, release in (("uniprot", "2026_03"), ("interpro", "109.0"))
    ]


def answer(
    state: str, uniprot: tuple[str, ...] = (), interpro: tuple[str, ...] = (), *, reason: str = ""
) -> list[dict[str, Any]]:
    """What both services answered about a gene, alike."""
    is_answer = not reason
    return [
        {"service": service, "state": state, "release": release if is_answer else None}
        | {"reason": reason, "is_stale": state == "no_match", "accessions": list(accessions)}
        for service, release, accessions in (
            ("uniprot", "2026_03", uniprot),
            ("interpro", "109.0", interpro),
        )
    ]


def rescue_of(host: str, probability: float) -> dict[str, Any]:
    """What a frame nested in a gene scored; the addends add up."""
    prior, total = -4.5, math.log(probability / (1 - probability))
    return {
        "kind": "nested", "probability": probability, "threshold": 0.5, "host": host,
        "host_overlap": 1.0, "same_strand": True,
        "terms": [
            {"reason": "few such frames are genes", "log_odds": prior},
            {"reason": "start score 11.2", "log_odds": round(total - prior, 3)},
        ],
        "held_out": {"low": 0.8, "high": 1.0, "genes": 14, "frames": 20},
    }  # fmt: skip


def rewritten(result: GenintResult, change: Callable[[str], str]) -> GenintResult:
    """The result with every text that an upload could have a part in changed alike.

    Not read as a stored result is, which refuses two genes of one name.
    """
    value = _rewritten(json.loads(render_json(result)), change, "")
    return GenintResult.model_validate_json(json.dumps(value))


def _rewritten(value: Any, change: Callable[[str], str], key: str) -> Any:
    if isinstance(value, dict):
        closed = CLOSED | ({"verdict"} if {"same_start", "found"} & value.keys() else set())
        closed |= {"kind"} if "judged" in value else set()
        return {
            name: inner if name in closed else _rewritten(inner, change, name)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_rewritten(inner, change, key) for inner in value]
    return change(value) if isinstance(value, str) else value
