// The list of genomes, kept up to date while it is looked at.

import { ask, session } from "./api.js";
import { chooser, keepChosen, prepareChosen } from "./chosen.js";
import { byId, ask as confirmed, element, moment, say, setText, show, trouble } from "./dom.js";
import { follow, MOST_STREAMS } from "./events.js";
import { fileMenu } from "./files.js";
import { arePublic, share } from "./share.js";

const PAGE = 50;
const MOST = 500;
const BUSY_MS = 1500;
const CALM_MS = 15_000;
const LONGEST_MS = 30_000;
const TYPING_MS = 250;
const NEWEST_FIRST = "-created_at";
const STATES = {
  PENDING: "waiting",
  RUNNING: "running",
  COMPLETED: "done",
  FAILED: "failed",
  CANCELLED: "cancelled",
};
const REPORT = /^\/reports\/[0-9a-f-]{36}\.html$/;

/** What can be done with a job; where it cannot be undone, after a question. */
const ACTS = {
  cancel: {
    method: "POST",
    path: "/cancel",
    question: (name) => `Stop the work on ${name}?`,
    yes: "Stop it",
    done: (name) => `${name} was cancelled.`,
  },
  rerun: { method: "POST", path: "/rerun", done: (name) => `${name} will be interpreted again.` },
  remove: {
    method: "DELETE",
    path: "",
    question: (name) => `Delete ${name} with its result and report? This cannot be undone.`,
    yes: "Delete it",
    done: (name) => `${name} was deleted.`,
  },
};

let rows = new Map();
/** Jobs that are followed by events: id to what ends the stream. */
const streams = new Map();
let limit = PAGE;
let timer = null;
let failures = 0;
let turn = 0;

export function prepareJobs() {
  const renew = () => {
    limit = PAGE;
    refreshJobs();
  };
  byId("filter").addEventListener("change", renew);
  byId("sort").addEventListener("change", renew);
  let typing = null;
  byId("find").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(renew, TYPING_MS);
  });
  prepareChosen(refreshJobs);
  byId("more-jobs").addEventListener("click", () => {
    limit = Math.min(limit + PAGE, MOST);
    refreshJobs();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) endStreams();
    else if (timer !== null) refreshJobs();
  });
}

/** Stop polling, and forget what was seen. */
export function closeJobs() {
  clearTimeout(timer);
  timer = null;
  turn += 1;
  endStreams();
}

export function clearJobs() {
  closeJobs();
  rows = new Map();
  limit = PAGE;
  byId("filter").value = "";
  byId("find").value = "";
  byId("sort").value = NEWEST_FIRST;
  keepChosen(rows);
  byId("jobs").tBodies[0].replaceChildren();
}

/** Ask for the list now, and again after a while. */
export async function refreshJobs() {
  clearTimeout(timer);
  turn += 1;
  const mine = turn;
  const status = byId("filter").value;
  const search = byId("find").value.trim();
  const query = new URLSearchParams({ limit, sort: byId("sort").value });
  if (status) query.set("status", status);
  if (search) query.set("search", search);
  try {
    const path = `/jobs?${query}`;
    const [list, worker] = await Promise.all([ask("GET", path), ask("GET", "/worker/status")]);
    if (mine !== turn) return;
    failures = 0;
    trouble("");
    show(byId("asleep"), !worker.online);
    display(list, status, search);
    const open = list.jobs.filter((job) => job.status === "PENDING" || job.status === "RUNNING");
    const isFollowed = followThose(open);
    timer = setTimeout(poll, open.length > 0 && !isFollowed ? BUSY_MS : CALM_MS);
  } catch (error) {
    if (mine !== turn || error.status === 401) return;
    failures += 1;
    trouble(`${error.message} Trying again.`);
    const wait = (error.retryAfterS ?? 2 ** failures) * 1000;
    timer = setTimeout(poll, Math.min(wait, LONGEST_MS));
  }
}

