// Interprets genomes, some in each task, and sums all results up.
//
//   nextflow run examples/pipelines/nextflow --genomes 'genomes/*.fasta' --results results

include { GENINT_INTERPRET; GENINT_SUMMARY } from './modules/genint'

workflow {
    genomes = Channel.fromPath(params.genomes, checkIfExists: true)

    // Sorted, so that a run that is resumed makes the same tasks and finds them done.
    GENINT_INTERPRET(genomes.toSortedList().flatMap { all -> all.collate(params.genomes_per_task) })
    GENINT_SUMMARY(GENINT_INTERPRET.out.results.collect())
}
