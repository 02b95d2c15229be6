"""The steps of the fit, from the data folder to texts of parameters and figures."""

from __future__ import annotations

import hashlib
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from genint.interpret.claims import ScoringModel
from genint.knowledge.confidence import MeasuredLevel, Setting, load_confidence
from genint.knowledge.name_lengths import load_name_lengths
from genint.knowledge.products import ProductVocabulary, load_products
from genint.knowledge.roles import load_roles
from genint.knowledge.table_files import GENE_ORDER, OWN_FAMILIES, read_shipped
from genint.model.vocabulary import GenomeKind
from training.blind.builds import ROOT, fold_name
from training.blind.relatives import Hidden
from training.confidence.back_off import kept, limits_of
from training.confidence.back_off import measured as measured_statements
from training.confidence.borders import borders_of
from training.confidence.figures import Measured, figures_text
from training.confidence.fitting import Fitted
from training.confidence.hiding import (
    Folders,
    blind_families,
    blind_reference,
    hidden_of,
    together,
)
from training.confidence.leaving_out import (
    MODES,
    Material,
    fit_all,
    left_out,
    told_left_out,
)
from training.confidence.marks import LOWEST, read_marks
from training.confidence.measuring import Told, measured_levels
from training.confidence.neighbours import order_without
from training.confidence.observations import (
    NOVEL_IDENTITY,
    Against,
    Observed,
    observe_group,
    remember,
    remembered,
)
from training.confidence.panel import Group, read_panel, training_groups, with_curated_names
from training.confidence.parameters import Model
from training.confidence.reading_list import write_reading_list, write_sample
from training.confidence.readings import Reading, is_part, read_readings
from training.confidence.reliabilities import of_context, reliabilities
from training.confidence.stated import read_stated
from training.confidence.writing import text_of
from training.families.corpus import read_corpus
from training.families.inputs import Input, load_inputs
from training.families.profiles import in_processes
from training.families.values import Corpus
from training.gene_order.material import read_material

VERSION = "1.0"
BASIS = (
    "A score is the estimated probability that the claim holds, as far as it goes: that a name is "
    "that of the protein or of a wider class that it belongs to, that a part or class fits it. "
    "It was fitted on annotated genomes whose annotation was hidden, and measured on groups of "
    "them that were left out with their relatives."
)
READING_LIST = "to_read.tsv"
"""In the work folder: pairs of names that nobody has read yet."""
PROCESSES = 2
"""That observe."""
ABLATED = ("family", "domain", "homology", "gene_context")


class Written(NamedTuple):
    """Texts of the two files."""

    parameters: str
    figures: str


class _Task(NamedTuple):
    """A group to be observed."""

    group: Group
    against: Against
    folders: Folders


class Gathered(NamedTuple):
    """Groups and what was observed of them, blind and with all that ships."""

    groups: tuple[Group, ...]
    novel: tuple[Observed, ...]
    shipped: tuple[Observed, ...]


