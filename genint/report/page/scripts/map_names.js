// What a gene is called on the map: its symbol, else what it does in a few words. An id says nothing
// to a reader, so it stands only where no function is known.

const LONGEST_NAME = 28;
const SHORTER_NAMES = [21, 15];
const UNSURE_FROM = 2; // position of LOW in the levels: what is hardly more than a guess has a "?"

/** Names that only count: of open reading frames, products and features, and numbers of RAST. */
const COUNTED = /^(?:cds|g?orf|gp|peg|gene|rna|protein)[ _.-]?\d+[a-z]?$/iu;

/** Longer forms and what papers write for them. */
const SHORTER = [
  [/ \((?:EC|fragment|partial|Fragment)[^()]*\)/gu, ""],
  [/^pseudogene of /u, "ψ "],
  [/^pseudogene; /u, "ψ "],
  [/^contains a region like (?:an? )?(.*?)(?: family protein)?$/u, "$1-like region"],
  [/-like-like /u, "-like "],
  [/^contains an? (.*)$/u, "$1"],
  [/^contains /u, ""],
  [/\b[Ss]ingle-?stranded DNA\b/gu, "ssDNA"],
  [/\b[Dd]ouble-?stranded DNA\b/gu, "dsDNA"],
  [/\b[Ss]ingle-strand\b/gu, "ss"],
  [/\bribonucleoside(?:-)?triphosphate\b/giu, "rNTP"],
  [/\bribonucleoside(?:-)?diphosphate\b/giu, "rNDP"],
];
/** What can go first where a name is too long. */
const SPARE = [
  / \([^()]*\)/gu,
  /^(?:putative|probable|possible|predicted|conserved|uncharacterized) /giu,
  / family protein\b/gu,
  / protein(?=-like$)/u,
  /(?<=\w{3}) protein$/u,
  /,? (?:core|catalytic|superfamily)$/gu,
  /[,;/] .*$/u,
];

/** Cut at a word where that leaves most of it. */
function cut(text, most) {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const word = room.search(/[\s/-]\S*$/u);
  return `${(word > most * 0.55 ? room.slice(0, word) : room).replace(/[\s,;:(/-]+$/u, "")}…`;
}

function fitted(text, most) {
  let short = text;
  for (const spare of SPARE) {
    if (short.length <= most) break;
    const without = short.replace(spare, "").trim();
    if (without.length > 2) short = without;
  }
  return cut(short, most);
}

/** What names a part of a protein, which must not read as the name of the whole. */
const PART = /^(.+?)( (?:domain|region|repeat|motif)s?)$/u;

/** What a protein does in at most so many letters. */
export function shortFunction(text, most = LONGEST_NAME) {
  const shorter = SHORTER.reduce((found, [long, short]) => found.replace(long, short), text).trim();
  const [, what, part] = PART.exec(shorter) ?? [null, shorter || text, ""];
  return fitted(what, most - part.length) + part;
}

/** Whether a name is no more than an id: of the file, of genint, or a count. */
export function isIdOnly({ id, name, locus }) {
  return name === id || name === locus || COUNTED.test(name);
}

/** Ids that only repeat the record's are cut down to what distinguishes genes. */
function shortId(name, record) {
  return name.startsWith(`${record.id}_`) ? name.slice(record.id.length + 1) : name;
}

/**
 * The names of an item, the longest first, to be tried one after the other where room is scarce; and
 * whether they say more than an id.
 */
export function namesOf(source, { record, isGene, isDark }) {
  const name = String(source.name || source.product || source.id);
  if (!isGene && name === source.id && source.product) {
    return { names: [cut(String(source.product).replace("ribosomal RNA", "rRNA"), LONGEST_NAME)], named: true };
  }
  if (!isGene || !isIdOnly({ ...source, name })) return { names: [cut(name, LONGEST_NAME)], named: true };
  if (isDark || !source.label) return { names: [cut(shortId(name, record), LONGEST_NAME)], named: false };
  const sign = source.level >= UNSURE_FROM ? "?" : "";
  const all = [LONGEST_NAME, ...SHORTER_NAMES].map((most) => shortFunction(source.label, most) + sign);
  return { names: [...new Set(all)], named: true };
}
