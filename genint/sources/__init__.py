"""Evidence sources, one file each, one verb: observe."""