def run(folders: Folders, *, with_ablation: bool = True) -> Written:
    """Do everything.

    Args:
        folders: Where.
        with_ablation: Measure the model without each type of evidence too.
    """
    vocabulary, inputs = load_products(), load_inputs()
    corpus = read_corpus(folders.data, inputs).corpus
    gathered = gather(folders, inputs, corpus, vocabulary)
    counted = {
        **reliabilities(gathered.novel, vocabulary),
        **of_context(tomllib.loads(read_shipped(GENE_ORDER).decode())["measured"]),
    }
    shares = {name: said.share for name, said in counted.items()}
    shares.update(read_stated().probabilities)
    roles = load_roles()
    records = read_material(folders.data, inputs, vocabulary, roles)
    orders = {group.name: order_without(group, records) for group in gathered.groups}
    _say("gene order learned without each group")
    marks = read_marks()
    fitted_before = load_confidence()
    base = ScoringModel(
        replace(
            fitted_before,
            reliability=shares,
            least_reliability_for_agreement=marks.least_reliability_for_agreement,
        ),
        roles,
        vocabulary,
        name_lengths=load_name_lengths(),
    )
    lowest = {Setting(mode, kind): LOWEST for mode in MODES for kind in GenomeKind}
    anywhere = {group.name: lowest for group in gathered.groups}
    material = Material(gathered.novel, orders, base, marks, anywhere)
    examples = {mode: tuple(material.examples(mode)) for mode in MODES}
    fits = {mode: left_out(material, examples[mode]) for mode in MODES}
    _say("fitted without each group")
    told = _tell(material, gathered.novel, fits)
    borders = borders_of(told)
    # Borders are found without the group that is then measured, as all else is.
    held_out = {
        group: borders_of([one for one in told if one.group != group]) for group in material.groups
    }
    material = replace(material, borders=held_out)
    novel = _tell(material, gathered.novel, fits)
    shipped = _tell(material, gathered.shipped, fits)
    _say("told what was left out")
    limits = limits_of((one.setting, one.offers) for one in novel)
    limits_without = {
        group: limits_of((one.setting, one.offers) for one in novel if one.group != group)
        for group in material.groups
    }
    statements = measured_statements(
        ((one.setting, one.group, one.offers) for one in novel), limits_without
    )
    write_reading_list((*novel, *shipped), gathered.novel, folders.work / READING_LIST)
    for mode in MODES:
        some = [one for one in novel if one.setting.mode == mode]
        write_sample(some, folders.work / f"sample_{mode}.tsv")
    ablations = dict(_ablations(material, gathered.novel)) if with_ablation else {}
    measured = (*measured_levels(novel, "novel"), *measured_levels(shipped, "shipped"))
    fitted = fit_all(examples)
    limits = kept(limits, statements)
    model = Model(fitted, borders, shares, marks, VERSION, BASIS, tuple(measured), limits)
    head = _head(gathered.groups, examples)
    _write_left_out(folders, fits, model, measured, replace(material, limits=limits_without))
    return Written(
        text_of(model.parameters, counted, head),
        figures_text(Measured(novel, shipped, ablations, borders, statements), head),
    )


def gather(
    folders: Folders, inputs: Sequence[Input], corpus: Corpus, vocabulary: ProductVocabulary
) -> Gathered:
    """Groups, and what is observed of them: blind, and with all that ships. Kept."""
    groups, hidden = _hidden_groups(folders, inputs, corpus, vocabulary)
    _say(f"{len(groups)} groups, {sum(len(group.genomes) for group in groups)} genomes")
    by_fold: defaultdict[int, list[Hidden]] = defaultdict(list)
    for group in groups:
        by_fold[group.fold].append(hidden[group.name])
    blind = {fold: _blind(fold, by_fold[fold], corpus, folders) for fold in sorted(by_fold)}
    all_known = Against(None, blind_reference(Hidden((), ()), corpus, folders), None)
    _say("families and references made without the groups")
    novel = _observe_all([_Task(group, blind[group.fold], folders) for group in groups])
    shipped = _observe_all([_Task(group, all_known, folders) for group in groups])
    return Gathered(groups, novel, shipped)


def _blind(fold: int, hidden: Iterable[Hidden], corpus: Corpus, folders: Folders) -> Against:
    """Families and a reference that know nothing of any group of a fold."""
    everything = together(hidden)
    families = blind_families(everything, folders, fold_name(fold))
    _say(f"fold {fold}: families made")
    return Against(families, blind_reference(everything, corpus, folders), NOVEL_IDENTITY)


def _observe_all(tasks: Iterable[_Task]) -> tuple[Observed, ...]:
    found: list[Observed] = []
    for observed in in_processes(_observed, list(tasks), PROCESSES):
        found += observed
        _say(f"{observed[0].group}: observed")
    return tuple(found)


