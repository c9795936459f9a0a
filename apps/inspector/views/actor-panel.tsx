import { useState } from "react";
import type { ActorRef } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";
import { useSession, useShown } from "../session-context.ts";
import { ConversationView } from "./conversation-view.tsx";
import { MailView } from "./mail-view.tsx";
import { NowView } from "./now-view.tsx";
import { StepView } from "./step-view.tsx";

type Part = "now" | "mail" | "talk" | "step";

/** The chosen actor: how it stands and why, its mail, what it said, and the step that led here. */
export function ActorPanel({
  actor,
  onChoose,
}: {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { place, go } = useSession();
  const [part, setPart] = useState<Part>("now");
  const unread = useShown(({ session }) =>
    actor === null
      ? 0
      : actor.kind === "lead"
        ? session.lead.unread.length
        : (session.members.get(actor.token)?.unread.length ?? 0),
  );
  const hasMail = actor?.kind === "member" || actor?.kind === "lead";
  const tabs: readonly Tab<Part>[] = [
    { id: "now", label: "Now" },
    ...(hasMail
      ? ([
          { id: "mail", label: "Mailbox", count: unread },
          { id: "talk", label: "Conversation" },
        ] as const)
      : []),
    { id: "step", label: "Step" },
  ];
  const current = tabs.some(({ id }) => id === part) ? part : "now";
  if (actor === null)
    return (
      <Empty title={`${place.actor ?? "Nobody"} is not there`}>
        Nobody is called so at this place on the timeline.{" "}
        <button type="button" className="link" onClick={() => go({ actor: null })}>
          Show the team
        </button>
      </Empty>
    );
  return (
    <div className="actor-panel">
      <h2 title={actor.name}>{actor.name}</h2>
      <Tabs label="Of the chosen actor" tabs={tabs} current={current} onSelect={setPart} panel="actor-part" />
      <div
        className="actor-part"
        id="actor-part"
        role="tabpanel"
        aria-labelledby={`actor-part-tab-${current}`}
        tabIndex={0}
      >
        <PartView part={current} actor={actor} onChoose={onChoose} />
      </div>
    </div>
  );
}

function PartView({
  part,
  actor,
  onChoose,
}: {
  readonly part: Part;
  readonly actor: ActorRef;
  readonly onChoose: (name: string) => void;
}) {
  if (part === "mail") return <MailView key={actor.token} actor={actor} onChoose={onChoose} />;
  if (part === "talk") return <ConversationView key={actor.token} actor={actor} />;
  if (part === "step") return <StepView actor={actor} onChoose={onChoose} />;
  return <NowView key={actor.token} actor={actor} onChoose={onChoose} />;
}
