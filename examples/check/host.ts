// The host of a publication: the machine that was checked, fed by a session, acting by the session's API.
import type { Session } from "teamchart";
import { askAgain, hear, type PublicationEvent } from "./publication.ts";

/** What the machine leaves to its host. `publish` gets the Writer's text as it is at that moment. */
export const hostActions = (session: Session, publish: (text: string) => void) => ({
  publish: () => publish(session.status().members.find(({ name }) => name === "Writer")?.summary ?? ""),
  askAgain: () => {
    // A refusal is a line of events$ too, and that is where the machine hears of it.
    session.replan(askAgain).catch(() => {});
  },
});

/** Tells the machine what the session does, from now on, for as long as it has something to do. */
export const follow = (session: Session, publication: Publication) =>
  session.events$.subscribe((line) => {
    for (const event of hear(line)) if (publication.getSnapshot().status === "active") publication.send(event);
  });

/** A running actor of either version. */
interface Publication {
  send(event: PublicationEvent): void;
  getSnapshot(): { readonly status: string };
}
