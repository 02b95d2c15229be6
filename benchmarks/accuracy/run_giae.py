"""Runs inside the peer's own environment: what ``giae`` tells of a FASTA, as one line of JSON.

Its command writes no coordinates, so its library is called the way its command does in
offline mode.
"""

import json
import sys
from pathlib import Path

from giae.engine.interpreter import Interpreter
from giae.parsers import parse_genome


def main() -> None:
    """Interpret and print."""
    genome = parse_genome(Path(sys.argv[1]))
    interpreter = Interpreter(
        use_uniprot=False, use_interpro=False, use_local_blast=False, use_hmmer=False
    )
    told = {
        result.gene_id: result.interpretation
        for result in interpreter.interpret_genome(genome).results
    }
    genes = []
    for gene in genome.genes:
        said = told.get(gene.id)
        genes.append(
            {
                "start": gene.location.start,
                "end": gene.location.end,
                "strand": gene.location.strand.value,
                "name": said.hypothesis if said else None,
                "score": said.confidence_score if said else None,
                "level": said.confidence_level.value if said else None,
            }
        )
    print(json.dumps(genes))


if __name__ == "__main__":
    main()
