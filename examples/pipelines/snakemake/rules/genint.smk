# Two rules around the command line. Whoever includes them sets GENOMES (the name of a report: its
# genome), RESULTS (a folder) and OPTIONS (more options of genint interpret).


rule genint_interpret:
    input:
        lambda wildcards: GENOMES[wildcards.name],
    output:
        json=f"{RESULTS}/{{name}}_report.json",
        html=f"{RESULTS}/{{name}}_report.html",
    params:
        folder=RESULTS,
        options=OPTIONS,
    threads: 4  # genint uses four at most
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,  # minutes
    shell:
        "genint interpret {input:q} --workers {threads} --format json --format html"
        " -o {params.folder:q}/ {params.options}"


rule genint_summary:
    input:
        expand(f"{RESULTS}/{{name}}_report.json", name=GENOMES),
    output:
        directory(f"{RESULTS}/summary"),
    resources:
        mem_mb=4000,
        runtime=60,
    shell:
        "genint summary {input:q} -o {output:q}"
