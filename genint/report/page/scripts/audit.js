// What the audit says of the product that the file gives a gene.

/** Verdict and reason in one line; null where the file has nothing to judge. */
export function auditFact(audit) {
  return audit ? `${audit.verdict}: ${audit.reason}` : null;
}
