"""The pipeline of an interpretation: from a genome file to its result.

    read -> call -> load_resources -> plan_search -> search (in parts) -> gather
         -> observe -> conclude

Each step is a plain function that a worker process can run: what goes in and out can be
pickled and is frozen. :mod:`genint.pipeline.run` puts them in order, for the library, the
command line and the service alike; :mod:`genint.pipeline.library` is the public face.

The process of the service imports these modules and must never load numpy or HMMER: what
loads them is imported inside the functions that need it.
"""
