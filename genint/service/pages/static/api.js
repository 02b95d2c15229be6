// The way to the service. Who is logged in is known by a cookie that no script can read; it
// counts only beside a header that other sites cannot send.

const PREFIX = "/api/v1";
const FILE_MS = 120_000;
export const OURS = { "X-Requested-With": "genint" };

/** An answer that is no success, with what it says in words. */
export class ApiError extends Error {
  constructor(status, message, retryAfterS = null) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

/** Who is logged in, as far as this page knows: the user, and when a guest vanishes. */
let known = null;
const tabs = new BroadcastChannel("genint");
// All tabs have the same session: one that shows somebody else begins anew.
tabs.addEventListener("message", (event) => {
  if (event.data !== (known?.user.id ?? null)) location.reload();
});

export const session = {
  get: () => known,
  /** Ask who is logged in in this browser. */
  async restore() {
    const { user, guest_until: guestUntil } = await ask("GET", "/auth/session");
    known = user ? { user, guestUntil } : null;
    return known;
  },
  /** After logging in or signing up. */
  keep(answer) {
    known = { user: answer.user, guestUntil: null };
    tabs.postMessage(known.user.id);
  },
  /** After the session has ended. */
  forget() {
    known = null;
    tabs.postMessage(null);
  },
};

/** Called when the service does not know the session any more. */
let onSessionEnd = () => {};
export function whenSessionEnds(action) {
  onSessionEnd = action;
}

/**
 * Ask the service.
 *
 * @param {string} method of HTTP
 * @param {string} path below /api/v1
 * @param {object} [body] is sent as JSON
 * @returns the answer, null where it has no body
 * @throws {ApiError} status 0 where the service could not be reached
 */
export async function ask(method, path, body) {
  const headers = { ...OURS };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(PREFIX + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    throw new ApiError(0, "The service cannot be reached.");
  }
  const answer = parsed(await response.text().catch(() => ""));
  if (response.ok) return answer;
  throw failed(response.status, answer, response.headers.get("Retry-After"));
}

/**
 * Fetch a file, so that what goes wrong can be said on the page.
 *
 * @param {string} path below /api/v1
 * @returns {Promise<{content: Blob, name: string}>} with the name that the service gives it
 * @throws {ApiError} as for ask
 */
export async function download(path) {
  let response;
  let content;
  try {
    const signal = AbortSignal.timeout(FILE_MS);
    response = await fetch(PREFIX + path, { headers: OURS, signal });
    content = await response.blob();
  } catch {
    throw new ApiError(0, "The file cannot be fetched: the service cannot be reached.");
  }
  if (!response.ok) {
    const answer = parsed(await content.text());
    throw failed(response.status, answer, response.headers.get("Retry-After"));
  }
  return { content, name: nameIn(response.headers.get("Content-Disposition") ?? "") };
}

/** The file name in a Content-Disposition as the service writes it. */
function nameIn(header) {
  const encoded = /filename\*=utf-8''([^;]+)/.exec(header);
  if (encoded) return decodeURIComponent(encoded[1]);
  return /filename="([^"]+)"/.exec(header)?.[1] ?? "result";
}

/**
 * Upload a genome. XMLHttpRequest, since fetch does not report progress of an upload.
 *
 * @param {File} file
 * @param {{phage: boolean, afresh: boolean, mode: string, prefix: string, date: string, proteins: ?File, key: string}} options key makes a repeat harmless
 * @param {(share: number) => void} onProgress 0..1 of the file has been sent
 */
export function upload(file, options, onProgress) {
  const form = new FormData();
  form.append("phage_mode", String(options.phage));
  form.append("ignore_annotations", String(options.afresh));
  form.append("mode", options.mode);
  if (options.prefix) form.append("locus_tag_prefix", options.prefix);
  if (options.date) form.append("date", options.date);
  if (options.proteins) form.append("proteins", options.proteins, options.proteins.name);
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  request.open("POST", `${PREFIX}/jobs`);
  for (const [name, value] of Object.entries(OURS)) request.setRequestHeader(name, value);
  request.setRequestHeader("Idempotency-Key", options.key);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) onProgress(event.loaded / event.total);
  });
  return new Promise((resolve, reject) => {
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status === 200) resolve(answer);
      else reject(failed(request.status, answer, request.getResponseHeader("Retry-After")));
    });
    request.addEventListener("error", () => {
      reject(new ApiError(0, "The file could not be sent: the service cannot be reached."));
    });
    request.send(form);
  });
}

/** A name for one request, so that sending it twice does the thing once. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function parsed(text) {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function failed(status, answer, retryAfter) {
  if (status === 401 && known) onSessionEnd();
  const seconds = Number.parseInt(retryAfter, 10);
  return new ApiError(status, words(status, answer?.detail), Number.isNaN(seconds) ? null : seconds);
}

const FIELDS = {
  email: "E-mail",
  password: "Password",
  current_password: "Present password",
  new_password: "New password",
  first_name: "First name",
  last_name: "Last name",
  name: "Name",
  expires_in_days: "Expiry",
  file: "File",
  mode: "Mode",
  proteins: "Own proteins",
  locus_tag_prefix: "Locus tags",
  date: "Date",
};

/** What the service says, as a sentence for people. */
function words(status, detail) {
  if (Array.isArray(detail)) {
    return detail
      .map((item) => {
        const field = item.loc.at(-1);
        return `${FIELDS[field] ?? field}: ${item.msg}`;
      })
      .join("; ");
  }
  const text = typeof detail === "string" ? detail : "";
  if (status === 413) return text || "The service does not take files of this size.";
  if (status === 429) return text || "Too much at once. Wait until some genomes are done.";
  if (status === 503) return "The service is busy. Try again in a moment.";
  if (status === 507) return text || "The disk of the service is nearly full.";
  if (status >= 500) return "The service failed. Try again; if the problem persists, contact the operator.";
  return text || `The service answered ${status}.`;
}
