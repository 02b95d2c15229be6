// The first page: who is logged in goes on to the genomes; others may try as a guest.

import { session } from "./api.js";
import { byId, setText } from "./dom.js";
import { prepareGuest } from "./guest.js";

prepareGuest(() => location.assign("/app"));

try {
  if (await session.restore()) {
    setText(byId("enter"), "Your genomes");
    setText(byId("own"), "Go to your genomes");
    byId("guest")?.remove();
  }
} catch {
  // The page can be read while the service is busy.
}