/** Follow running jobs, and those that wait; whether all that are open are followed. */
function followThose(open) {
  const byTurn = open.toSorted((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0));
  const wanted = new Set(byTurn.slice(0, MOST_STREAMS).map((job) => job.job_id));
  for (const [id, stream] of streams) if (!wanted.has(id)) stream.abort();
  for (const id of wanted) if (!streams.has(id)) followOne(id);
  return open.every((job) => wanted.has(job.job_id));
}

async function followOne(id) {
  const stream = new AbortController();
  streams.set(id, stream);
  const begun = Date.now();
  await follow(id, stream.signal, (job) => {
    const row = rows.get(id);
    if (!row) return;
    announce(row.job, job);
    update(row, job);
  });
  if (streams.get(id) === stream) streams.delete(id);
  if (stream.signal.aborted || timer === null) return;
  // It ended, mostly with its job; one that fails at once is replaced by asking now and then.
  if (Date.now() - begun > BUSY_MS || !isOpen(rows.get(id)?.job)) refreshJobs();
  else timer = restarted(timer);
}

function restarted(old) {
  clearTimeout(old);
  return setTimeout(poll, BUSY_MS);
}

function endStreams() {
  for (const stream of streams.values()) stream.abort();
  streams.clear();
}

function isOpen(job) {
  return job?.status === "PENDING" || job?.status === "RUNNING";
}

function poll() {
  if (document.hidden) timer = setTimeout(poll, BUSY_MS);
  else refreshJobs();
}

function display(list, status, search) {
  const body = byId("jobs").tBodies[0];
  const kept = new Map();
  for (const [at, job] of list.jobs.entries()) {
    const row = rows.get(job.job_id) ?? newRow();
    announce(row.job, job);
    update(row, job);
    kept.set(job.job_id, row);
    if (body.rows[at] !== row.line) body.insertBefore(row.line, body.rows[at] ?? null);
  }
  for (const [id, row] of rows) if (!kept.has(id)) row.line.remove();
  rows = kept;
  keepChosen(rows);
  show(byId("jobs"), list.jobs.length > 0);
  show(byId("no-jobs"), list.jobs.length === 0);
  setText(byId("no-jobs"), none(status, search));
  show(byId("more-jobs"), list.next_cursor !== null && limit < MOST);
}

/** Why the list is empty. */
function none(status, search) {
  const named = search ? ` with “${search}” in its name` : "";
  if (status) return `No genome${named} is ${STATES[status]}.`;
  return search ? `No genome${named}.` : "No genome yet. Choose a file above to begin.";
}

/** Tell when something ended while it was watched. */
function announce(before, job) {
  const ended = before && before.status !== job.status && !["PENDING", "RUNNING"].includes(job.status);
  if (!ended) return;
  const counts = job.status === "COMPLETED" ? `, ${interpreted(job)}` : "";
  say(`${job.filename}: ${STATES[job.status]}${counts}.`);
}

/** How many genes are interpreted, and how many of them only repeat the file's name. */
function interpreted(job) {
  const counts = `${job.interpreted_genes} of ${job.total_genes} genes interpreted`;
  const repeated = job.file_only_genes ?? 0; // null in results of before they were counted
  if (repeated === 0) return counts;
  return `${counts}, ${repeated} of them only by the file's name`;
}

function newRow() {
  const cell = (label, className = "") => element("td", { "data-label": label, className });
  const row = {
    job: null,
    choice: element("td", { className: "choice" }),
    name: element("th", { scope: "row" }),
    state: element("span"),
    bar: element("progress", { max: 1 }),
    share: element("span", { className: "soft" }),
    problem: element("p", { className: "problem" }),
    genes: cell("Genes", "num"),
    supported: cell("Supported", "num"),
    high: cell("High", "num"),
    dark: cell("Dark", "num"),
    when: cell("Submitted"),
    files: element("div"),
    report: element("a", { target: "_blank", rel: "noopener" }, "Open report"),
    links: element("button", { type: "button" }, "Share"),
    cancel: element("button", { type: "button" }, "Cancel"),
    rerun: element("button", { type: "button" }, "Run again"),
    remove: element("button", { type: "button" }, "Delete"),
  };
  row.links.addEventListener("click", () => share(row.job));
  for (const verb of Object.keys(ACTS)) row[verb].addEventListener("click", () => act(row, verb));
  const state = element("td", {}, row.state, row.bar, row.share, row.problem);
  const acts = element("td", {}, element("div", { className: "acts" }, row.report, row.links, row.cancel, row.rerun, row.files, row.remove));
  const counts = [row.genes, row.supported, row.high, row.dark];
  row.line = element("tr", {}, row.choice, row.name, state, ...counts, row.when, acts);
  return row;
}

