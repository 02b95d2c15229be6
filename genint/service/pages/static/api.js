// The way to the service. The token lives as long as the tab.

const PREFIX = "/api/v1";
const FILE_MS = 120_000;
const STORED = "genint.session";

/** An answer that is no success, with what it says in words. */
export class ApiError extends Error {
  constructor(status, message, retryAfterS = null) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

export const session = {
  get() {
    try {
      return JSON.parse(sessionStorage.getItem(STORED));
    } catch {
      return null;
    }
  },
  keep(answer) {
    sessionStorage.setItem(STORED, JSON.stringify({ token: answer.access_token, user: answer.user }));
  },
  end() {
    sessionStorage.removeItem(STORED);
  },
};

/** Called when the service does not know the token any more. */
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
  const current = session.get();
  const headers = {};
  if (current) headers.Authorization = `Bearer ${current.token}`;
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
  throw failed(response.status, answer, response.headers.get("Retry-After"), current);
}

/**
 * Fetch a file: a link cannot send the token.
 *
 * @param {string} path below /api/v1
 * @returns {Promise<{content: Blob, name: string}>} with the name that the service gives it
 * @throws {ApiError} as for ask
 */
export async function download(path) {
  const current = session.get();
  const headers = current ? { Authorization: `Bearer ${current.token}` } : {};
  let response;
  let content;
  try {
    const signal = AbortSignal.timeout(FILE_MS);
    response = await fetch(PREFIX + path, { headers, signal });
    content = await response.blob();
  } catch {
    throw new ApiError(0, "The file cannot be fetched: the service cannot be reached.");
  }
  if (!response.ok) {
    const answer = parsed(await content.text());
    throw failed(response.status, answer, response.headers.get("Retry-After"), current);
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
 * @param {{phage: boolean, afresh: boolean, mode: string, prefix: string, date: string, key: string}} options key makes a repeat harmless
 * @param {(share: number) => void} onProgress 0..1 of the file has been sent
 */
export function upload(file, options, onProgress) {
  const current = session.get();
  const form = new FormData();
  form.append("phage_mode", String(options.phage));
  form.append("ignore_annotations", String(options.afresh));
  form.append("mode", options.mode);
  if (options.prefix) form.append("locus_tag_prefix", options.prefix);
  if (options.date) form.append("date", options.date);
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  request.open("POST", `${PREFIX}/jobs`);
  if (current) request.setRequestHeader("Authorization", `Bearer ${current.token}`);
  request.setRequestHeader("Idempotency-Key", options.key);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) onProgress(event.loaded / event.total);
  });
  return new Promise((resolve, reject) => {
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status === 200) resolve(answer);
      else reject(failed(request.status, answer, request.getResponseHeader("Retry-After"), current));
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

function failed(status, answer, retryAfter, current) {
  if (status === 401 && current) onSessionEnd();
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