def _hidden_groups(
    folders: Folders, inputs: Sequence[Input], corpus: Corpus, vocabulary: ProductVocabulary
) -> tuple[tuple[Group, ...], Mapping[str, Hidden]]:
    """All groups, and what is hidden for each, by its name."""
    panel = read_panel(folders.data, vocabulary)
    hidden = dict(hidden_of(panel, corpus, novel=True, kept=folders.work))
    taken = {record for one in hidden.values() for record in one.records}
    taken.update(record for group in panel for one in group.genomes for record in one.records)
    training = training_groups(folders.data, inputs, vocabulary, frozenset(taken))
    hidden.update(hidden_of(training, corpus, novel=True, kept=folders.work))
    groups = tuple(with_curated_names(group, corpus) for group in (*panel, *training))
    return groups, hidden


def _observed(task: _Task) -> tuple[Observed, ...]:
    group, against, folders = task
    table = (
        read_shipped(OWN_FAMILIES)
        if against.families is None
        else (against.families / OWN_FAMILIES).read_bytes()
    )
    parts = (group.name, hashlib.sha256(table).hexdigest(), against.reference.digest)
    key = "|".join((*parts, str(against.max_identity), _sources_digest()))
    found = remembered(folders.work / "observations", key)
    if found is None:
        found = tuple(observe_group(group, against, load_products(), folders.work / "cache"))
        remember(folders.work / "observations", key, found)
    # Truth is read anew: it is cheap, and judged by words that may have been mended.
    panels = {one.name: one for one in group.genomes}
    return tuple(replace(one, panel=panels[one.panel.name]) for one in found)


def _sources_digest() -> str:
    """Of the code that reads hits: what it makes of them is kept with the hits."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "genint" / "sources").glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _tell(
    material: Material, shown: Sequence[Observed], fits: Mapping[str, Mapping[str, Fitted]]
) -> tuple[Told, ...]:
    return tuple(one for mode in MODES for one in told_left_out(material, mode, shown, fits[mode]))


def _ablations(
    material: Material, shown: Sequence[Observed]
) -> Iterator[tuple[str, tuple[Told, ...]]]:
    for type_ in ABLATED:
        less = replace(material, without=frozenset({type_}))
        fits = {mode: left_out(less, tuple(less.examples(mode))) for mode in MODES}
        yield type_, _tell(less, shown, fits)
        _say(f"without {type_}: measured")


def _write_left_out(
    folders: Folders,
    fits: Mapping[str, Mapping[str, Fitted]],
    model: Model,
    measured: Sequence[MeasuredLevel],
    material: Material,
) -> None:
    """Parameters without each group, as files for the bench."""
    folder = folders.work / "parameters"
    folder.mkdir(parents=True, exist_ok=True)
    for group in material.groups:
        own = {Setting(mode, kind): fits[mode][group] for mode in MODES for kind in GenomeKind}
        without = replace(
            model,
            fits=own,
            borders=material.borders[group],
            back_off=material.limits[group],
            version=f"{VERSION} without {group}",
            measured=tuple(measured),
        )
        slug = group.lower().replace(" ", "_")
        text = text_of(without.parameters, {}, ())
        (folder / f"{slug}.toml").write_text(text, encoding="utf-8")


def _head(groups: Sequence[Group], examples: Mapping[str, Sequence[object]]) -> tuple[str, ...]:
    read = read_readings()
    parts = [reading for (_, claim), reading in read.items() if is_part(claim)]
    counted = Counter(reading for (_, claim), reading in read.items() if not is_part(claim))
    genomes = sum(len(group.genomes) for group in groups)
    telling = sum(
        truth.telling
        for group in groups
        for genome in group.genomes
        for truth in genome.truth.values()
    )
    return (
        f"{genomes} genomes in {len(groups)} groups, {telling:,} genes whose record says more "
        "than nothing;",
        "hypotheses fitted on: "
        + ", ".join(f"{len(listed):,} ({mode})" for mode, listed in examples.items())
        + ".",
        f"Pairs of names that were read: {len(read) - len(parts):,}, "
        + ", ".join(f"{counted[reading]:,} {reading.value}" for reading in Reading)
        + f"; parts of proteins: {len(parts):,}, of which "
        + f"{sum(reading is not Reading.WRONG for reading in parts):,} are there.",
    )


def _say(text: str) -> None:
    print(f"{time.process_time():6.0f} CPU s  {text}", flush=True)
