import { actorByName } from "../fold/actors.ts";
import { useShown } from "../session-context.ts";

/** A name that leads to its actor. */
export function ActorLink({ name, onChoose }: { readonly name: string; readonly onChoose: (name: string) => void }) {
  const isActor = useShown(({ session }) => actorByName(session, name) !== null);
  if (!isActor) return <span className="actor-name">{name}</span>;
  return (
    <button type="button" className="link actor-name" onClick={() => onChoose(name)}>
      {name}
    </button>
  );
}