function update(row, job) {
  const hasResult = job.status === "COMPLETED" || job.total_genes > 0;
  if (row.job === null) {
    const how = [job.mode === "offline" ? "" : job.mode, job.phage_mode ? "phage mode" : "", job.ignore_annotations ? "annotations ignored" : "", job.proteins ? `with ${job.proteins}` : ""];
    const note = element("div", { className: "soft" }, how.filter(Boolean).join(", "));
    row.choice.replaceChildren(chooser(job.job_id, job.filename));
    row.name.replaceChildren(element("bdi", {}, job.filename), note);
    row.when.replaceChildren(moment(job.created_at));
    row.bar.setAttribute("aria-label", `${job.filename}: progress`);
    for (const button of [row.links, row.cancel, row.rerun, row.remove, row.report]) {
      button.setAttribute("aria-label", `${button.textContent}: ${job.filename}`);
    }
    if (REPORT.test(job.report_url)) row.report.href = job.report_url;
    row.files.replaceChildren(fileMenu(job.filename, job.job_id));
  }
  row.job = job;
  row.state.className = `state ${job.status}`;
  setText(row.state, STATES[job.status] ?? job.status);
  show(row.bar, job.status === "RUNNING");
  row.bar.value = job.progress;
  setText(row.share, beside(job));
  setText(row.problem, job.error_message ?? "");
  show(row.problem, job.status === "FAILED" && Boolean(job.error_message));
  setText(row.genes, hasResult ? job.total_genes : "");
  setText(row.supported, hasResult ? (job.supported_genes ?? "") : "");
  setText(row.high, hasResult ? job.high_confidence_count : "");
  setText(row.dark, hasResult ? job.dark_count : "");
  show(row.report, hasResult);
  show(row.files, hasResult);
  show(row.links, hasResult && !arePublic);
  setText(row.report, job.status === "COMPLETED" ? "Open report" : "Earlier report");
  show(row.cancel, isOpen(job));
  show(row.rerun, !isOpen(job) && !session.get()?.guestUntil); // guests may not
}

function beside(job) {
  if (job.status === "RUNNING") return ` ${Math.floor(job.progress * 100)} %${doing(job)}`;
  if (job.status === "PENDING" && job.queue_position) return ` ${place(job.queue_position)}`;
  if (job.status === "COMPLETED") return ` in ${job.processing_time_seconds}\u00a0s`;
  return "";
}

/** What is being done, and how long the rest takes where that is known. */
function doing(job) {
  const stage = job.stage ? `, ${job.stage}` : "";
  const left = job.remaining_seconds;
  return left === null ? stage : `${stage}, ${duration(left)} left`;
}

/** A time that is estimated: no more digits than it is worth. */
function duration(seconds) {
  if (seconds < 10) return "a few seconds";
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} s`;
  if (seconds < 90) return "about a minute";
  return `about ${Math.round(seconds / 60)} minutes`;
}

function place(position) {
  return position === 1 ? "next in the queue" : `number ${position} in the queue`;
}

async function act(row, verb) {
  const { job_id: id, filename } = row.job;
  const { method, path, question, yes, done } = ACTS[verb];
  const button = row[verb];
  if (question && !(await confirmed(question(filename), yes))) return;
  button.disabled = true;
  try {
    await ask(method, `/jobs/${id}${path}`);
    say(done(filename));
  } catch (error) {
    say(`${filename}: ${error.message}`);
  }
  button.disabled = false;
  await refreshJobs();
  if (!row.line.isConnected) byId("filter").focus();
  else if (button.hidden) [row.cancel, row.rerun, row.remove].find((other) => !other.hidden).focus();
}
