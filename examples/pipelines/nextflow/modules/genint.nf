// Two processes around the command line: interpret genomes, sum up their results.

process GENINT_INTERPRET {
    tag { genomes instanceof List ? "${genomes.size()} genomes" : genomes.name }
    publishDir params.results, mode: 'copy'

    input:
    path genomes

    output:
    path 'reports/*_report.json', emit: results
    path 'reports/*_report.html', emit: pages

    script:
    """
    genint interpret ${genomes} --workers ${task.cpus} --format json --format html -o reports/ ${params.options}
    """
}

process GENINT_SUMMARY {
    publishDir params.results, mode: 'copy'

    input:
    path results, stageAs: 'results/*'

    output:
    path 'summary/*', emit: tables

    script:
    """
    genint summary results/ -o summary/
    """
}
