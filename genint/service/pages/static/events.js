// Server-sent events of jobs. EventSource sends no header, so the stream is read by fetch.

import { OURS } from "./api.js";

/** Streams at once: a browser has six connections to a host, and other pages need some. */
export const MOST_STREAMS = 2;

/**
 * Follow a job until it ends or the stream does.
 *
 * @param {string} jobId
 * @param {AbortSignal} signal ends it
 * @param {(job: object) => void} onJob gets the job as lists show it
 * @returns {Promise<void>} resolved at the end of the stream, whatever ended it
 */
export async function follow(jobId, signal, onJob) {
  try {
    const headers = { ...OURS, Accept: "text/event-stream" };
    const response = await fetch(`/api/v1/jobs/${jobId}/events`, { headers, signal });
    if (!response.ok) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = /^event: job\ndata: (.*)$/m.exec(event);
        if (data) onJob(JSON.parse(data[1]));
      }
    }
  } catch {
    // Left, or lost: whoever follows asks for the list now and then anyway.
  }
}
